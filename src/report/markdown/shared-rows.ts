import type { Noise } from '../../model/impact.ts'
import { refKey } from '../../model/ref.ts'
import { commonMetadata, uncommonMetadata } from '../rows/common-metadata.ts'
import type { Row } from '../rows/rows.ts'
import { noiseText } from '../words/cause-text.ts'
import { metadataPhrase } from '../words/metadata-text.ts'
import { isFolded, type TableKind, tableLines } from '../words/table-lines.ts'
import { bulletList } from './bullet-lists.ts'
import { code, details, markdown } from './markdown.ts'
import { isNamedInTable, shortRef } from './row-table.ts'

export interface SharedRowsOptions {
  readonly kind: TableKind
  /** Namespace of the release: not repeated for each object. */
  readonly namespace: string
  /** Most names of one line of the table. */
  readonly maxNames: number
  /** Rows that are named elsewhere: in the diff that they share. */
  readonly named: ReadonlySet<Row>
}

/** Names of the objects that share a line of the table, folded: first what is noise only, then the rest. */
export function sharedRows(rows: readonly Row[], options: SharedRowsOptions): readonly string[] {
  return [...noiseDetails(rows, options), ...otherDetails(rows, options)]
}

const NOISES: readonly Noise[] = ['labels', 'checksum', 'metadata', 'descriptions', 'spelling']

/**
 * With the values that change, but for those that many objects have in common: they are told once beside the table. Not
 * there where the table names all of them and there are no other values.
 */
function noiseDetails(rows: readonly Row[], options: SharedRowsOptions): readonly string[] {
  const common = commonMetadata(rows)
  return NOISES.flatMap((noise) => {
    const members = onceEach(rows.filter((row) => isFolded(row) && row.impact?.noise === noise))
    if (members.length === 0) return []
    const amount = `${members.length} ${members.length === 1 ? 'object' : 'objects'}`
    const groups = Map.groupBy(members, (row) => markdown(metadataPhrase(uncommonMetadata(row, common))))
    const entries = [...groups].map(([what, alike]) => `${what === '' ? '' : `${what}: `}${names(alike, options)}`)
    const [only] = entries
    const isToldByTable = options.kind === 'plan' && [...groups.keys()].every((what) => what === '')
    if (isToldByTable && members.every((row) => isNamedInTable(row, members.length))) return []
    const body = entries.length === 1 ? only : bulletList(entries, options.maxNames)
    return [details(`${amount}: ${noiseText(noise)}`, body ?? '')]
  })
}

function onceEach(rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.map((row) => [refKey(row.ref), row])).values()]
}

/** What the table counts by kind is named here. */
function otherDetails(rows: readonly Row[], options: SharedRowsOptions): readonly string[] {
  const lines = tableLines(rows, 'rows', options.kind)
    .map((line) => ({ ...line, rows: onceEach(line.rows) }))
    .filter(({ first, rows: members }) => {
      if (members.length === 1 || (options.kind === 'plan' && isNamedInTable(first, members.length))) return false
      return first.change !== 'none' && !isFolded(first) && !members.every((row) => options.named.has(row))
    })
  if (lines.length === 0) return []
  const amount = lines.reduce((sum, line) => sum + line.rows.length, 0)
  const entries = lines.map((line) => `**${line.first.stage} ${line.first.weight}:** ${names(line.rows, options)}`)
  return [details(`${amount} objects that share a row above`, bulletList(entries, MAX_LINES))]
}

const MAX_LINES = 50

function names(rows: readonly Row[], { maxNames, namespace }: SharedRowsOptions): string {
  const shown = rows.slice(0, maxNames).map((row) => code(shortRef(row.ref, namespace)))
  const more = rows.length > maxNames ? ` and ${rows.length - maxNames} more` : ''
  return `${shown.join(', ')}${more}`
}
