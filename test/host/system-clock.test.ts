import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/host/system-clock.ts'

describe('the clock of the machine', () => {
  test('sleeps for longer than one timer of Node can last', async () => {
    const stop = AbortSignal.timeout(50)
    await expect(systemClock.sleep(600 * 3_600_000, stop)).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  test('rejects with the reason of its signal', async () => {
    await expect(systemClock.sleep(1_000, AbortSignal.abort('cancelled'))).rejects.toBe('cancelled')
  })
})
