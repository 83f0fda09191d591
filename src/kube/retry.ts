import { defined } from '../model/defined.ts'
import { networkCode } from '../network/network-code.ts'

/**
 * What is tried again, how long and when. Known passing faults only; everything else is an answer. The limit is the
 * deadline of the run, which is that of the request's signal: no number of tries is right for throttling or an outage.
 * Sources: docs/decisions/0043, docs/sources.md#client-go-requests.
 */
export interface RetryLimits {
  /** How long one request is tried again before the server has answered for the first time, in ms: the address may be wrong. */
  readonly firstContactMs: number
  /** The same where the name of the server is not known, in ms: then the address is wrong, as a rule. */
  readonly unknownHostMs: number
  /** How long a request is tried again whose caller sets no deadline, in ms. */
  readonly withoutDeadlineMs: number
  /** How long a 500 of unknown cause is tried again, in ms. Longer than etcd takes for another leader, or the API server to restart. */
  readonly serverErrorMs: number
  /** How long a read or a dry run is tried again where a webhook does not answer, in ms: only the deploy itself may start it. */
  readonly webhookOfReadMs: number
  /** Longest `Retry-After` that is waited for, in ms; then it is tried again all the same. */
  readonly longestRetryAfterMs: number
}

export const RETRY_LIMITS: RetryLimits = {
  // An API server restarts within a minute.
  firstContactMs: 90_000,
  unknownHostMs: 20_000,
  withoutDeadlineMs: 120_000,
  serverErrorMs: 120_000,
  webhookOfReadMs: 3_000,
  longestRetryAfterMs: 60_000,
}

const FIRST_DELAY_MS = 200
const LONGEST_DELAY_MS = 10_000
const LONGEST_DELAY_AFTER_SILENCE_MS = 1_000

/** How one try ended, where it did not succeed. */
export type Fault =
  | { readonly kind: 'answer'; readonly status: number; readonly retryAfterMs?: number; readonly cause?: FaultCause }
  /** No answer, or half of one. `wasSent`: the server may have acted on it. */
  | {
      readonly kind: 'network'
      readonly wasSent: boolean
      readonly isPassing: boolean
      /** The name of the server, or of the proxy, is not known. */
      readonly isUnknownHost?: boolean
      /** The time for an answer was over, which has kept the next try away already. */
      readonly isUnanswered?: boolean
    }

/**
 * What the text of an answer says beyond its status. `quota-race`: two writes were counted against one quota at the same
 * moment. `webhook`: an admission webhook cannot be called, so nothing was done. `conversion`: a conversion webhook.
 */
export type FaultCause = 'quota-race' | 'webhook' | 'conversion'

export interface RetryState {
  readonly fault: Fault
  /** Tries so far, at least 1. */
  readonly tries: number
  /** Since the first of these tries failed, in ms. */
  readonly failingMs: number
  /** Whether a second execution of the request does no harm. */
  readonly isRepeatable: boolean
  /** Whether it changes the cluster; a dry run does not. */
  readonly isWrite: boolean
  /** Whether the signal of the caller ends the request some time. */
  readonly hasDeadline: boolean
  /** Whether the server has ever answered in this run. */
  readonly hasContact: boolean
  readonly limits: RetryLimits
}

/** Ms until the next try, or undefined where the fault is final. `random`: from 0 up to, not including, 1. */
export function retryDelayMs(state: RetryState, random: number): number | undefined {
  const { fault, tries, failingMs, hasDeadline, limits } = state
  if (!mayRepeat(state)) return undefined
  const limitMs = Math.min(patienceMs(state), hasDeadline ? Number.POSITIVE_INFINITY : limits.withoutDeadlineMs)
  if (failingMs >= limitMs) return undefined
  const asked = fault.kind === 'answer' ? Math.min(fault.retryAfterMs ?? 0, limits.longestRetryAfterMs) : 0
  // Full jitter: many requests that failed at one moment must not be repeated at one moment.
  const longestMs =
    fault.kind === 'network' && fault.isUnanswered === true ? LONGEST_DELAY_AFTER_SILENCE_MS : LONGEST_DELAY_MS
  const ceiling = Math.min(longestMs, FIRST_DELAY_MS * 2 ** (tries - 1))
  return Math.round(asked + random * ceiling)
}

