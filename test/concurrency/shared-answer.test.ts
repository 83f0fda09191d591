import { expect, test } from 'vitest'
import { shareAnswer } from '../../src/concurrency/shared-answer.ts'
import { fakeClock } from '../doubles/fake-clock.ts'

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
