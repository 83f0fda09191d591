import { defined } from '../model/defined.ts'
import type { ApiError } from '../model/errors.ts'
import type { Clock, RequestTerms } from '../ports.ts'
import type { Credential, Credentials } from './credentials.ts'
import { type Fault, networkFault, parseRetryAfter, type RetryLimits, retryDelayMs } from './retry.ts'
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
  /** How long faults are waited out at most, in ms. Absent: the limits of all requests. */
  readonly patienceMs?: number
  readonly signal?: AbortSignal
}

/** `mayHaveHappened`: an earlier try got no answer, so that a refusal may come from our own success. */
export type ApiResult<T = string> =
  | { readonly isOk: true; readonly value: T; readonly mayHaveHappened: boolean }
  | { readonly isOk: false; readonly error: ApiError; readonly mayHaveHappened: boolean }

/** The one way to the API server: bounded, counted, retried, authenticated, its errors translated. */
export interface Requests {
  /** Any final answer is a value. Throws what the signal carries, and ApiError where there are no credentials. */
  attempt(request: ApiRequest): Promise<ApiResult>
  /** The body of a success; throws ApiError. */
  send(request: ApiRequest): Promise<string>
  /** Opens a stream, which takes no slot once it is open. `silenceMs`: after how long without a byte it counts as dead. */
  stream(request: ApiRequest, silenceMs: number): Promise<AsyncIterable<Uint8Array>>
  count(): number
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
  /** Requests in flight at a time. */
  readonly parallelism: number
  readonly limits: RetryLimits
}

export function createRequests(input: RequestsInput): Requests {
  const { transport, credentials, clock } = input
  const slots = createSlots(input.parallelism)
  let count = 0
  let hasContact = false

  async function tryOnce<T>(request: ApiRequest, how: TryOf<T>): Promise<TryResult<T>> {
    const may = request.isWrite === true ? await how.terms.mayWrite?.(request.signal) : undefined
    const signal =
      may === undefined
        ? request.signal
        : AbortSignal.any([may, ...(request.signal === undefined ? [] : [request.signal])])
    count += 1
    try {
      const answer = await transport.send(httpTry({ ...request, ...defined({ signal }) }, how, input.headers))
      hasContact = true
      if (answer.status < 200 || answer.status > 299) return await refusedTry(request, answer, clock.now())
      return { kind: 'success', value: await how.reading.read(answer) }
    } catch (error) {
      request.signal?.throwIfAborted()
      const toError = (tries: number) => errorOfNetwork(aboutRequest(request), input.server, error, tries)
      // Nobody knows whether a try that was broken off has arrived; with the right to write it is sent again.
      const fault = may?.aborted === true ? BROKEN_OFF : networkFault(error)
      return { kind: 'fault', fault, toError }
    }
  }

  async function run<T>(request: ApiRequest, terms: RequestTerms, reading: Reading<T>): Promise<ApiResult<T>> {
    const isRepeatable = request.isRepeatable ?? request.method === 'GET'
    const limits = limitsWithin(input.limits, request.patienceMs)
    let mayHaveHappened = false
    let isRenewed = false
    let failingSinceMs: number | undefined
    for (let tries = 1; ; tries += 1) {
      const credential = await credentials.current()
      const once = () => tryOnce(request, { credential, reading, terms })
      const result = terms.isUrgent === true ? await once() : await slots.run(once, request.signal)
      if (result.kind === 'success') return { isOk: true, value: result.value, mayHaveHappened }

      const { fault } = result
      if (fault.kind === 'answer' && fault.status === 401 && !isRenewed && credentials.refuse(credential)) {
        isRenewed = true
        continue
      }
      failingSinceMs ??= clock.now()
      const failingMs = clock.now() - failingSinceMs
      const delayMs = retryDelayMs({ fault, tries, failingMs, isRepeatable, hasContact, limits }, input.random())
      if (delayMs === undefined) return { isOk: false, error: result.toError(tries), mayHaveHappened }
      // After a 5xx of a proxy it is not known whether the API server executed the request.
      mayHaveHappened ||= fault.kind === 'network' ? fault.wasSent : fault.status >= 500
      try {
        await clock.sleep(delayMs, request.signal)
      } catch (error) {
        // When the time of the run is over before the server ever answered, the error must say that it did not answer.
        throw hasContact ? error : result.toError(tries)
      }
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
    under,
  })
  return under({})
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

type TryResult<T> = { readonly kind: 'success'; readonly value: T } | Failed

interface Failed {
  readonly kind: 'fault'
  readonly fault: Fault
  readonly toError: (tries: number) => ApiError
}

function limitsWithin(limits: RetryLimits, patienceMs: number | undefined): RetryLimits {
  if (patienceMs === undefined) return limits
  return {
    ...limits,
    unreachableMs: Math.min(limits.unreachableMs, patienceMs),
    firstContactMs: Math.min(limits.firstContactMs, patienceMs),
  }
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

/** Two writes were counted against one quota at the same moment, and the server gave up its own tries. */
const QUOTA_RACE = /Operation cannot be fulfilled on resourcequotas/

async function refusedTry(request: ApiRequest, answer: HttpAnswer, nowMs: number): Promise<Failed> {
  const text = await answer.text()
  const status = trueStatus(answer.status, text)
  const retryAfterMs = parseRetryAfter(answer.header('retry-after'), nowMs)
  const details = { status, ...defined({ retryAfterMs }) }
  return {
    kind: 'fault',
    fault: { kind: 'answer', ...details, isQuotaRace: status === 409 && QUOTA_RACE.test(text) },
    toError: () => errorOfAnswer(aboutRequest(request), { status, text }),
  }
}

function aboutRequest({ doing, ref }: ApiRequest): About {
  return ref === undefined ? { doing } : { doing, ref }
}
