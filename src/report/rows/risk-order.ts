import { kindNames } from '../../manifest/built-in-kinds.ts'
import { risks } from '../../model/impact.ts'
import type { Row } from './rows.ts'

/** Kinds whose deletion or recreation loses data or takes others with it. */
export const PRECIOUS_KINDS: ReadonlySet<string> = kindNames(({ isPrecious }) => isPrecious)

/** The riskiest first, those of equal risk in the order of the plan. */
export function byRisk(rows: readonly Row[]): readonly Row[] {
  return rows
    .map((row, index) => ({ row, index, rank: riskRank(row) }))
    .toSorted((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ row }) => row)
}

/** Lower is riskier: a reviewer reads it first, and where space is short it stays. */
export function riskRank(row: Row): number {
  const [last, step] = [risks.length * STEPS, finerRank(row)]
  if (row.change === 'none') return last + 3
  if (row.impact?.noise !== undefined && row.varies.length === 0) return last + 2
  if (row.change === 'await') return last + 1
  if (row.change === 'hook' && !isChangedHook(row)) return last
  if (row.counterpart !== undefined) return risks.indexOf('other') * STEPS + step
  const risk = risks.indexOf(row.impact?.risk ?? riskOfChange(row))
  // A hook that is new or changed runs code: it is read before new objects.
  return (row.change === 'hook' ? Math.min(risk, risks.indexOf('restart')) : risk) * STEPS + step
}

/** Whether the chart brought or changed the hook; else it merely runs, as it did before. */
export function isChangedHook({ impact, isNewHook, reason }: Row): boolean {
  return isNewHook || (impact?.noise === undefined && ['chart-changed', 'both', 'drift'].includes(reason.code))
}

/** How many ranks a risk has: what holds data or was changed by somebody first, a hook last. */
const STEPS = 3

function finerRank(row: Row): number {
  if (PRECIOUS_KINDS.has(row.ref.kind) && (row.change === 'delete' || row.change === 'recreate')) return 0
  if (row.reason.code === 'drift' || row.reason.code === 'both') return 0
  return row.change === 'hook' ? 2 : 1
}

function riskOfChange({ change }: Row): (typeof risks)[number] {
  if (change === 'delete') return 'deleted'
  if (change === 'recreate') return 'recreated'
  return change === 'create' ? 'new' : 'other'
}
