import { expect, test } from 'vitest'
import { parseRetryAfter } from '../../src/network/retry-after.ts'

test('Retry-After is seconds or a date', () => {
  const now = Date.UTC(2026, 0, 1)
  expect(parseRetryAfter('2', now)).toBe(2_000)
  expect(parseRetryAfter('Thu, 01 Jan 2026 00:00:05 GMT', now)).toBe(5_000)
  expect(parseRetryAfter('Thu, 01 Jan 2025 00:00:05 GMT', now)).toBe(0)
  expect(parseRetryAfter('soon', now)).toBeUndefined()
})
