import { CommentError, messageOf } from '../model/errors.ts'
import type { Hint } from '../model/hint.ts'
import type { Problem } from '../model/problem.ts'

/** GitHub was asked, and what it did not say decides whether the run may go on. `hint`: what to do about a refusal. */
export function unknownProblem(error: unknown, hint: Hint): Problem {
  const isRefusal = error instanceof CommentError && error.kind === 'permission'
  return {
    severity: 'error',
    reason: 'forbidden',
    place: {},
    what: error instanceof CommentError ? error.what : messageOf(error),
    ...(isRefusal && { hint }),
  }
}
