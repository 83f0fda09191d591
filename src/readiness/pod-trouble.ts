import { defined } from '../model/defined.ts'
import { arrayAt, type JsonValue, type KubeObject, numberAt, stringAt } from '../model/object.ts'
import type { ReadinessReason } from '../model/readiness.ts'
import { conditionOf, conditionsOf, isFalse } from './conditions.ts'

/** Trouble of one container, or of a pod as a whole. */
export interface Trouble {
  readonly reason: Extract<ReadinessReason, { readonly code: 'pod' }>
  /** `permanent`: no retry can help. `restart`: the container ran and ended. `start`: it could not be started. */
  readonly kind: 'permanent' | 'restart' | 'start' | 'unscheduled'
  /** Failures so far: one per restart, or one per failed try to start. */
  readonly failures: number
  /** When further failures will have happened, even if the pod does not change, in ms since the epoch, ascending. */
  readonly nextAtMs: readonly number[]
  /** Since when, RFC 3339, where the pod says so. */
  readonly since?: string
}

/** The waiting reasons of a container that count. Source: docs/sources.md#kubedog-failures. */
const KINDS = new Map<string, Trouble['kind']>([
  ['CrashLoopBackOff', 'restart'],
  ['RunContainerError', 'restart'],
  ['ImagePullBackOff', 'start'],
  ['ErrImagePull', 'start'],
  ['ImageInspectError', 'start'],
  ['RegistryUnavailable', 'start'],
  ['CreateContainerConfigError', 'start'],
  ['CreateContainerError', 'start'],
  ['ErrImageNeverPull', 'permanent'],
  ['InvalidImageName', 'permanent'],
])

/** Waits for something that may still be created, mostly a Secret that a controller makes. */
const SLOW = new Set(['CreateContainerConfigError', 'CreateContainerError'])

/**
 * When the kubelet retries to start a container, in seconds after the pod was created; back-off doubles up to 300 s.
 */
const PULL_TRIES_SECONDS = [0, 10, 30, 70, 150, 310, 610]
const CONFIG_TRIES_SECONDS = [0, 60, 120, 180, 240, 300]

/** Everything that is wrong with a pod now. A pod that is being deleted or has ended well has no trouble. */
export function troublesOf(pod: KubeObject, nowMs: number): readonly Trouble[] {
  if (pod.metadata.deletionTimestamp !== undefined || stringAt(pod, 'status', 'phase') === 'Succeeded') return []
  const unscheduled = unscheduledTrouble(pod)
  if (unscheduled !== undefined) return [unscheduled]
  const containers = ['initContainerStatuses', 'containerStatuses'].flatMap((key) => arrayAt(pod, 'status', key))
  return containers.flatMap((container) => containerTrouble(pod, container, nowMs) ?? [])
}

function unscheduledTrouble(pod: KubeObject): Trouble | undefined {
  const scheduled = conditionOf(conditionsOf(pod), 'PodScheduled')
  if (scheduled === undefined || !isFalse(scheduled) || scheduled.reason !== 'Unschedulable') return undefined
  const { message, lastTransitionTime } = scheduled
  return {
    kind: 'unscheduled',
    failures: 0,
    reason: { code: 'pod', pod: podName(pod), problem: 'Unschedulable', ...defined({ message }) },
    nextAtMs: [],
    ...defined({ since: lastTransitionTime }),
  }
}

function containerTrouble(pod: KubeObject, container: JsonValue, nowMs: number): Trouble | undefined {
  const problem = stringAt(container, 'state', 'waiting', 'reason')
  const kind = problem === undefined ? undefined : KINDS.get(problem)
  if (problem === undefined || kind === undefined) return undefined
  const restarts = numberAt(container, 'restartCount') ?? 0
  const exitCode = numberAt(container, 'lastState', 'terminated', 'exitCode')
  const message = stringAt(container, 'state', 'waiting', 'message')
  const reason = {
    code: 'pod',
    pod: podName(pod),
    container: stringAt(container, 'name') ?? '',
    problem,
    ...(message === undefined ? {} : { message: message.slice(0, MAX_MESSAGE_CHARS) }),
    ...defined({ exitCode }),
    restarts,
  } as const
  if (kind !== 'start') return { reason, kind, failures: kind === 'restart' ? restarts : 1, nextAtMs: [] }
  return { reason, kind, ...triesOf(pod, SLOW.has(problem) ? CONFIG_TRIES_SECONDS : PULL_TRIES_SECONDS, nowMs) }
}

/** The kubelet does not say how often it tried; its back-off is known, so the age of the pod gives the number. */
function triesOf(
  pod: KubeObject,
  triesSeconds: readonly number[],
  nowMs: number,
): Pick<Trouble, 'failures' | 'nextAtMs'> {
  const createdMs = Date.parse(stringAt(pod, 'status', 'startTime') ?? pod.metadata.creationTimestamp ?? '')
  if (Number.isNaN(createdMs)) return { failures: triesSeconds.length, nextAtMs: [] }
  const ageSeconds = Math.max(0, (nowMs - createdMs) / 1_000)
  const failures = triesSeconds.filter((seconds) => seconds <= ageSeconds).length
  return { failures, nextAtMs: triesSeconds.slice(failures).map((seconds) => createdMs + seconds * 1_000) }
}

/** Longest message of the kubelet that is kept, in characters. */
const MAX_MESSAGE_CHARS = 1_000

function podName(pod: KubeObject): string {
  return pod.metadata.name ?? ''
}
