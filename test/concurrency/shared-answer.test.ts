import { describe, expect, test } from 'vitest'
import { shareAnswer } from '../../src/concurrency/shared-answer.ts'
import { type FakeClock, fakeClock } from '../doubles/fake-clock.ts'

function start(fails: readonly number[] = []) {
  const clock = fakeClock()
  let asked = 0
  const answers = shareAnswer(async () => {
    asked += 1
    const number = asked
    await clock.sleep(1_000)
    if (fails.includes(number)) throw new Error(`answer ${number}`)
    return number
  })
  return { clock, answers }
}

test('who asks while an answer is under way shares it', async () => {
  const { clock, answers } = start()
  expect(await clock.runUntil(Promise.all([answers.current(), answers.current()]))).toEqual([1, 1])
  expect(await clock.runUntil(answers.current())).toBe(2)
})

test('who wants a fresh one waits for the next, and shares that', async () => {
  const { clock, answers } = start()
  const all = Promise.all([answers.current(), answers.fresh(), answers.fresh()])
  expect(await clock.runUntil(all)).toEqual([1, 2, 2])
})

test('the next question is put although the one under way fails', async () => {
  const { clock, answers } = start([1])
  const all = Promise.allSettled([answers.current(), answers.fresh()])
  expect((await clock.runUntil(all)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})

describe('a caller whose signal fires', () => {
  /** Questions that are answered after 1 s unless they are abandoned. */
  function abandonable() {
    const clock = fakeClock(0)
    const seen: string[] = []
    const answers = shareAnswer(async (abandoned) => {
      const number = seen.push('asked')
      try {
        await clock.sleep(1_000, abandoned)
        seen[number - 1] = 'answered'
        return number
      } catch (error) {
        seen[number - 1] = `abandoned after ${clock.now()} ms`
        throw error
      }
    })
    return { clock, seen, answers }
  }

  function endingAfter(clock: FakeClock, ms: number): AbortSignal {
    const controller = new AbortController()
    clock.schedule(ms, () => controller.abort(new Error(`over after ${ms} ms`)))
    return controller.signal
  }

  test('leaves, and the question goes on for the others', async () => {
    const { clock, seen, answers } = abandonable()
    const hurried = answers.current(endingAfter(clock, 300))
    const patient = answers.current(endingAfter(clock, 5_000))
    await expect(clock.runUntil(hurried)).rejects.toThrow('over after 300 ms')
    expect(clock.now()).toBe(300)
    expect(await clock.runUntil(patient)).toBe(1)
    expect(seen).toEqual(['answered'])
  })

  test('ends the question where nobody waits for it any more', async () => {
    const { clock, seen, answers } = abandonable()
    const all = [answers.current(endingAfter(clock, 300)), answers.current(endingAfter(clock, 400))]
    const ended = await clock.runUntil(Promise.allSettled(all))
    expect(ended.map((one) => String(one.status === 'rejected' && one.reason))).toEqual([
      'Error: over after 300 ms',
      'Error: over after 400 ms',
    ])
    expect(seen).toEqual(['abandoned after 400 ms'])
  })

  test('does not end the question of who comes next', async () => {
    const { clock, seen, answers } = abandonable()
    const left = expect(answers.current(endingAfter(clock, 300))).rejects.toThrow('over after 300 ms')
    const next = clock.sleep(300).then(() => answers.current())
    expect(await clock.runUntil(next)).toBe(2)
    await left
    expect(seen).toEqual(['abandoned after 300 ms', 'answered'])
  })

  test('asks nothing where it leaves before its question is put, or has left before', async () => {
    const { clock, seen, answers } = abandonable()
    const first = answers.current()
    const second = answers.fresh(endingAfter(clock, 300))
    const late = answers.fresh(AbortSignal.abort(new Error('over before')))
    const ended = await clock.runUntil(Promise.allSettled([first, second, late]))
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(seen).toEqual(['answered'])
    expect(await clock.runUntil(answers.current())).toBe(2)
  })
})
