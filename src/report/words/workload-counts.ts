import { isBuiltIn, podPlaceOf } from '../../manifest/built-in-kinds.ts'
import type { Row } from '../rows/rows.ts'

/** `5 workloads restart, 2 stop`: whoever is on call asks that first. Nothing where one row tells it. */
export function workloadCounts(rows: readonly Row[]): string {
  const restarting = rows.filter(isRestart).length
  const stopping = rows.filter(isStop).length
  if (restarting + stopping < 2) return ''
  if (restarting === 0) return `${stopping} workloads stop`
  const restarts = restarting === 1 ? '1 workload restarts' : `${restarting} workloads restart`
  return stopping === 0 ? restarts : `${restarts}, ${stopping} ${stopping === 1 ? 'stops' : 'stop'}`
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
