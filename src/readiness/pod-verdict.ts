import type { KubeObject } from '../model/object.ts'
import type { Readiness, ReadinessFacts } from '../model/readiness.ts'
import { type Trouble, troublesOf } from './pod-trouble.ts'
import { failed, failedAfter, progressing, turning } from './verdict.ts'

/** How long a Pod may stay unscheduled before it counts as failed, in seconds: an autoscaler adds a node in less. */
const UNSCHEDULABLE_SECONDS = 300

/**
 * Failed starts of one container that fail the resource where no annotation says otherwise: a rollout of many replicas
 * begins with few pods, which alone would take minutes to use up one failure per replica.
 */
const START_TRIES = 3

/**
 * What the troubles of pods mean for their workload, or undefined where there are none: failed once there are more
 * failures than are allowed, or at once where no retry can help. Each restart counts as one failure
 * (docs/decisions/0023).
 */
export function judgePods(
  pods: readonly KubeObject[],
  failuresAllowed: number,
  facts: ReadinessFacts,
  { countsRestarts = true }: { readonly countsRestarts?: boolean } = {},
): Readiness | undefined {
  const troubles = pods
    .flatMap((pod) => troublesOf(pod, facts.nowMs))
    .map((trouble) => (trouble.kind === 'restart' && !countsRestarts ? { ...trouble, failures: 0 } : trouble))
    .sort((a, b) => b.failures - a.failures)
  const permanent = troubles.find(({ kind }) => kind === 'permanent')
  if (permanent !== undefined) return failed(permanent.reason)
  const [worst] = troubles
  if (worst === undefined) return undefined
  const count = troubles.reduce((sum, { failures }) => sum + failures, 0)
  if (count > failuresAllowed) return failed(worst.reason)
  const limit = facts.failuresAllowed === undefined ? START_TRIES : Number.POSITIVE_INFINITY
  const stuck = troubles.find(({ kind, failures }) => kind === 'start' && failures >= limit)
  if (stuck !== undefined) return failed(stuck.reason)
  const unscheduled = troubles.find(({ kind }) => kind === 'unscheduled')
  if (unscheduled !== undefined) return failedAfter(UNSCHEDULABLE_SECONDS, unscheduled, facts)
  return untilTooMany(worst, failureTimes(troubles, { missing: failuresAllowed - count, limit }), facts)
}

/** When the pods will have failed too often, in ms since the epoch; `missing` more failures are allowed in total. */
function failureTimes(
  troubles: readonly Trouble[],
  { missing, limit }: { readonly missing: number; readonly limit: number },
): readonly number[] {
  const inAll = troubles.flatMap(({ nextAtMs }) => nextAtMs).toSorted((a, b) => a - b)[missing]
  const each = troubles.flatMap(({ failures, nextAtMs }) => nextAtMs[limit - failures - 1] ?? [])
  return inAll === undefined ? each : [inAll, ...each]
}

function untilTooMany(worst: Trouble, timesMs: readonly number[], { nowMs }: ReadinessFacts): Readiness {
  if (timesMs.length === 0) return progressing(worst.reason)
  const afterSeconds = Math.max(1, Math.ceil((Math.min(...timesMs) - nowMs) / 1_000))
  return turning(worst.reason, afterSeconds, failed(worst.reason))
}
