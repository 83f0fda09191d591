import { describe, expect, test } from 'vitest'
import {
  type Fault,
  faultOfAnswer,
  isTrouble,
  networkFault,
  RETRY_LIMITS,
  type RetryState,
  retryDelayMs,
} from '../../src/kube/retry.ts'
import { defined } from '../../src/model/defined.ts'
import { networkError } from '../doubles/fake-transport.ts'

function delay(fault: Fault, state: Partial<RetryState> = {}, random = 1): number | undefined {
  const defaults = {
    tries: 1,
    failingMs: 0,
    isRepeatable: true,
    isWrite: false,
    hasDeadline: true,
    hasContact: true,
    limits: RETRY_LIMITS,
  }
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

  test('Retry-After is a floor; of a longer one than a minute a minute is waited', () => {
    expect(delay(answer(429, 3_000), {}, 0)).toBe(3_000)
    expect(delay(answer(429, 900_000), {}, 0)).toBe(60_000)
  })

  const hour = { tries: 1_000, failingMs: 3_600_000 }
  test.each([
    ['429', answer(429)],
    ['502', answer(502)],
    ['503', answer(503)],
    ['504', answer(504)],
    ['a lost race for a quota', faultOfAnswer(409, 'Operation cannot be fulfilled on resourcequotas "q"', undefined)],
    ['refused', network('ECONNREFUSED', 'connect')],
    ['reset', network('ECONNRESET')],
  ])('%s is waited out until the deadline of the run, however many tries that takes', (_name, fault) => {
    expect(delay(fault, hour)).toBeDefined()
  })

  test('a request without a deadline is given up after two minutes', () => {
    expect(delay(answer(429), { failingMs: 119_999, hasDeadline: false })).toBeDefined()
    expect(delay(answer(429), { failingMs: 120_000, hasDeadline: false })).toBeUndefined()
  })

  test('a 500 of unknown cause is given up after two minutes, a server that has never answered after 90 s', () => {
    expect(delay(answer(500), { tries: 50, failingMs: 119_999 })).toBeDefined()
    expect(delay(answer(500), { tries: 50, failingMs: 120_000 })).toBeUndefined()
    const refused = network('ECONNREFUSED', 'connect')
    expect(delay(refused, { failingMs: 89_999, hasContact: false })).toBeDefined()
    expect(delay(refused, { failingMs: 90_000, hasContact: false })).toBeUndefined()
    const unknown = network('ENOTFOUND', 'getaddrinfo')
    expect(delay(unknown, { failingMs: 19_999, hasContact: false })).toBeDefined()
    expect(delay(unknown, { failingMs: 20_000, hasContact: false })).toBeUndefined()
  })

  /** What Kubernetes' API server says of a webhook that it cannot call. */
  const uncalled = (why: string) =>
    faultOfAnswer(500, `Internal error occurred: failed calling webhook "a.example": ${why}`, undefined)
  test.each([
    'failed to call webhook: Post "https://a.b.svc:443/v?timeout=10s": dial tcp 10.0.0.1:443: connect: connection refused',
    'failed to call webhook: Post "https://a.b.svc:443/v?timeout=10s": no endpoints available for service "a"',
    'failed to call webhook: Post "https://a.b.svc:443/v?timeout=10s": service "a" not found',
    'failed to call webhook: Post "https://a.b.svc:443/v?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority',
    'failed to call webhook: Post "https://a.b.svc:443/v?timeout=10s": context deadline exceeded',
    'failed to call webhook: Post "https://a.b.svc:443/v?timeout=10s": EOF',
    'could not get REST client: unable to load root certificates: unable to parse bytes as PEM block',
  ])('a write waits for a webhook that is still starting until the deadline; nothing was done: %s', (why) => {
    expect(delay(uncalled(why), { ...hour, isWrite: true, isRepeatable: false })).toBeDefined()
    expect(delay(uncalled(why), { failingMs: 2_999 })).toBeDefined()
    expect(delay(uncalled(why), { failingMs: 3_000 })).toBeUndefined()
  })

  test('a webhook that answers wrongly is no webhook that starts', () => {
    const wrong = uncalled('received invalid webhook response: webhook response was absent')
    expect(delay(wrong, { ...hour, isWrite: true })).toBeUndefined()
  })

  test('a conversion webhook is waited for by repeatable writes', () => {
    const text = 'conversion webhook for a.b/v1, Kind=C failed: Post "https://c": dial tcp: connect: connection refused'
    const fault = faultOfAnswer(500, text, undefined)
    expect(delay(fault, { ...hour, isWrite: true })).toBeDefined()
    expect(delay(fault, { isWrite: true, isRepeatable: false })).toBeUndefined()
  })

  test('trouble is what concerns the server or the credentials, not one request', () => {
    expect([network('ECONNRESET'), answer(503), answer(500), answer(429), answer(401)].map(isTrouble)).toEqual(
      Array.from({ length: 5 }, () => true),
    )
    expect([answer(403), answer(404), answer(409), uncalled('failed to call webhook: EOF')].map(isTrouble)).toEqual(
      Array.from({ length: 4 }, () => false),
    )
  })
})
