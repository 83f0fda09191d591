import type { KubeObject } from '../model/object.ts'
import type { Readiness, ReadinessFacts } from '../model/readiness.ts'
import { type Trouble, troublesOf } from './pod-trouble.ts'
import { failed, failedAfter, progressing, turning } from './verdict.ts'

/** How long a Pod may stay unscheduled before it counts as failed, in seconds: an autoscaler brings a node in less. */
export const UNSCHEDULABLE_SECONDS = 300

/**
 * What the troubles of pods mean for what they belong to, or undefined where there are none: failed once more failures
 * were counted than are allowed, or at once where no retry can help. Source: engine-semantics C1, failure accounting;
 * one failure per restart (G11).
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
  const unscheduled = troubles.find(({ kind }) => kind === 'unscheduled')
  if (unscheduled !== undefined) return failedAfter(UNSCHEDULABLE_SECONDS, unscheduled, facts)
  return untilTooMany(worst, troubles, { missing: failuresAllowed - count, nowMs: facts.nowMs })
}

/** `missing` more failures are still allowed; the one after those fails it. */
function untilTooMany(
  worst: Trouble,
  troubles: readonly Trouble[],
  { missing, nowMs }: { readonly missing: number; readonly nowMs: number },
): Readiness {
  const upcoming = troubles.flatMap(({ nextAtMs }) => nextAtMs).sort((a, b) => a - b)
  const failsAtMs = upcoming[missing]
  if (failsAtMs === undefined) return progressing(worst.reason)
  const afterSeconds = Math.max(1, Math.ceil((failsAtMs - nowMs) / 1_000))
  return turning(worst.reason, afterSeconds, failed(worst.reason))
}
