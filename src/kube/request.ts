import { defined } from '../model/defined.ts'
import { type ApiError, isApiError } from '../model/errors.ts'
import type { StopReason } from '../model/outcome.ts'
import type { Clock, RequestTerms } from '../ports.ts'
import type { Credential, Credentials } from './credentials.ts'
import { type PaceBounds, paceAfter, startPace } from './pace.ts'
import {
  type Fault,
  faultOfAnswer,
  isTrouble,
  networkFault,
  parseRetryAfter,
  type RetryLimits,
  retryDelayMs,
} from './retry.ts'
import { createSlots } from './slots.ts'
import { type About, errorOfAnswer, errorOfNetwork, trueStatus } from './status.ts'
import type { HttpAnswer, HttpTry, Transport } from './transport.ts'

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
  /** The deadline of the request: faults that pass are waited out until it fires. */
  readonly signal?: AbortSignal
}

/** A try that was unanswered for so long when the signal fired, in ms, is what the time ran out for. */
const UNANSWERED_MS = 5_000

/** `mayHaveHappened`: an earlier try got no answer, so that a refusal may come from our own success. */
export type ApiResult<T = string> =
  | { readonly isOk: true; readonly value: T; readonly mayHaveHappened: boolean }
  | { readonly isOk: false; readonly error: ApiError; readonly mayHaveHappened: boolean }

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

export interface RequestsInput {
  readonly transport: Transport
  readonly credentials: Credentials
  readonly clock: Clock
  /** From 0 up to, not including, 1. */
  readonly random: () => number
  readonly server: string
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** Requests in flight at a time; the answers decide within these bounds. */
  readonly parallelism: PaceBounds
  readonly limits: RetryLimits
}

