import { expect, test } from 'vitest'
import { startDeadline } from '../../src/concurrency/deadline.ts'
import { fakeClock } from '../doubles/fake-clock.ts'

test('fires with its reason when the time is over, not before', async () => {
  const clock = fakeClock()
  const { signal } = startDeadline(clock, 1_000, 'timeout')
  await clock.advance(999)
  expect(signal.aborted).toBe(false)
  await clock.advance(1)
  expect([signal.aborted, signal.reason]).toEqual([true, 'timeout'])
})

test('once closed it never fires, and leaves no timer', async () => {
  const clock = fakeClock()
  const deadline = startDeadline(clock, 1_000)
  await deadline.close()
  await clock.advance(2_000)
  expect([deadline.signal.aborted, clock.pending()]).toEqual([false, 0])
})
