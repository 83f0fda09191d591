import { isBuiltIn, podPlaceOf } from '../../manifest/built-in-kinds.ts'
import type { Row } from '../rows/rows.ts'

/** `5 workloads restart, 1 is replaced, 2 stop`: whoever is on call asks that first. Nothing where one row tells all. */
export function workloadCounts(rows: readonly Row[]): string {
  const restarting = rows.filter(isRestart).length
  const stopping = rows.filter(isStop).length
  const replaced = rows.filter(isReplaced).length
  if (rows.length < 2) return ''
  const parts = [
    { amount: restarting, one: 'restarts', many: 'restart' },
    { amount: replaced, one: 'is replaced', many: 'are replaced' },
    { amount: stopping, one: 'stops', many: 'stop' },
  ].filter(({ amount }) => amount > 0)
  return parts
    .map(({ amount, many, one }, index) => {
      const what = index > 0 ? '' : amount === 1 ? ' workload' : ' workloads'
      return `${amount}${what} ${amount === 1 ? one : many}`
    })
    .join(', ')
}

/** Under another name or as another kind: new pods beside the old ones, or in their place. */
function isReplaced({ change, counterpart, otherKind, ref }: Row): boolean {
  return change === 'create' && isLasting(ref) && (counterpart !== undefined || otherKind !== undefined)
}

/** Pods are replaced by the change itself, at once or bit by bit. */
function isRestart({ change, impact, ref }: Row): boolean {
  if (change === 'recreate') return isLasting(ref)
  if (change !== 'update' || impact?.restart === undefined || impact.scale?.to === 0) return false
  const { held = 0, how, replicas } = impact.restart
  return how === 'rolling' || how === 'recreate' || (how === 'partial' && (replicas === undefined || held < replicas))
}

/** What takes the place of a deleted workload is beside it in the table. */
function isStop({ change, counterpart, impact, otherKind, ref }: Row): boolean {
  if (change === 'update') return impact?.scale?.to === 0
  return change === 'delete' && isLasting(ref) && counterpart === undefined && otherKind === undefined
}

/** Whose pods run until somebody stops them. */
function isLasting(ref: Row['ref']): boolean {
  return podPlaceOf(ref) !== undefined && !isBuiltIn(ref, 'Job') && !isBuiltIn(ref, 'Pod')
}