export function createRequests(input: RequestsInput): Requests {
  const { transport, credentials, clock } = input
  let pace = startPace(input.parallelism)
  const slots = createSlots(() => Math.max(1, Math.floor(pace.limit)))
  let count = 0
  let hasContact = false
  let trouble: ApiError | undefined
  let wasTaken = false

  async function tryOnce<T>(request: ApiRequest, how: TryOf<T>): Promise<TryResult<T>> {
    const may = request.isWrite === true ? await how.terms.mayWrite?.(request.signal) : undefined
    const signal =
      may === undefined
        ? request.signal
        : AbortSignal.any([may, ...(request.signal === undefined ? [] : [request.signal])])
    count += 1
    const startedMs = clock.now()
    try {
      const answer = await transport.send(httpTry({ ...request, ...defined({ signal }) }, how, input.headers))
      hasContact = true
      if (how.reading.silenceMs === undefined) {
        const times = { sentAtMs: startedMs, answeredAtMs: clock.now() }
        const isThrottled = answer.status === 429
        pace = paceAfter(pace, { ...times, method: request.method, isThrottled, wasFull: slots.isFull() })
      }
      if (answer.status < 200 || answer.status > 299) {
        return await refusedTry(request, answer, { nowMs: clock.now(), credential: how.credential, wasTaken })
      }
      wasTaken = true
      return { kind: 'success', value: await how.reading.read(answer) }
    } catch (error) {
      const toError = (tries: number) => errorOfNetwork(aboutRequest(request), input.server, error, tries)
      if (request.signal?.aborted === true) {
        const unansweredMs = how.reading.silenceMs === undefined ? clock.now() - startedMs : 0
        if (!isTimeOver(request.signal) || (hasContact && unansweredMs < UNANSWERED_MS)) throw request.signal.reason
        const silence = new Error(`no answer within ${Math.round(unansweredMs / 1000)} s`)
        return {
          kind: 'ended',
          toError: (tries) => errorOfNetwork(aboutRequest(request), input.server, silence, tries),
        }
      }
      // Nobody knows whether a try that was broken off has arrived; with the right to write it is sent again.
      const fault = may?.aborted === true ? BROKEN_OFF : networkFault(error)
      return { kind: 'fault', fault, toError }
    }
  }

  async function run<T>(request: ApiRequest, terms: RequestTerms, reading: Reading<T>): Promise<ApiResult<T>> {
    const { isWrite = false, isRepeatable = request.method === 'GET', signal } = request
    const hasDeadline = signal !== undefined
    let mayHaveHappened = false
    let isRenewed = false
    let failing: { readonly sinceMs: number; readonly error: ApiError } | undefined
    for (let tries = 1; ; tries += 1) {
      const credential = await currentCredential()
      const once = () => tryOnce(request, { credential, reading, terms })
      const result = await untilEnded(terms.isUrgent === true ? once() : slots.run(once, signal), {
        error: failing?.error,
        signal,
      })
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
      const state = { fault, tries, failingMs, isRepeatable, isWrite, hasDeadline, hasContact, limits }
      const delayMs = retryDelayMs(state, input.random())
      if (delayMs === undefined) return { isOk: false, error, mayHaveHappened }
      // After a 5xx of a proxy it is not known whether the API server executed the request.
      mayHaveHappened ||= fault.kind === 'network' ? fault.wasSent : fault.status >= 500
      await untilEnded(clock.sleep(delayMs, signal), { error, signal })
    }
  }

  async function currentCredential(): Promise<Credential> {
    try {
      return await credentials.current()
    } catch (error) {
      if (isApiError(error)) trouble = error
      throw error
    }
  }

  function unwrap<T>(result: ApiResult<T>): T {
    if (!result.isOk) throw result.error
    return result.value
  }

  const under = (terms: RequestTerms): Requests => ({
    attempt: (request) => run(request, terms, WHOLE),
    send: async (request) => unwrap(await run(request, terms, WHOLE)),
    async stream(request, silenceMs) {
      const read = (answer: HttpAnswer) => Promise.resolve(answer.body)
      const body = unwrap(await run(request, terms, { silenceMs, read }))
      return withApiErrors(body, request, input.server)
    },
    count: () => count,
    trouble: () => trouble,
    under,
  })
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

function isTimeOver(signal: AbortSignal | undefined): boolean {
  if (signal?.aborted !== true) return false
  const others: readonly StopReason[] = ['cancelled', 'lock-lost']
  return !others.some((reason) => reason === signal.reason)
}

const BROKEN_OFF: Fault & { readonly kind: 'network' } = { kind: 'network', wasSent: true, isPassing: true }

interface TryOf<T> {
  readonly credential: Credential
  readonly reading: Reading<T>
  readonly terms: RequestTerms
}

/** How the answer of a success is read. `silenceMs`: set for streams. */
interface Reading<T> {
  readonly silenceMs?: number
  readonly read: (answer: HttpAnswer) => Promise<T>
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

type TryResult<T> =
  | { readonly kind: 'success'; readonly value: T }
  | Failed
  /** The signal fired before an answer came. */
  | { readonly kind: 'ended'; readonly toError: (tries: number) => ApiError }

interface Failed {
  readonly kind: 'fault'
  readonly fault: Fault
  readonly toError: (tries: number) => ApiError
}

function httpTry(
  request: ApiRequest,
  { credential, reading, terms }: TryOf<unknown>,
  headers: RequestsInput['headers'],
): HttpTry {
  const { body, signal } = request
  const { silenceMs } = reading
  return {
    method: request.method,
    path: request.path,
    headers: {
      ...headers,
      accept: request.accept ?? 'application/json',
      ...(silenceMs === undefined ? { 'accept-encoding': 'gzip' } : {}),
      ...defined({ authorization: credential.authorization }),
      ...(body === undefined ? {} : { 'content-type': body.type }),
    },
    ...(body === undefined ? {} : { body: body.text }),
    ...defined({ certificate: credential.certificate, streamSilenceMs: silenceMs, signal, isUrgent: terms.isUrgent }),
  }
}

async function refusedTry(
  request: ApiRequest,
  answer: HttpAnswer,
  sent: { readonly nowMs: number; readonly credential: Credential; readonly wasTaken: boolean },
): Promise<Failed> {
  const { nowMs, credential, wasTaken } = sent
  const text = await answer.text()
  const status = trueStatus(answer.status, text)
  const expiresAtMs = credential.expiresAtMs ?? Number.POSITIVE_INFINITY
  const known = expiresAtMs <= nowMs ? { expiredAtMs: expiresAtMs, wasTaken } : { wasTaken }
  return {
    kind: 'fault',
    fault: faultOfAnswer(status, text, parseRetryAfter(answer.header('retry-after'), nowMs)),
    toError: () => errorOfAnswer(aboutRequest(request), { status, text }, known),
  }
}

function aboutRequest({ doing, ref }: ApiRequest): About {
  return ref === undefined ? { doing } : { doing, ref }
}
