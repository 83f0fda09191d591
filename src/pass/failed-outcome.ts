import { hintOfRefusal, reasonOfRefusal, refusalOf } from '../model/api-refusal.ts'
import { defined } from '../model/defined.ts'
import { ApiError, DeployError, messageOf, ProblemsError, RenderError } from '../model/errors.ts'
import type { Failure, Outcome } from '../model/outcome.ts'
import type { Problem } from '../model/problem.ts'

/** The outcome of a pass that threw. `doing`: in the infinitive. */
export function outcomeOfError(error: unknown, doing: string, signal: AbortSignal): Outcome {
  const failure = failureOfError(error, doing, signal)
  return { status: failure.reason === 'cancelled' ? 'cancelled' : 'failed', failure }
}

function failureOfError(error: unknown, doing: string, signal: AbortSignal): Failure {
  if (error instanceof DeployError) return error.failure
  if (signal.aborted && !isUnanswered(error, signal)) return failureOfStop(String(signal.reason), doing)
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
  if (error instanceof ApiError) return failureOfApiError(error, doing)
  return { reason: 'internal', doing, message: messageOf(error) }
}

function templatePlace(file: string, line: number | undefined): NonNullable<Failure['place']> {
  return line === undefined ? { file } : { file, line }
}

/** A timeout because the server never answered: the connection is what the user has to fix. */
function isUnanswered(error: unknown, signal: AbortSignal): boolean {
  return signal.reason === 'timeout' && error instanceof ApiError && refusalOf(error).kind === 'unreachable'
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
