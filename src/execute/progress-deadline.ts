import type { Readiness, ReadinessReason } from '../model/readiness.ts'

/**
 * How long a verdict has stood: `progressing` becomes its `then` after `afterSeconds` without a change of the verdict
 * (docs/decisions/0022), and fails after `noActivitySeconds` without any change of the object or its relatives. An object
 * that does not exist has no verdict that stands: `await-check.ts` judges its absence.
 */
export interface ProgressDeadline {
  /** The verdict that holds now, and when it has to be looked at again although nothing changes. */
  verdictNow(
    verdict: Readiness,
    version: string,
    nowMs: number,
  ): { readonly verdict: Readiness; readonly againAtMs?: number }
}

export function createProgressDeadline(noActivitySeconds?: number): ProgressDeadline {
  let stands: { readonly key: string; readonly sinceMs: number } | undefined
  let active: { readonly version: string; readonly sinceMs: number } | undefined

  return {
    verdictNow(verdict, version, nowMs) {
      const key = verdictKey(verdict)
      if (stands?.key !== key) stands = { key, sinceMs: nowMs }
      if (active?.version !== version) active = { version, sinceMs: nowMs }
      if (verdict.state !== 'progressing') return { verdict }

      const { afterSeconds, then } = verdict
      const turnsAtMs =
        afterSeconds === undefined || then === undefined
          ? Number.POSITIVE_INFINITY
          : stands.sinceMs + afterSeconds * 1_000
      if (then !== undefined && nowMs >= turnsAtMs) return { verdict: then }
      const idleAtMs =
        noActivitySeconds === undefined ? Number.POSITIVE_INFINITY : active.sinceMs + noActivitySeconds * 1_000
      if (nowMs >= idleAtMs) return { verdict: { state: 'failed', reason: verdict.reason } }
      const againAtMs = Math.min(turnsAtMs, idleAtMs)
      return againAtMs === Number.POSITIVE_INFINITY ? { verdict } : { verdict, againAtMs }
    },
  }
}

/** Equal for verdicts that count as unchanged: texts that only reword the same trouble do not start the time again. */
function verdictKey(verdict: Readiness): string {
  const afterSeconds = verdict.state === 'progressing' ? verdict.afterSeconds : undefined
  return JSON.stringify([verdict.state, afterSeconds ?? null, essence(verdict.reason)])
}

/** A container in trouble changes its wording with every try (`ErrImagePull`, `ImagePullBackOff`), not its trouble. */
function essence(reason: ReadinessReason): unknown {
  if (reason.code === 'pod') return [reason.code, reason.pod, reason.container ?? '']
  const { message: _message, ...rest } = { message: undefined, ...reason }
  return rest
}
