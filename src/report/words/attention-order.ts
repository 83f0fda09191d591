import { byRisk, PRECIOUS_KINDS, riskRank } from '../rows/risk-order.ts'
import type { Row } from '../rows/rows.ts'
import { attentionPhrase } from './attention-text.ts'

/** What the box on top names comes first, then the rest, both the riskiest first: a sign far down is not seen. */
export function byAttention(rows: readonly Row[]): readonly Row[] {
  return markedFirst(byRisk(rows), new Set(rows.filter(isNamedOnTop)))
}

/** As `riskRank`, for what stands in the order of `byAttention`. */
export function attentionRank(row: Row): number {
  return riskRank(row) + (isNamedOnTop(row) ? 0 : BEHIND_MARKED)
}

/** Higher than any `riskRank`. */
const BEHIND_MARKED = 1_000

export function markedFirst<T>(all: readonly T[], marked: ReadonlySet<T>): readonly T[] {
  return [...all.filter((one) => marked.has(one)), ...all.filter((one) => !marked.has(one))]
}

/** Marked with a sign, or what cannot be taken back. */
export function isNamedOnTop(row: Row): boolean {
  const isFinal = row.change === 'recreate' || (row.change === 'delete' && PRECIOUS_KINDS.has(row.ref.kind))
  return isFinal || attentionPhrase(row).length > 0
}
