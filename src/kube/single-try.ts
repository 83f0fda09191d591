import { defined } from '../model/defined.ts'
import type { ApiError } from '../model/errors.ts'
import type { StopReason } from '../model/outcome.ts'
import { parseRetryAfter } from '../network/retry-after.ts'
import type { Clock, RequestTerms } from '../ports.ts'
import { type ApiRequest, aboutRequest } from './api-request.ts'
import type { Credential } from './credentials.ts'
import { type PaceBounds, paceAfter, startPace } from './pace.ts'
import { type Fault, faultOfAnswer, networkFault } from './retry.ts'
import { createSlots } from './slots.ts'
import { errorOfAnswer, errorOfNetwork, trueStatus } from './status.ts'
import type { HttpAnswer, HttpTry, Transport } from './transport.ts'

/** A try that was unanswered for so long when the signal fired, in ms, is what the time ran out for. */
const UNANSWERED_MS = 5_000

/** Sends requests once: in the queue, with the right to write, counted. What came of it decides whether there is another try. */
export interface SingleTries {
  /** Throws what the signal carries where that ends the try, and what `mayWrite` throws. */
  once<T>(request: ApiRequest, how: HowToTry<T>): Promise<TryResult<T>>
  count(): number
  /** When the server answered last, in ms since the epoch; undefined: never yet. */
  answeredAtMs(): number | undefined
}

export interface SingleTriesInput {
  readonly transport: Transport
  readonly clock: Clock
  readonly server: string
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** Requests in flight at a time; the answers decide within these bounds. */
  readonly parallelism: PaceBounds
}

export interface HowToTry<T> {
  readonly credential: Credential
  readonly reading: Reading<T>
  readonly terms: RequestTerms
  /** How long the beginning of the answer is waited for, in ms. Absent: as long as the API server gives it. */
  readonly answerWithinMs: number | undefined
}

/** How the answer of a success is read. `silenceMs`: set for streams. */
export interface Reading<T> {
  readonly silenceMs?: number
  readonly read: (answer: HttpAnswer) => Promise<T>
}

export type TryResult<T> =
  | { readonly kind: 'success'; readonly value: T }
  | Failed
  /** The signal fired before an answer came. */
  | { readonly kind: 'ended'; readonly toError: (tries: number) => ApiError }

interface Failed {
  readonly kind: 'fault'
  readonly fault: Fault
  readonly toError: (tries: number) => ApiError
}

export function createSingleTries(input: SingleTriesInput): SingleTries {
  const { transport, clock } = input
  let pace = startPace(input.parallelism)
  const slots = createSlots(() => Math.max(1, Math.floor(pace.limit)))
  let count = 0
  let answeredAtMs: number | undefined
  let wasTaken = false

  async function tryOnce<T>(request: ApiRequest, how: HowToTry<T>): Promise<TryResult<T>> {
    const may = request.isWrite === true ? await how.terms.mayWrite?.(request.signal) : undefined
    const signal =
      may === undefined
        ? request.signal
        : AbortSignal.any([may, ...(request.signal === undefined ? [] : [request.signal])])
    count += 1
    const startedMs = clock.now()
    try {
      const answer = await transport.send(httpTry({ ...request, ...defined({ signal }) }, how, input.headers))
      answeredAtMs = clock.now()
      if (how.reading.silenceMs === undefined) {
        const times = { sentAtMs: startedMs, answeredAtMs }
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
        if (!isTimeOver(request.signal) || (answeredAtMs !== undefined && unansweredMs < UNANSWERED_MS))
          throw request.signal.reason
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

  return {
    once(request, how) {
      const send = () => tryOnce(request, how)
      return how.terms.isUrgent === true ? send() : slots.run(send, request.signal)
    },
    count: () => count,
    answeredAtMs: () => answeredAtMs,
  }
}

/** Whether the signal ends the request because its time is over: a run that was cancelled, or has lost its lock, ends for that reason. */
export function isTimeOver(signal: AbortSignal | undefined): boolean {
  if (signal?.aborted !== true) return false
  const others: readonly StopReason[] = ['cancelled', 'lock-lost']
  return !others.some((reason) => reason === signal.reason)
}

const BROKEN_OFF: Fault & { readonly kind: 'network' } = { kind: 'network', wasSent: true, isPassing: true }

function httpTry(
  request: ApiRequest,
  { credential, reading, terms, answerWithinMs }: HowToTry<unknown>,
  headers: SingleTriesInput['headers'],
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
    ...defined({
      certificate: credential.certificate,
      streamSilenceMs: silenceMs,
      answerWithinMs,
      signal,
      isUrgent: terms.isUrgent,
    }),
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
