import type { ApiError } from '../model/errors.ts'
import type { About } from './status.ts'
import type { HttpTry } from './transport.ts'

/** One question to the API server, or one write, however many tries it takes. */
export interface ApiRequest extends About {
  readonly method: HttpTry['method']
  /** Path and query, escaped. */
  readonly path: string
  readonly body?: { readonly type: string; readonly text: string }
  readonly accept?: string
  /** Whether a second execution does no harm, or is recognised. Absent: GET only. */
  readonly isRepeatable?: boolean
  /** Whether it changes the cluster; a dry run does not. */
  readonly isWrite?: boolean
  /**
   * How long a healthy server takes until its answer begins, in ms, at most. A try that takes longer is given up and repeated,
   * as its connection may be dead. Absent: as long as the API server itself gives it.
   */
  readonly answersWithinMs?: number
  /** Gets to know of each fault after which it is tried again. */
  readonly onFault?: (error: ApiError) => void
  /** The deadline of the request: faults that pass are waited out until it fires. */
  readonly signal?: AbortSignal
}

/** `mayHaveHappened`: an earlier try got no answer, so that a refusal may come from our own success. */
export type ApiResult<T = string> =
  | { readonly isOk: true; readonly value: T; readonly mayHaveHappened: boolean }
  | { readonly isOk: false; readonly error: ApiError; readonly mayHaveHappened: boolean }

export function aboutRequest({ doing, ref }: ApiRequest): About {
  return ref === undefined ? { doing } : { doing, ref }
}
