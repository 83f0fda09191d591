import { FetchError } from '../model/errors.ts'
import type { Hint } from '../model/hint.ts'

export function fetchFailure(what: string, hint: Hint, cause?: unknown): FetchError {
  return new FetchError({ what, hint }, cause === undefined ? undefined : { cause })
}
