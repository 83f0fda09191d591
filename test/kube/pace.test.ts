import { describe, expect, test } from 'vitest'
import { type Pace, type PaceSample, paceAfter, startPace } from '../../src/kube/pace.ts'

const bounds = { first: 16, most: 64 }
const good: PaceSample = { method: 'GET', sentAtMs: 0, answeredAtMs: 20, isThrottled: false, wasFull: true }

/** Rounds of requests that are sent at one moment, as many as the pace allows. */
function paced(rounds: number, sample: Partial<PaceSample>, from: Pace = startPace(bounds), startMs = 1_000): Pace {
  let pace = from
  for (let round = 0; round < rounds; round += 1) {
    const sentAtMs = startMs + round * 10_000
    const places = Math.max(1, Math.floor(pace.limit))
    for (let place = 0; place < places; place += 1) {
      const took = sample.answeredAtMs ?? 20
      pace = paceAfter(pace, { ...good, ...sample, sentAtMs, answeredAtMs: sentAtMs + took })
    }
  }
  return pace
}

describe('how many requests at a time', () => {
  test.each([
    ['one more for each good round', 4, {}, 20],
    ['64 at most', 200, {}, 64],
    ['no more where the places are not all needed', 10, { wasFull: false }, 16],
    ['half as many for a round that is throttled', 1, { isThrottled: true }, 8],
    ['down to one', 10, { isThrottled: true }, 1],
    ['slow from the first answer on is what is usual', 4, { answeredAtMs: 2_000 }, 20],
  ])('%s', (_name, rounds, sample, limit) => {
    expect(Math.round(paced(rounds, sample).limit)).toBe(limit)
  })

  test('from one it finds back', () => {
    const down = paced(10, { isThrottled: true })
    expect(Math.round(paced(20, {}, down, 1_000_000).limit)).toBeGreaterThan(15)
  })

  test('a server that becomes slow gets less at a time, never fewer than 4, and that slowness becomes usual', () => {
    const fast = paced(10, {})
    const slower = paced(1, { answeredAtMs: 3_000 }, fast, 1_000_000)
    expect(slower.limit).toBeLessThan(fast.limit)
    const low = paced(6, { answeredAtMs: 3_000 }, fast, 1_000_000)
    expect(low.limit).toBeGreaterThanOrEqual(4)
    expect(paced(100, { answeredAtMs: 3_000 }, low, 2_000_000).limit).toBeGreaterThan(low.limit)
  })

  test('one slow answer among fast ones is no slow server, and one method says nothing about another', () => {
    const fast = paced(4, {})
    let pace = fast
    for (let count = 0; count < 40; count += 1) {
      const took = count % 4 === 0 ? 20 : 5_000
      pace = paceAfter(pace, { ...good, sentAtMs: 1_000_000, answeredAtMs: 1_000_000 + took, wasFull: false })
    }
    expect(pace.limit).toBe(fast.limit)
    expect(paced(2, { method: 'PATCH', answeredAtMs: 5_000, wasFull: false }, fast, 2_000_000).limit).toBe(fast.limit)
  })

  test('who was fixed stays fixed', () => {
    expect(paced(20, {}, startPace({ first: 2, most: 2 })).limit).toBe(2)
  })
})
