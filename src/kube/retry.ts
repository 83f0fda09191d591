/**
 * What is tried again, how often and when. Known passing faults only; everything else is an answer.
 * Sources: docs/decisions/0032, docs/sources.md#client-go-requests.
 */
export interface RetryLimits {
  /** Tries of one request that is answered with 429, or loses a race for a quota. As client-go. */
  readonly throttledTries: number
  /** Tries where the answer is 500: etcd changes its leader, a webhook starts. */
  readonly serverErrorTries: number
  /** How long one request is tried again while the server cannot be reached or says that it is not available, in ms. */
  readonly unreachableMs: number
  /** The same before the server has answered for the first time: then the address is more likely to be wrong. */
  readonly firstContactMs: number
  /** Longest `Retry-After` that is waited for, in ms. */
  readonly longestRetryAfterMs: number
}

export const RETRY_LIMITS: RetryLimits = {
  throttledTries: 10,
  serverErrorTries: 5,
  unreachableMs: 120_000,
  firstContactMs: 20_000,
  longestRetryAfterMs: 60_000,
}

const FIRST_DELAY_MS = 200
const LONGEST_DELAY_MS = 10_000

/** How one try ended, where it did not succeed. */
export type Fault =
  | { readonly kind: 'answer'; readonly status: number; readonly retryAfterMs?: number; readonly isQuotaRace?: boolean }
  /** No answer, or half of one. `wasSent`: the server may have acted on it. */
  | { readonly kind: 'network'; readonly wasSent: boolean; readonly isPassing: boolean }

export interface RetryState {
  readonly fault: Fault
  /** Tries so far, at least 1. */
  readonly tries: number
  /** Since the first of these tries failed, in ms. */
  readonly failingMs: number
  /** Whether a second execution of the request does no harm. */
  readonly isRepeatable: boolean
  /** Whether the server has ever answered in this run. */
  readonly hasContact: boolean
  readonly limits: RetryLimits
}

/** Ms until the next try, or undefined where the fault is final. `random`: from 0 up to, not including, 1. */
export function retryDelayMs(state: RetryState, random: number): number | undefined {
  if (!mayTryAgain(state)) return undefined
  const asked = state.fault.kind === 'answer' ? state.fault.retryAfterMs : undefined
  if (asked !== undefined && asked > state.limits.longestRetryAfterMs) return undefined
  // Full jitter: many requests that failed at one moment must not be repeated at one moment.
  const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (state.tries - 1))
  return Math.round((asked ?? 0) + random * ceiling)
}

function mayTryAgain({ fault, tries, failingMs, isRepeatable, hasContact, limits }: RetryState): boolean {
  if (fault.kind === 'network') {
    if (!fault.isPassing || (fault.wasSent && !isRepeatable)) return false
    return failingMs < (hasContact ? limits.unreachableMs : limits.firstContactMs)
  }
  // Not executed, so that any request may be repeated.
  if (fault.status === 429 || fault.isQuotaRace === true) return tries < limits.throttledTries
  // With Retry-After the server says that nothing was done.
  if (!isRepeatable && fault.retryAfterMs === undefined) return false
  if (fault.status === 500) return tries < limits.serverErrorTries
  if (fault.status === 502 || fault.status === 503 || fault.status === 504) return failingMs < limits.unreachableMs
  return false
}

/** `Retry-After`: seconds, or a date. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000
  const atMs = Date.parse(header)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
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
  if (UNSENT.has(code) || syscall === 'connect' || isProxyRefusal(error)) {
    return { kind: 'network', wasSent: false, isPassing: true }
  }
  return { kind: 'network', wasSent: true, isPassing: BROKEN.has(code) }
}

/** The code of an error or of what caused it: `ECONNREFUSED`. Empty where there is none. */
export function networkCode(error: unknown): string {
  for (let here: unknown = error, depth = 0; here instanceof Error && depth < 5; here = here.cause, depth += 1) {
    if ('code' in here && typeof here.code === 'string') return here.code
  }
  return ''
}

function isProxyRefusal(error: unknown): boolean {
  return error instanceof Error && /^Proxy response \(5\d\d\)/.test(error.message)
}
