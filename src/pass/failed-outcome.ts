import { hintOfRefusal, reasonOfRefusal, refusalOf } from '../model/api-refusal.ts'
import { defined } from '../model/defined.ts'
import { ApiError, DeployError, FetchError, messageOf, ProblemsError, RenderError } from '../model/errors.ts'
import type { Failure, Outcome, StopReason } from '../model/outcome.ts'
import type { Problem } from '../model/problem.ts'

/**
 * The outcome of a pass that threw. `doing`: in the infinitive. `trouble`: what the newest requests failed with, where none
 * was answered since.
 */
export function outcomeOfError(
  error: unknown,
  doing: string,
  { signal, trouble }: { readonly signal: AbortSignal; readonly trouble?: ApiError | undefined },
): Outcome {
  const stop = stopOf(error, signal)
  const failure = stop === undefined ? failureOfError(error, doing) : failureAtStop(stop, { error, doing, trouble })
  return { status: failure.reason === 'cancelled' ? 'cancelled' : 'failed', failure }
}

function stopOf(error: unknown, signal: AbortSignal): string | undefined {
  if (error instanceof DeployError) return undefined
  if (signal.aborted) return String(signal.reason)
  return error === ('lock-lost' satisfies StopReason) ? error : undefined
}

/** Where the time ran out on requests that failed, the connection is what the user has to mend. */
function failureAtStop(
  stop: string,
  {
    error,
    doing,
    trouble,
  }: { readonly error: unknown; readonly doing: string; readonly trouble: ApiError | undefined },
): Failure {
  if (stop === 'timeout' && error instanceof ApiError) return failureOfApiError(error, doing)
  const isCause = stop === 'timeout' || (stop === 'lock-lost' && trouble?.details.status === 401)
  return isCause && trouble !== undefined ? { ...failureOfApiError(trouble, doing), doing } : failureOfStop(stop, doing)
}

function failureOfError(error: unknown, doing: string): Failure {
  if (error instanceof DeployError) return error.failure
  if (error instanceof ProblemsError) {
    const [first, ...others] = error.problems.filter((problem) => problem.severity === 'error')
    const more =
      others.length === 0 ? '' : `, and ${others.length} more ${others.length === 1 ? 'problem' : 'problems'}`
    return {
      reason: first?.reason ?? 'invalid-input',
      doing,
      message: `${first === undefined ? error.message : problemSentence(first)}${more}`,
      ...defined({ ref: first?.place.ref, hint: first?.hint }),
    }
  }
  if (error instanceof RenderError) {
    return {
      reason: error.details.reason ?? 'render-failed',
      doing: 'render the chart',
      message: error.details.message,
      ...(error.details.template === undefined
        ? {}
        : { place: templatePlace(error.details.template, error.details.line) }),
    }
  }
  if (error instanceof FetchError) {
    return { reason: 'fetch-failed', doing, message: error.details.what, hint: error.details.hint }
  }
  if (error instanceof ApiError) return failureOfApiError(error, doing)
  return { reason: 'internal', doing, message: messageOf(error) }
}

function templatePlace(file: string, line: number | undefined): NonNullable<Failure['place']> {
  return line === undefined ? { file } : { file, line }
}

/** One sentence, which names the input or the annotation. */
function problemSentence({ place, what }: Problem): string {
  const line = place.line === undefined || /^line \d/.test(what) ? '' : ` line ${place.line}`
  if (place.input !== undefined) return `input ${place.input}${line}: ${what}`
  return place.key === undefined ? what : `${place.key} ${what}`
}

function failureOfApiError(error: ApiError, doing: string): Failure {
  const { message, ref } = error.details
  const refusal = refusalOf(error)
  return {
    reason: reasonOfRefusal(refusal.kind),
    doing: error.details.doing || doing,
    message,
    ...defined({ ref }),
    hint: hintOfRefusal('refused-request', refusal),
  }
}

function failureOfStop(reason: string, doing: string): Failure {
  switch (reason) {
    case 'timeout':
      return { reason: 'timeout', doing, message: 'the run timed out', hint: { kind: 'pass-timed-out' } }
    case 'lock-lost':
      return {
        reason: 'locked',
        doing,
        message: 'the lock of the release was lost to another run',
        hint: { kind: 'pass-lost-lock' },
      }
    default:
      return {
        reason: 'cancelled',
        doing,
        message: 'the run was cancelled',
        hint: { kind: 'pass-cancelled' },
      }
  }
}
