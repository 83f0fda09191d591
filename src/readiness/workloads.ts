import { at, type KubeObject, numberAt, stringAt } from '../model/object.ts'
import type { Readiness, ReadinessFacts } from '../model/readiness.ts'
import { conditionOf, conditionReason, conditionsOf, isTrue } from './conditions.ts'
import { staleStatus } from './generic-readiness.ts'
import { newestPods } from './newest-pods.ts'
import { judgePods } from './pod-verdict.ts'
import { ERROR_GRACE_SECONDS, failed, failedAfter, progressing, ready, tooFew } from './verdict.ts'

/**
 * One rule per workload: its replica counts, and where they are too low, its pods. Sources:
 * docs/sources.md#kubedog-readiness, docs/sources.md#kstatus, docs/sources.md#helm-3-readiness.
 */
export type WorkloadRule = (object: KubeObject, relatives: readonly KubeObject[], facts: ReadinessFacts) => Readiness

/** All replicas of the newest template are available and no old one is left: stricter than Helm. */
export const deployment: WorkloadRule = (object, relatives, facts) => {
  // A paused Deployment rolls nothing out until it is resumed. Source: docs/sources.md#helm-3-readiness.
  if (at(object, 'spec', 'paused') === true) return ready({ code: 'suspended' })
  const progress = conditionOf(conditionsOf(object), 'Progressing')
  const want = wantedReplicas(object)
  const updated = statusCount(object, 'updatedReplicas')
  const total = statusCount(object, 'replicas')
  const available = statusCount(object, 'availableReplicas')
  const gap =
    unseen(object) ??
    (progress?.reason === 'ProgressDeadlineExceeded' ? failed(conditionReason(progress)) : undefined) ??
    (updated < want ? tooFew('updated', updated, want) : undefined) ??
    (total > Math.min(updated, want) ? tooFew('old', total - Math.min(updated, want), 0) : undefined) ??
    (available < want ? tooFew('available', available, want) : undefined)
  return gap === undefined ? full('available', available, want) : explained(gap, { object, relatives, facts, want })
}

/** As many updated as the partition asks for, all ready. With OnDelete pods are replaced by hand: only ready counts. */
export const statefulSet: WorkloadRule = (object, relatives, facts) => {
  const want = wantedReplicas(object)
  const strategy = at(object, 'spec', 'updateStrategy')
  const partition = numberAt(strategy, 'rollingUpdate', 'partition') ?? 0
  const wantUpdated = stringAt(strategy, 'type') === 'OnDelete' ? 0 : Math.max(0, want - partition)
  const updated = statusCount(object, 'updatedReplicas')
  const total = statusCount(object, 'replicas')
  const readyReplicas = statusCount(object, 'readyReplicas')
  // Older API servers leave availableReplicas out; newer ones count minReadySeconds with it.
  const available = numberAt(object, 'status', 'availableReplicas') ?? readyReplicas
  const gap =
    unseen(object) ??
    (updated < wantUpdated ? tooFew('updated', updated, wantUpdated) : undefined) ??
    (readyReplicas < want ? tooFew('ready', readyReplicas, want) : undefined) ??
    (available < want ? tooFew('available', available, want) : undefined) ??
    (total > want ? tooFew('old', total - want, 0) : undefined)
  return gap === undefined ? full('ready', readyReplicas, want) : explained(gap, { object, relatives, facts, want })
}

/** One pod on every node that wants one. With OnDelete pods are replaced by hand: only available counts. */
export const daemonSet: WorkloadRule = (object, relatives, facts) => {
  const want = statusCount(object, 'desiredNumberScheduled')
  const isOnDelete = stringAt(object, 'spec', 'updateStrategy', 'type') === 'OnDelete'
  const updated = isOnDelete ? want : statusCount(object, 'updatedNumberScheduled')
  const available = statusCount(object, 'numberAvailable')
  const gap =
    unseen(object) ??
    (updated < want ? tooFew('updated', updated, want) : undefined) ??
    (available < want ? tooFew('available', available, want) : undefined)
  return gap === undefined ? full('available', available, want) : explained(gap, { object, relatives, facts, want })
}

/** ReplicaSets and ReplicationControllers that no Deployment owns. */
export const replicaSet: WorkloadRule = (object, relatives, facts) => {
  const want = wantedReplicas(object)
  const total = statusCount(object, 'replicas')
  const readyReplicas = statusCount(object, 'readyReplicas')
  const available = statusCount(object, 'availableReplicas')
  const gap =
    unseen(object) ??
    (readyReplicas < want ? tooFew('ready', readyReplicas, want) : undefined) ??
    (available < want ? tooFew('available', available, want) : undefined) ??
    (total > want ? tooFew('old', total - want, 0) : undefined)
  return gap === undefined ? full('ready', readyReplicas, want) : explained(gap, { object, relatives, facts, want })
}

/**
 * Failures of pods that a workload may have: one per replica. At least one, because a first try at pulling an image or
 * at reaching a database fails now and then. Source: docs/sources.md#kubedog-failures.
 */
export function podFailuresAllowed(replicas: number, facts: ReadinessFacts): number {
  return facts.failuresAllowed ?? Math.max(1, replicas)
}

/** Why the counts are too low: pods in trouble, or pods that cannot be created. */
function explained(
  gap: Readiness,
  context: { object: KubeObject; relatives: readonly KubeObject[]; facts: ReadinessFacts; want: number },
): Readiness {
  const { object, relatives, facts, want } = context
  if (gap.state === 'failed' || gap.reason.code === 'generation') return gap
  const pods = judgePods(newestPods(object, relatives), podFailuresAllowed(want, facts), facts)
  return pods ?? unmakeable(object, facts) ?? gap
}

/** Other pods have to go first: those of a Job that ends, or of the template before. */
const QUOTA_GRACE_SECONDS = 300
/** Wording of Kubernetes' admission by quota. Not where the pod lacks a limit that the quota asks for: `failed quota: `. */
const EXCEEDED_QUOTA = / is forbidden: exceeded quota: /

/** Quota, admission or a missing ServiceAccount keep the controller from creating pods. */
function unmakeable(object: KubeObject, facts: ReadinessFacts): Readiness | undefined {
  const failure = conditionOf(conditionsOf(object), 'ReplicaFailure')
  if (failure === undefined || !isTrue(failure)) return undefined
  const { lastTransitionTime: since, message = '' } = failure
  const graceSeconds = EXCEEDED_QUOTA.test(message) ? QUOTA_GRACE_SECONDS : ERROR_GRACE_SECONDS
  return failedAfter(graceSeconds, { reason: conditionReason(failure), since }, facts)
}

/** The controller has not observed the object at all, or not its newest spec. */
function unseen(object: KubeObject): Readiness | undefined {
  const want = object.metadata.generation
  const isLookedAt = want === undefined || numberAt(object, 'status', 'observedGeneration') !== undefined
  return isLookedAt ? staleStatus(object) : progressing({ code: 'generation', observed: 0, want })
}

function full(what: 'available' | 'ready', have: number, want: number): Readiness {
  return ready({ code: 'replicas', what, have, want })
}

/** The API server sets 1 where nothing is written. */
function wantedReplicas(object: KubeObject): number {
  return numberAt(object, 'spec', 'replicas') ?? 1
}

function statusCount(object: KubeObject, key: string): number {
  return numberAt(object, 'status', key) ?? 0
}
