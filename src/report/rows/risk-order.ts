import { builtInKind, kindNames } from '../../manifest/built-in-kinds.ts'
import { deletionRisk } from '../../manifest/deletion-risk.ts'
import { type AccessMark, type Impact, type Restart, type Risk, risks } from '../../model/impact.ts'
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
  if (row.impact?.noise !== undefined && row.varies.length + row.open.length === 0) return last + 2
  if (row.change === 'await') return last + 1
  if (row.change === 'hook' && !isChangedHook(row)) return last
  const risk = risks.indexOf(
    isRenamed(row) ? renamedRisk(row) : isHeir(row) ? 'stopped' : (row.impact?.risk ?? riskOfChange(row)),
  )
  // A hook that is new or changed runs code: it is read before new objects.
  return (row.change === 'hook' ? Math.min(risk, risks.indexOf('restart')) : risk) * STEPS + step
}

/** Whether the chart brought or changed the hook; else it merely runs, as it did before. */
export function isChangedHook({ impact, isNewHook, reason }: Row): boolean {
  return isNewHook || (impact?.noise === undefined && ['chart-changed', 'both', 'drift'].includes(reason.code))
}

/** How many ranks a risk has: what holds data, stops or was changed by somebody first, a hook last. */
const STEPS = 7

function finerRank(row: Row): number {
  const { change, impact, reason, ref } = row
  if (PRECIOUS_KINDS.has(ref.kind) && (change === 'delete' || change === 'recreate')) return 0
  if (impact?.access?.gained.some(({ marks }) => marks.some(isAllMighty)) === true) return 0
  const isOut = impact !== undefined && isOutage(impact)
  if (isOut && (impact.restart === undefined || restartRank(impact.restart) < METADATA)) return 1
  if (isOut || reason.code === 'drift' || reason.code === 'both') return 2
  if (change === 'hook') return STEPS - 1
  return impact?.restart === undefined ? 3 : restartRank(impact.restart)
}

/** No other right says as much. */
function isAllMighty(mark: AccessMark): boolean {
  return mark === 'cluster-admin' || mark === 'masters'
}

/** Pods are missing for a while or for good, or may not come back with their data as it is. */
function isOutage({ evictions, images = [], restart, scale }: Impact): boolean {
  if (evictions === 'closed' || (scale !== undefined && scale.to * 2 <= scale.from)) return true
  if (restart === undefined) return false
  return restart.hasGap === true || restart.budget?.isKept === false || images.some(({ jump }) => jump !== undefined)
}

/** New code, then new settings, then what only looks new to Kubernetes. */
function restartRank({ because }: Restart): number {
  if (because === 'image') return 3
  return because === 'template' ? 4 : METADATA
}

const METADATA = 5

/** A workload that comes as another kind: the pods of the one before stop. */
function isHeir({ change, otherKind }: Row): boolean {
  return change === 'create' && otherKind !== undefined
}

/** A hook under another name is a hook that changed. */
function isRenamed({ change, counterpart }: Row): boolean {
  return counterpart !== undefined && change !== 'hook'
}

/** Nobody outside of the plan notices the other name. */
export function isRenamedOnly(row: Row): boolean {
  return renamedRisk(row) === 'other'
}

/**
 * What another name means for those who use the object: storage is not taken over, a DNS name is gone, pods are new.
 * A custom object is what its controller makes of it.
 */
function renamedRisk({ impact, ref }: Row): Risk {
  const kind = builtInKind(ref)
  if (kind?.isPrecious === true) return 'deleted'
  if (kind === undefined || kind.kind === 'Service') return 'stopped'
  if (impact?.risk === 'access') return 'access'
  return kind.isWorkload ? 'restart' : 'other'
}

function riskOfChange({ change, ref }: Row): Risk {
  if (change === 'delete') return deletionRisk(ref)
  if (change === 'recreate') return 'recreated'
  return change === 'create' ? 'new' : 'other'
}
