import { FetchError } from '../model/errors.ts'
import type { FetchHint } from '../model/fetch-hint.ts'

export function fetchFailure(what: string, hint: FetchHint, cause?: unknown): FetchError {
  return new FetchError({ what, hint }, cause === undefined ? undefined : { cause })
}
