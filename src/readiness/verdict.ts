import type { Readiness, ReadinessFacts, ReadinessReason, ReplicaCount } from '../model/readiness.ts'

/**
 * How long a controller may report an error before it counts, in seconds: most early errors are about something that
 * the same chart is still creating (a Secret, an issuer, a store), and end with a retry.
 */
export const ERROR_GRACE_SECONDS = 60

/** How long an object of a kind without rules may take to show a status, in seconds. See docs/decisions/0012. */
const UNKNOWN_AFTER_SECONDS = 10

export function ready(reason: ReadinessReason = { code: 'exists' }): Readiness {
  return { state: 'ready', reason }
}

export function progressing(reason: ReadinessReason): Readiness {
  return { state: 'progressing', reason }
}

export function failed(reason: ReadinessReason): Readiness {
  return { state: 'failed', reason }
}

/** Nothing says ready or failed, and perhaps nothing ever will. */
export function progressingOrUnknown(reason: ReadinessReason): Readiness {
  return turning(reason, UNKNOWN_AFTER_SECONDS, { state: 'unknown', reason })
}

/**
 * Failed where the trouble has lasted longer than `graceSeconds`; until then progressing. `since`: RFC 3339, when the
 * trouble began. Trouble from before this run waits counts from the start of the wait, trouble of unknown age as old.
 */
export function failedAfter(
  graceSeconds: number,
  trouble: { readonly reason: ReadinessReason; readonly since?: string | undefined },
  facts: ReadinessFacts,
): Readiness {
  const { reason, since } = trouble
  const beganMs = since === undefined ? Number.NaN : Date.parse(since)
  // A time further ahead than clocks drift apart says nothing.
  const isKnown = beganMs <= facts.nowMs + graceSeconds * 1_000
  const startMs = Math.max(isKnown ? beganMs : 0, facts.waitingSinceMs ?? 0)
  const lastedSeconds = (facts.nowMs - startMs) / 1_000
  if (lastedSeconds >= graceSeconds) return failed(reason)
  // A clock ahead of ours puts the start into the future: never more than the whole grace.
  const afterSeconds = Math.min(graceSeconds, Math.ceil(graceSeconds - lastedSeconds))
  return turning(reason, afterSeconds, failed(reason))
}

/** Progressing, and after that many seconds without a change another verdict. */
export function turning(reason: ReadinessReason, afterSeconds: number, then: Readiness): Readiness {
  return { state: 'progressing', reason, afterSeconds, then }
}

/** `want` replicas are not reached. */
export function tooFew(what: ReplicaCount, have: number, want: number): Readiness {
  return progressing({ code: 'replicas', what, have, want })
}
