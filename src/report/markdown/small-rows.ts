import { podPlaceOf } from '../../manifest/built-in-kinds.ts'
import { changesOwnMetadataOnly } from '../rows/own-metadata.ts'
import { isChangedHook, isRenamedOnly } from '../rows/risk-order.ts'
import type { Row } from '../rows/rows.ts'
import { attentionPhrase } from '../words/attention-text.ts'
import type { Line } from '../words/table-lines.ts'
import { isFolded } from '../words/table-lines.ts'

/** A table of more lines than this has its small ones in a fold. */
const LONG_TABLE = 20
/** Fewer lines than this are not worth a fold. */
const MIN_FOLDED = 3

export interface SplitLines {
  readonly open: readonly Line[]
  readonly small: readonly Line[]
}

/** The lines of a long table that nobody need read one by one go into a fold; none that is marked. */
export function splitLines(lines: readonly Line[]): SplitLines {
  const small = lines.filter((line) => line.rows.every((row) => smallness(row) !== undefined))
  if (lines.length <= LONG_TABLE || small.length < MIN_FOLDED) return { open: lines, small: [] }
  return { open: lines.filter((line) => !small.includes(line)), small }
}

/** `62 more, none of them marked: 4 renamed, 5 hooks as before, 53 in labels, annotations or descriptions only`. */
export function smallTitle(lines: readonly Line[]): string {
  // What goes under the old name is the same object as what comes.
  const rows = lines
    .flatMap((line) => line.rows)
    .filter(({ change, counterpart }) => !(change === 'delete' && counterpart))
  const amounts = SMALL.flatMap(({ what, word }) => {
    const amount = rows.filter((row) => smallness(row) === what).length
    return amount === 0 ? [] : [`${amount} ${amount === 1 ? word[0] : word[1]}`]
  })
  return `${rows.length} more, none of them marked: ${amounts.join(', ')}`
}

type Smallness = 'renamed' | 'hooks' | 'metadata' | 'unchanged'

const SMALL: readonly { readonly what: Smallness; readonly word: readonly [string, string] }[] = [
  { what: 'renamed', word: ['renamed and the same otherwise', 'renamed and the same otherwise'] },
  { what: 'hooks', word: ['hook as before', 'hooks as before'] },
  {
    what: 'metadata',
    word: ['in labels, annotations or descriptions only', 'in labels, annotations or descriptions only'],
  },
  { what: 'unchanged', word: ['unchanged', 'unchanged'] },
]

/** What little there is to a row; undefined where a reviewer should see it. */
function smallness(row: Row): Smallness | undefined {
  const isMarked = row.varies.length + row.open.length > 0 || row.newSchema !== undefined || row.dependsOnEarlier
  if (isMarked || attentionPhrase(row).length > 0) return undefined
  if (row.change === 'none') return 'unchanged'
  if (row.change === 'hook' && !isChangedHook(row)) return 'hooks'
  if (isFolded(row)) return 'metadata'
  if (row.counterpart !== undefined) return row.isSameBody === true && isQuietlyRenamed(row) ? 'renamed' : undefined
  if (row.change !== 'update' || row.impact?.risk !== 'other' || row.reason.code !== 'chart-changed') return undefined
  return changesOwnMetadataOnly(row.impact) ? 'metadata' : undefined
}

/** Neither a name that others call, nor storage, nor pods that run. */
function isQuietlyRenamed(row: Row): boolean {
  return isRenamedOnly(row) && podPlaceOf(row.ref) === undefined
}
