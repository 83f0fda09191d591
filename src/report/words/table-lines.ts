import { durationMs, type Row } from '../rows/rows.ts'
import { plainText } from './phrase.ts'
import { waitsPhrase, whyPhrase } from './row-text.ts'

/** `rows`: one line per resource, equal and quick ones shared; `kinds`: one line per kind and change. */
export type TableDetail = 'rows' | 'kinds'

/** `plan`: what will happen and why; `run`: what happened and how long it took. */
export type TableKind = 'plan' | 'run'

/** One row, or several that share a line. */
export interface Line {
  readonly first: Row
  readonly rows: readonly Row[]
}

/** More equal rows of one weight than this share a line. */
const MAX_EQUAL = 5
/** What took longer, in ms, has a line of its own. */
const QUICK_MS = 5_000

/** Lines in the order of the rows; a shared line is where its first row would be. */
export function tableLines(rows: readonly Row[], detail: TableDetail, kind: TableKind): readonly Line[] {
  const keys = rows.map((row, index) => sharingKey(row, index, { detail, kind }))
  const amounts = new Map<string, number>()
  for (const { together } of keys) amounts.set(together, (amounts.get(together) ?? 0) + 1)
  const lines = new Map<string, Row[]>()
  rows.forEach((row, index) => {
    const key = keys[index]
    if (key === undefined) return
    const isTogether = (amounts.get(key.together) ?? 0) > key.atMost
    const line = isTogether ? key.together : `alone ${index}`
    const known = lines.get(line)
    if (known === undefined) lines.set(line, [row])
    else known.push(row)
  })
  return [...lines.values()].flatMap((merged) => (merged[0] === undefined ? [] : [{ first: merged[0], rows: merged }]))
}

/** `together`: rows of the same key share a line where they are more than `atMost`. */
interface Key {
  readonly together: string
  readonly atMost: number
}

function sharingKey(
  row: Row,
  index: number,
  { detail, kind }: { readonly detail: TableDetail; readonly kind: TableKind },
): Key {
  const place = `${row.stage} ${row.deletionPhase ?? ''} ${row.weight} ${row.hook ?? ''}`
  const what = `${place} ${row.change} ${row.result}`
  if (detail === 'kinds') return { together: `${what} ${row.ref.kind}`, atMost: 1 }
  const isQuiet = row.result === 'planned' || row.result === 'succeeded'
  if (isQuiet && row.change === 'none') return { together: what, atMost: 1 }
  if (isQuiet && isFolded(row)) return { together: `${what} ${row.impact?.noise}`, atMost: 1 }
  if (!isQuiet || !isQuick(row)) return { together: `alone ${index}`, atMost: 1 }
  const why = kind === 'plan' ? `${plainText(whyPhrase(row))} ${plainText(waitsPhrase(row))}` : ''
  return { together: `${what} quick ${why}`, atMost: MAX_EQUAL }
}

/**
 * Whether nothing changes but metadata that nobody reviews. What restarts pods is never folded (docs/decisions/0024).
 */
export function isFolded(row: Row): boolean {
  return row.impact?.noise !== undefined
}

/** Where nothing changes and nothing runs, the headline says it all. */
export function hasNews(rows: readonly Row[]): boolean {
  return rows.some((row) => row.change !== 'none' || !['planned', 'succeeded'].includes(row.result))
}

function isQuick(row: Row): boolean {
  const isHarmless = row.change === 'create' || row.change === 'update'
  return isHarmless && row.waits.length === 0 && row.counterpart === undefined && (durationMs(row) ?? 0) < QUICK_MS
}
