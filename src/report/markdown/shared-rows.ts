import type { Row } from '../rows/rows.ts'
import { noiseText } from '../words/row-text.ts'
import { isFolded, type TableKind, tableLines } from '../words/table-lines.ts'
import { code, details } from './markdown.ts'
import { shortRef } from './row-table.ts'

export interface SharedRowsOptions {
  readonly kind: TableKind
  /** Namespace of the release: not repeated for each object. */
  readonly namespace: string
  /** Most names of one line of the table. */
  readonly maxNames: number
}

/** Names of the objects that share a line of the table, folded: first what is noise only, then the rest. */
export function sharedRows(rows: readonly Row[], options: SharedRowsOptions): readonly string[] {
  return [...noiseDetails(rows, options), ...otherDetails(rows, options)]
}

function noiseDetails(rows: readonly Row[], options: SharedRowsOptions): readonly string[] {
  return (['labels', 'checksum', 'metadata', 'descriptions'] as const).flatMap((noise) => {
    const members = rows.filter((row) => row.impact?.noise === noise)
    if (members.length === 0) return []
    const amount = `${members.length} ${members.length === 1 ? 'object' : 'objects'}`
    return [details(`${amount}: ${noiseText(noise)}`, names(members, options))]
  })
}

function otherDetails(rows: readonly Row[], options: SharedRowsOptions): readonly string[] {
  const lines = tableLines(rows, 'rows', options.kind).filter(
    (line) => line.rows.length > 1 && line.first.change !== 'none' && !isFolded(line.first),
  )
  if (lines.length === 0) return []
  const amount = lines.reduce((sum, line) => sum + line.rows.length, 0)
  const entries = lines
    .slice(0, MAX_LINES)
    .map((line) => `- **${line.first.stage} ${line.first.weight}:** ${names(line.rows, options)}`)
  return [details(`${amount} objects that share a row above`, entries.join('\n'))]
}

const MAX_LINES = 50

function names(rows: readonly Row[], { maxNames, namespace }: SharedRowsOptions): string {
  const shown = rows.slice(0, maxNames).map((row) => code(shortRef(row.ref, namespace)))
  const more = rows.length > maxNames ? ` and ${rows.length - maxNames} more` : ''
  return `${shown.join(', ')}${more}`
}
