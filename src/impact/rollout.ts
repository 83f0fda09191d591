import { builtInKind } from '../manifest/built-in-kinds.ts'
import type { AtOnce, Restart } from '../model/impact.ts'
import { at, type JsonObject, type JsonValue, numberAt, stringAt } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'

/** How a workload replaces the pods of an old template. */
export interface Rollout {
  readonly how: Restart['how']
  /** Pods that a partition holds back. */
  readonly held?: number
  /** At most so many pods are not available meanwhile; absent where that is not known. */
  readonly unavailable?: number
}

/** Undefined for what keeps no pods running. Source: docs/sources.md#kubernetes-rollouts. */
export function rolloutOf(ref: Ref, workload: JsonObject, replicas: number | undefined): Rollout | undefined {
  switch (builtInKind(ref)?.kind) {
    case 'Deployment':
      return deploymentRollout(workload, replicas)
    case 'StatefulSet':
      return statefulSetRollout(workload, replicas)
    case 'DaemonSet':
      return daemonSetRollout(workload, replicas)
    // They never replace the pods that they have.
    case 'ReplicaSet':
    case 'ReplicationController':
      return { how: 'on-delete', unavailable: 0 }
    case 'CronJob':
      return { how: at(workload, 'spec', 'suspend') === true ? 'suspended' : 'next-run' }
    default:
      return undefined
  }
}

function deploymentRollout(deployment: JsonObject, replicas: number | undefined): Rollout {
  if (at(deployment, 'spec', 'paused') === true) return { how: 'paused', unavailable: 0 }
  if (stringAt(deployment, 'spec', 'strategy', 'type') === 'Recreate') return allAtOnce(replicas)
  if (replicas === undefined) return { how: 'rolling' }
  const limits = at(deployment, 'spec', 'strategy', 'rollingUpdate')
  const surge = scaled(at(limits, 'maxSurge') ?? '25%', replicas, Math.ceil)
  const unavailable = scaled(at(limits, 'maxUnavailable') ?? '25%', replicas, Math.floor)
  if (surge === undefined || unavailable === undefined) return { how: 'rolling' }
  return { how: 'rolling', unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable }
}

function statefulSetRollout(statefulSet: JsonObject, replicas: number | undefined): Rollout {
  const strategy = at(statefulSet, 'spec', 'updateStrategy')
  const type = stringAt(strategy, 'type')
  if (type === 'OnDelete') return { how: 'on-delete', unavailable: 0 }
  if (type === 'Recreate') return allAtOnce(replicas)
  const held = numberAt(strategy, 'rollingUpdate', 'partition') ?? 0
  const how = held > 0 ? { how: 'partial' as const, held } : { how: 'rolling' as const }
  if (replicas === undefined) return how
  const atOnce = scaled(at(strategy, 'rollingUpdate', 'maxUnavailable') ?? 1, replicas, Math.floor)
  if (atOnce === undefined) return how
  return { ...how, unavailable: Math.min(Math.max(atOnce, 1), Math.max(replicas - held, 0)) }
}

function daemonSetRollout(daemonSet: JsonObject, replicas: number | undefined): Rollout {
  const strategy = at(daemonSet, 'spec', 'updateStrategy')
  if (stringAt(strategy, 'type') === 'OnDelete') return { how: 'on-delete', unavailable: 0 }
  if (replicas === undefined) return { how: 'rolling' }
  const unavailable = scaled(at(strategy, 'rollingUpdate', 'maxUnavailable') ?? 1, replicas, Math.ceil)
  return { how: 'rolling', ...(unavailable === undefined ? {} : { unavailable }) }
}

/**
 * Of an update that comes to stop half of the pods at once, or all of a number that is known; undefined where it did so
 * before. What is left out counts as the default of the kind.
 */
export function morePodsAtOnce(ref: Ref, before: JsonObject, after: JsonObject): AtOnce | undefined {
  const kind = builtInKind(ref)?.kind
  const isDaemonSet = kind === 'DaemonSet'
  const pods = isDaemonSet ? numberAt(before, 'status', 'desiredNumberScheduled') : numberAt(after, 'spec', 'replicas')
  const [old, now] = [unavailableLimit(kind, before), unavailableLimit(kind, after)]
  if (old === undefined || now === undefined || old === now || !isLarge(now, pods)) return undefined
  const round = kind === 'Deployment' ? Math.floor : Math.ceil
  const amounts = [old, now].map((limit) => scaled(limit, pods ?? SAMPLE, round) ?? 0)
  const isComparable = pods !== undefined || typeof old === typeof now
  const [was = 0, is = 0] = amounts
  if (is === 0 || (isComparable && is <= was)) return undefined
  return { before: String(old), after: String(now) }
}

/** Shares compare alike for any number of pods. */
const SAMPLE = 100

/** Of the pods, those that an update may stop at once; undefined where it stops none or all by another rule. */
function unavailableLimit(kind: string | undefined, workload: JsonObject): string | number | undefined {
  if (kind === 'Deployment') {
    if (stringAt(workload, 'spec', 'strategy', 'type') === 'Recreate') return undefined
    return limitIn(at(workload, 'spec', 'strategy')) ?? '25%'
  }
  if (kind !== 'DaemonSet' && kind !== 'StatefulSet') return undefined
  const strategy = at(workload, 'spec', 'updateStrategy')
  const type = stringAt(strategy, 'type') ?? 'RollingUpdate'
  return type === 'RollingUpdate' ? (limitIn(strategy) ?? 1) : type === 'OnDelete' ? 0 : undefined
}

function limitIn(strategy: JsonValue | undefined): string | number | undefined {
  const limit = at(strategy, 'rollingUpdate', 'maxUnavailable')
  return typeof limit === 'string' || typeof limit === 'number' ? limit : undefined
}

function isLarge(limit: string | number, pods: number | undefined): boolean {
  if (typeof limit === 'number') return pods !== undefined && limit >= pods
  return (scaled(limit, SAMPLE, (share) => share) ?? 0) >= SAMPLE / 2
}

function allAtOnce(replicas: number | undefined): Rollout {
  return { how: 'recreate', ...(replicas === undefined ? {} : { unavailable: replicas }) }
}

/** `2`, or `25%` of the pods. Undefined for anything else. */
export function scaled(
  limit: JsonValue | undefined,
  replicas: number,
  round: (share: number) => number,
): number | undefined {
  if (typeof limit === 'number') return limit
  const percent = typeof limit === 'string' ? /^(\d{1,4})%$/.exec(limit)?.[1] : undefined
  return percent === undefined ? undefined : round((Number(percent) * replicas) / 100)
}
