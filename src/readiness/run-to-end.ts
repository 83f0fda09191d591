import { defined } from '../model/defined.ts'
import { arrayAt, at, type KubeObject, numberAt, stringAt } from '../model/object.ts'
import type { Readiness, ReadinessFacts } from '../model/readiness.ts'
import { conditionOf, conditionReason, conditionsOf, isTrue } from './conditions.ts'
import { newestPods } from './newest-pods.ts'
import { judgePods } from './pod-verdict.ts'
import { failed, progressing, ready, tooFew } from './verdict.ts'
import { podFailuresAllowed } from './workloads.ts'

/** Kueue starts and stops Jobs by their `suspend` field. */
const QUEUE_LABEL = 'kueue.x-k8s.io/queue-name'

/** A Job of a release is ready once it is complete; one that the chart suspends is not waited for. */
export function job(object: KubeObject, relatives: readonly KubeObject[], facts: ReadinessFacts): Readiness {
  const verdict = completedJob(object, relatives, facts)
  const isOnPurpose = object.metadata.labels?.[QUEUE_LABEL] === undefined
  return verdict.state === 'progressing' && verdict.reason.code === 'suspended' && isOnPurpose
    ? ready(verdict.reason)
    : verdict
}

/**
 * Complete or Failed, as the Job's own conditions say. Containers that end with an error are counted by Kubernetes
 * itself against `backoffLimit` and not here; a container that cannot even start would be retried forever.
 */
export function completedJob(object: KubeObject, relatives: readonly KubeObject[], facts: ReadinessFacts): Readiness {
  const conditions = conditionsOf(object)
  const complete = conditionOf(conditions, 'Complete')
  if (complete !== undefined && isTrue(complete)) return ready(conditionReason(complete))
  const failure = conditionOf(conditions, 'Failed')
  if (failure !== undefined && isTrue(failure)) return failed(conditionReason(failure))
  if (at(object, 'spec', 'suspend') === true) return progressing({ code: 'suspended' })
  const pods = newestPods(object, relatives)
  const want = numberAt(object, 'spec', 'completions') ?? 1
  const have = numberAt(object, 'status', 'succeeded') ?? 0
  return (
    judgePods(pods, podFailuresAllowed(1, facts), facts, { countsRestarts: false }) ?? tooFew('succeeded', have, want)
  )
}

/**
 * Ready, or succeeded. A Pod that ended with an error and is not restarted has failed.
 * Sources: docs/sources.md#kubedog-readiness, docs/sources.md#kstatus.
 */
export function pod(object: KubeObject, _relatives: readonly KubeObject[], facts: ReadinessFacts): Readiness {
  const readyCondition = conditionOf(conditionsOf(object), 'Ready')
  if (stringAt(object, 'status', 'phase') === 'Running' && readyCondition !== undefined && isTrue(readyCondition)) {
    return ready(conditionReason(readyCondition))
  }
  return completedPod(object, facts)
}

/** Ran to completion. */
export function completedPod(object: KubeObject, facts: ReadinessFacts): Readiness {
  const phase = stringAt(object, 'status', 'phase') ?? 'Pending'
  const reason = { code: 'field', path: '.status.phase', value: phase } as const
  if (phase === 'Succeeded') return ready(reason)
  if (phase === 'Failed') return failed(endOf(object))
  return judgePods([object], podFailuresAllowed(1, facts), facts) ?? progressing(reason)
}

/** The container that ended with an error, or the kubelet's reason (`Evicted`, `DeadlineExceeded`). */
function endOf(object: KubeObject): Extract<Readiness['reason'], { readonly code: 'pod' }> {
  const message = stringAt(object, 'status', 'message')
  const base = { code: 'pod', pod: object.metadata.name ?? '', ...defined({ message }) } as const
  const container = ['initContainerStatuses', 'containerStatuses']
    .flatMap((key) => arrayAt(object, 'status', key))
    .find((status) => (numberAt(status, 'state', 'terminated', 'exitCode') ?? 0) !== 0)
  const problem = stringAt(object, 'status', 'reason')
  if (container === undefined || problem !== undefined) return { ...base, problem: problem ?? 'Failed' }
  const name = stringAt(container, 'name') ?? ''
  const why = stringAt(container, 'state', 'terminated', 'reason') ?? 'Error'
  const exitCode = numberAt(container, 'state', 'terminated', 'exitCode') ?? 0
  return { ...base, container: name, problem: why, exitCode }
}
