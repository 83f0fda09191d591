import { expect, it } from 'vitest'
import { createMeter, duration, readingText } from '../../../src/tools/builds/meter.ts'

const SECOND = 1000

it('tells what is usual before it knows how much is to be done', () => {
  const meter = createMeter(0, 240)
  meter.note('fetch k8s.io/api v0.37.1')
  expect(readingText(meter.reading(12 * SECOND))).toBe('0 %, 12 s of about 4 min (fetch k8s.io/api v0.37.1)')
})

it('counts what is left of a build that was killed, not what was there', () => {
  const meter = createMeter(0, 240)
  meter.expect(20)
  meter.begin(5 * SECOND)
  expect(readingText(meter.reading(5 * SECOND))).toBe('0 %, 5 s of about 25 s')
})

it('tells by the speed so far how long it takes in all', () => {
  const meter = createMeter(0, 240)
  meter.expect(200)
  meter.begin(10 * SECOND)
  meter.done(50, 'k8s.io/api/core/v1')
  expect(readingText(meter.reading(110 * SECOND))).toBe('25 %, 1 min 50 s of about 6 min 50 s (k8s.io/api/core/v1)')
})

it('never says that all is done, nor more than all', () => {
  const meter = createMeter(0, 10)
  meter.expect(10)
  meter.begin(0)
  for (let package_ = 0; package_ < 20; package_ += 1) meter.done(1, 'more than was listed')
  const { percent, totalSeconds } = meter.reading(30 * SECOND)
  expect([percent, totalSeconds]).toEqual([99, 30])
})

it.each([
  [59.4, '59 s'],
  [60, '1 min'],
  [100, '1 min 40 s'],
])('writes %s seconds as %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text)
})