/** Whether the fault is one that passes, and repeating the request does no harm. */
function mayRepeat({ fault, isRepeatable }: RetryState): boolean {
  if (fault.kind === 'network') return fault.isPassing && (!fault.wasSent || isRepeatable)
  // Not executed, so that any request may be repeated.
  if (fault.status === 429 || fault.cause === 'quota-race' || fault.cause === 'webhook') return true
  // With Retry-After the server says that nothing was done.
  return PASSING.has(fault.status) && (isRepeatable || fault.retryAfterMs !== undefined)
}

const PASSING: ReadonlySet<number> = new Set([500, 502, 503, 504])

/** How long this kind of fault is waited out, in ms; Infinity where the deadline of the run is the only limit. */
function patienceMs({ fault, isWrite, hasContact, limits }: RetryState): number {
  if (fault.kind === 'network') {
    if (hasContact) return Number.POSITIVE_INFINITY
    return fault.isUnknownHost === true ? limits.unknownHostMs : limits.firstContactMs
  }
  if (fault.cause === 'webhook' || fault.cause === 'conversion') {
    return isWrite ? Number.POSITIVE_INFINITY : limits.webhookOfReadMs
  }
  return fault.status === 500 ? limits.serverErrorMs : Number.POSITIVE_INFINITY
}

const QUOTA_RACE = /Operation cannot be fulfilled on resourcequotas/
/** Whatever keeps a webhook from answering may pass while its pods start: no endpoints, no certificate yet, a time-out. */
const WEBHOOK_CALL = /failed calling webhook/
const CONVERSION_CALL = /conversion webhook for .{1,300} failed/
/** It has answered, but not as a webhook does: waiting mends nothing. Wordings of Kubernetes' apiserver. */
const WRONG_ANSWER =
  /received invalid webhook response|received undecodable patch|unsupported patch type|SideEffects is nil|could not create admission objects|could not find the requested resource|conversion webhook for .{1,300} failed(?:,| unexpected)/

/** What a refusal means for another try. */
export function faultOfAnswer(status: number, text: string, retryAfterMs: number | undefined): Fault {
  const cause = causeOfAnswer(status, text)
  return { kind: 'answer', status, ...defined({ retryAfterMs, cause }) }
}

function causeOfAnswer(status: number, text: string): FaultCause | undefined {
  if (status === 409 && QUOTA_RACE.test(text)) return 'quota-race'
  if (status < 500 || WRONG_ANSWER.test(text)) return undefined
  if (WEBHOOK_CALL.test(text)) return 'webhook'
  return CONVERSION_CALL.test(text) ? 'conversion' : undefined
}

/**
 * Whether the fault says that the server, or the way to it, is in trouble, rather than something about this one request.
 * A refused credential is: no request will succeed with it.
 */
export function isTrouble(fault: Fault): boolean {
  if (fault.kind === 'network') return true
  return fault.status === 401 || fault.status === 429 || (fault.status >= 500 && fault.cause === undefined)
}

/** Raised before a byte of the request was on its way. */
const UNSENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_PRX_CONN',
])
const BROKEN = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
  'Z_BUF_ERROR',
])

/** What an error of the network means. Anything not listed, certificates above all, is final. */
export function networkFault(error: unknown): Fault & { readonly kind: 'network' } {
  const code = networkCode(error)
  const syscall = error instanceof Error && 'syscall' in error ? error.syscall : undefined
  if (UNSENT.has(code) || syscall === 'connect') {
    return { kind: 'network', wasSent: false, isPassing: true, isUnknownHost: code === 'ENOTFOUND' }
  }
  const isUnanswered = code === 'UND_ERR_HEADERS_TIMEOUT'
  return { kind: 'network', wasSent: true, isPassing: BROKEN.has(code) || code.startsWith('HPE_'), isUnanswered }
}
