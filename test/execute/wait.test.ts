import { describe, expect, test } from 'vitest'
import { type Look, waitUntil } from '../../src/execute/wait.ts'
import { fakeClock } from '../doubles/fake-clock.ts'

const waiting: Look<string> = { waitsFor: { code: 'absent' } }

function start() {
  const clock = fakeClock(0)
  const stop = new AbortController()
  const listeners = new Set<() => void>()
  const progress: number[] = []
  const ring = (): void => {
    for (const listener of listeners) listener()
  }
  const wait = (look: () => Look<string> | Promise<Look<string>>): Promise<string> =>
    clock.runUntil(
      waitUntil({
        look,
        subscribe: (listener) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
        onProgress: () => void progress.push(clock.now()),
        clock,
        signal: stop.signal,
      }),
    )
  return { clock, stop, ring, wait, progress, listeners }
}

describe('wait', () => {
  test('a hundred changes within a second make ten looks', async () => {
    const { clock, ring, wait } = start()
    let looks = 0
    for (let ms = 0; ms < 1_000; ms += 10) clock.schedule(ms, ring)
    await wait(() => {
      looks += 1
      return clock.now() < 1_000 ? waiting : { done: 'yes' }
    })
    expect(looks).toBe(11)
  })

  test('the first change after a quiet time is looked at once', async () => {
    const { clock, ring, wait } = start()
    clock.schedule(5_000, ring)
    await wait(() => (clock.now() < 5_000 ? waiting : { done: 'yes' }))
    expect(clock.now()).toBe(5_000)
  })

  test('a change during a look is not lost', async () => {
    const { clock, ring, wait } = start()
    let hasChanged = false
    clock.schedule(500, () => {
      hasChanged = true
      ring()
    })
    await wait(async () => {
      const look: Look<string> = hasChanged ? { done: 'yes' } : waiting
      await clock.sleep(1_000)
      return look
    })
    expect(clock.now()).toBe(2_000)
  })

  test('looks again when the look says so, although nothing changed', async () => {
    const { clock, wait, progress } = start()
    await wait(() => (clock.now() < 7_000 ? { waitsFor: { code: 'absent' }, againAtMs: 7_000 } : { done: 'yes' }))
    expect([clock.now(), progress]).toEqual([7_000, [0]])
  })

  test('ends with the reason of its signal, and leaves nothing behind', async () => {
    const { clock, stop, wait, listeners } = start()
    clock.schedule(3_000, () => stop.abort('enough'))
    await expect(wait(() => waiting)).rejects.toBe('enough')
    expect([clock.now(), listeners.size, clock.pending()]).toEqual([3_000, 0, 0])
  })
})
