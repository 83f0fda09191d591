import { unlessAborted } from '../concurrency/unless-aborted.ts'
import { type ApiError, isApiError } from '../model/errors.ts'
import type { RequestTerms } from '../ports.ts'
import { type ApiRequest, type ApiResult, aboutRequest } from './api-request.ts'
import type { Credential, Credentials } from './credentials.ts'
import { followHeldUpWrites, type HeldUpWrite, type HeldUpWrites } from './held-up-writes.ts'
import { afterUnanswered, LONGEST_ANSWER_MS, type Patience, patienceMs } from './patience.ts'
import { isTrouble, type RetryLimits, retryDelayMs } from './retry.ts'
import { createSingleTries, isTimeOver, type Reading, type SingleTriesInput } from './single-try.ts'
import { errorOfNetwork } from './status.ts'
import type { HttpAnswer } from './transport.ts'

/** The one way to the API server: bounded, counted, retried, authenticated, its errors translated. */
export interface Requests {
  /**
   * Any final answer is a value. When the signal fires: throws the ApiError that the tries were failing with, or that no
   * answer came; else what the signal carries. Throws ApiError where there are no credentials.
   */
  attempt(request: ApiRequest): Promise<ApiResult>
  /** The body of a success; throws ApiError. */
  send(request: ApiRequest): Promise<string>
  /** Opens a stream, which takes no slot once it is open. `silenceMs`: after how long without a byte it counts as dead. */
  stream(request: ApiRequest, silenceMs: number): Promise<AsyncIterable<Uint8Array>>
  count(): number
  /**
   * What the newest try failed with, where that concerns the server as a whole: it cannot be reached, does not serve, or no
   * longer takes the credentials. Undefined once any request is answered again.
   */
  trouble(): ApiError | undefined
  /** The same server, whose requests are counted and bounded together, under these terms. */
  under(terms: RequestTerms): Requests
}

export interface RequestsInput extends SingleTriesInput {
  readonly credentials: Credentials
  /** From 0 up to, not including, 1. */
  readonly random: () => number
  readonly limits: RetryLimits
}

export function createRequests(input: RequestsInput): Requests {
  const { credentials, clock } = input
  const single = createSingleTries(input)
  let trouble: ApiError | undefined

  async function run<T>(request: ApiRequest, view: View, reading: Reading<T>): Promise<ApiResult<T>> {
    const write = request.isWrite === true ? view.heldUp?.follow(request.doing) : undefined
    let isDone = false
    try {
      const result = await repeat(request, { terms: view.terms, reading, write })
      isDone = result.isOk
      return result
    } finally {
      write?.ended(isDone)
    }
  }

  async function repeat<T>(request: ApiRequest, how: Repeating<T>): Promise<ApiResult<T>> {
    const { terms, reading, write } = how
    const { isWrite = false, isRepeatable = request.method === 'GET', signal } = request
    const hasDeadline = signal !== undefined
    let mayHaveHappened = false
    let isRenewed = false
    let patience: Patience = { usualMs: request.answersWithinMs ?? LONGEST_ANSWER_MS, slow: 0, silent: 0 }
    let failing: { readonly sinceMs: number; readonly error: ApiError } | undefined
    for (let tries = 1; ; tries += 1) {
      const credential = await currentCredential(signal)
      const answerWithinMs = request.answersWithinMs === undefined ? undefined : patienceMs(patience)
      const sentAtMs = clock.now()
      const trying = single.once(request, { credential, reading, terms, answerWithinMs })
      const result = await untilEnded(trying, { error: failing?.error, signal })
      if (result.kind === 'success') {
        trouble = undefined
        return { isOk: true, value: result.value, mayHaveHappened }
      }
      const error = result.toError(tries)
      if (result.kind === 'ended') {
        trouble = error
        throw failing?.error ?? error
      }

      const { fault } = result
      if (fault.kind === 'answer' && fault.status === 401 && !isRenewed && credentials.refuse(credential)) {
        isRenewed = true
        continue
      }
      trouble = isTrouble(fault) ? error : undefined
      failing = { sinceMs: failing?.sinceMs ?? clock.now(), error }
      const failingMs = clock.now() - failing.sinceMs
      const { limits } = input
      const answeredAtMs = single.answeredAtMs()
      if (fault.kind === 'network' && fault.isUnanswered === true) {
        patience = afterUnanswered(patience, answeredAtMs !== undefined && answeredAtMs > sentAtMs)
      }
      const known = { hasDeadline, hasContact: answeredAtMs !== undefined, limits }
      const delayMs = retryDelayMs({ fault, tries, failingMs, isRepeatable, isWrite, ...known }, input.random())
      if (delayMs === undefined) return { isOk: false, error, mayHaveHappened }
      const held = result.toError(1)
      request.onFault?.(held)
      const cause = held.details.message
      write?.failed(cause, { sinceMs: failing.sinceMs, nextMs: clock.now() + delayMs })
      // After a 5xx of a proxy it is not known whether the API server executed the request.
      mayHaveHappened ||= fault.kind === 'network' ? fault.wasSent : fault.status >= 500
      await untilEnded(clock.sleep(delayMs, signal), { error, signal })
    }
  }

  /** A plugin that hangs is shared by all requests, so that it must not hold one whose time is over. */
  async function currentCredential(signal: AbortSignal | undefined): Promise<Credential> {
    try {
      const current = credentials.current()
      return await (signal === undefined ? current : unlessAborted(current, signal))
    } catch (error) {
      if (isApiError(error)) trouble = error
      throw error
    }
  }

  function unwrap<T>(result: ApiResult<T>): T {
    if (!result.isOk) throw result.error
    return result.value
  }

  function under(terms: RequestTerms): Requests {
    const { onHeldUp } = terms
    const view: View = { terms, ...(onHeldUp === undefined ? {} : { heldUp: followHeldUpWrites(onHeldUp) }) }
    return {
      attempt: (request) => run(request, view, WHOLE),
      send: async (request) => unwrap(await run(request, view, WHOLE)),
      async stream(request, silenceMs) {
        const read = (answer: HttpAnswer) => Promise.resolve(answer.body)
        const body = unwrap(await run(request, view, { silenceMs, read }))
        return withApiErrors(body, request, input.server)
      },
      count: single.count,
      trouble: () => trouble,
      under,
    }
  }

  return under({})
}

/**
 * When the time of a failing request is over, the error must say what it was failing with. A run that was cancelled, or has
 * lost its lock, ends for that reason.
 */
async function untilEnded<T>(
  work: Promise<T>,
  failing: { readonly error: ApiError | undefined; readonly signal: AbortSignal | undefined },
): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (failing.error === undefined || !isTimeOver(failing.signal)) throw error
    throw failing.error
  }
}

/** Requests under the same terms. */
interface View {
  readonly terms: RequestTerms
  readonly heldUp?: HeldUpWrites
}

interface Repeating<T> {
  readonly terms: RequestTerms
  readonly reading: Reading<T>
  readonly write: HeldUpWrite | undefined
}

const WHOLE: Reading<string> = { read: (answer) => answer.text() }

/** A stream that breaks off ends with an ApiError; one that was aborted with what its signal carries. */
async function* withApiErrors(
  body: AsyncIterable<Uint8Array>,
  request: ApiRequest,
  server: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body
  } catch (error) {
    request.signal?.throwIfAborted()
    throw errorOfNetwork(aboutRequest(request), server, error, 1)
  }
}
