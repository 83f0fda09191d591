import { describe, expect, test } from 'vitest'
import {
  type Fault,
  networkFault,
  parseRetryAfter,
  RETRY_LIMITS,
  type RetryState,
  retryDelayMs,
} from '../../src/kube/retry.ts'
import { defined } from '../../src/model/defined.ts'
import { networkError } from '../doubles/fake-transport.ts'

function delay(fault: Fault, state: Partial<RetryState> = {}, random = 1): number | undefined {
  const defaults = { tries: 1, failingMs: 0, isRepeatable: true, hasContact: true, limits: RETRY_LIMITS }
  return retryDelayMs({ ...defaults, ...state, fault }, random)
}
const answer = (status: number, retryAfterMs?: number): Fault => ({
  kind: 'answer',
  status,
  ...defined({ retryAfterMs }),
})
const network = (code: string, syscall?: string) => networkFault(networkError(code, syscall))

describe('retry by list', () => {
  test.each([400, 401, 403, 404, 409, 410, 413, 415, 422, 501])('%i is an answer', (status) => {
    expect(delay(answer(status, 1_000))).toBeUndefined()
  })

  test.each([429, 500, 502, 503, 504])('%i is tried again', (status) => {
    expect(delay(answer(status))).toBe(200)
  })

  test('429 is tried again also for what may not be repeated: nothing was done', () => {
    expect(delay(answer(429), { isRepeatable: false })).toBe(200)
  })

  test('5xx of what may not be repeated only with Retry-After, as client-go', () => {
    expect(delay(answer(503), { isRepeatable: false })).toBeUndefined()
    expect(delay(answer(503, 1_000), { isRepeatable: false })).toBe(1_200)
  })

  test('a lost answer is not repeated where repeating could do harm; an unsent request is', () => {
    expect(delay(network('ECONNRESET'), { isRepeatable: false })).toBeUndefined()
    expect(delay(network('ECONNREFUSED', 'connect'), { isRepeatable: false })).toBe(200)
    expect(delay(network('ECONNRESET'))).toBe(200)
  })

  test('certificates and unknown faults are final', () => {
    expect(delay(network('DEPTH_ZERO_SELF_SIGNED_CERT'))).toBeUndefined()
    expect(delay(network('ERR_TLS_CERT_ALTNAME_INVALID'))).toBeUndefined()
    expect(delay(networkFault(new Error('a bug')))).toBeUndefined()
  })

  test('the delay doubles up to 10 s, with full jitter', () => {
    const fault = answer(503)
    expect([1, 2, 3, 6, 7, 30].map((tries) => delay(fault, { tries }))).toEqual([200, 400, 800, 6_400, 10_000, 10_000])
    expect(delay(fault, { tries: 7 }, 0.1)).toBe(1_000)
  })

  test('Retry-After is a floor; a longer one than a minute is final', () => {
    expect(delay(answer(429, 3_000), {}, 0)).toBe(3_000)
    expect(delay(answer(429, 61_000))).toBeUndefined()
  })

  test('429 and lost races for a quota end after ten tries, 500 after five', () => {
    expect(delay(answer(429), { tries: 9 })).toBeDefined()
    expect(delay(answer(429), { tries: 10 })).toBeUndefined()
    const race: Fault = { kind: 'answer', status: 409, isQuotaRace: true }
    expect(delay(race, { tries: 9, isRepeatable: false })).toBeDefined()
    expect(delay(race, { tries: 10 })).toBeUndefined()
    expect(delay(answer(500), { tries: 4 })).toBeDefined()
    expect(delay(answer(500), { tries: 5 })).toBeUndefined()
  })

  test('unreachable: two minutes, but 20 s where the server has never answered', () => {
    const fault = network('ECONNREFUSED', 'connect')
    expect(delay(fault, { tries: 20, failingMs: 119_999 })).toBeDefined()
    expect(delay(fault, { tries: 20, failingMs: 120_000 })).toBeUndefined()
    expect(delay(fault, { tries: 20, failingMs: 20_000, hasContact: false })).toBeUndefined()
    expect(delay(answer(503), { tries: 20, failingMs: 120_000 })).toBeUndefined()
  })

  test('Retry-After is seconds or a date', () => {
    const now = Date.UTC(2026, 0, 1)
    expect(parseRetryAfter('2', now)).toBe(2_000)
    expect(parseRetryAfter('Thu, 01 Jan 2026 00:00:05 GMT', now)).toBe(5_000)
    expect(parseRetryAfter('Thu, 01 Jan 2025 00:00:05 GMT', now)).toBe(0)
    expect(parseRetryAfter('soon', now)).toBeUndefined()
  })
})
