import { describe, expect, test } from 'vitest'
import { createProgressDeadline } from '../../src/execute/progress-deadline.ts'
import type { Readiness, ReadinessReason } from '../../src/model/readiness.ts'
import { turning } from '../../src/readiness/verdict.ts'

const failed: Readiness = { state: 'failed', reason: { code: 'no-status' } }
const progressing = (reason: ReadinessReason, afterSeconds = 10): Readiness => turning(reason, afterSeconds, failed)
const short = (have: number): ReadinessReason => ({ code: 'replicas', what: 'ready', have, want: 3 })
const pod = (problem: string): ReadinessReason => ({
  code: 'pod',
  pod: 'web-1',
  container: 'main',
  problem,
  message: problem,
})

describe('the progress deadline', () => {
  test('progressing becomes its `then` after the time it names', () => {
    const deadline = createProgressDeadline()
    const verdict = progressing(short(1))
    expect(deadline.verdictNow(verdict, '1', 0)).toEqual({ verdict, againAtMs: 10_000 })
    expect(deadline.verdictNow(verdict, '1', 9_999)).toEqual({ verdict, againAtMs: 10_000 })
    expect(deadline.verdictNow(verdict, '1', 10_000)).toEqual({ verdict: failed })
  })

  test('a change of the verdict starts the time again', () => {
    const deadline = createProgressDeadline()
    deadline.verdictNow(progressing(short(1)), '1', 0)
    expect(deadline.verdictNow(progressing(short(2)), '2', 9_000).againAtMs).toBe(19_000)
  })

  test('other words for the same trouble of a container do not', () => {
    const deadline = createProgressDeadline()
    deadline.verdictNow(progressing(pod('ErrImagePull')), '1', 0)
    expect(deadline.verdictNow(progressing(pod('ImagePullBackOff')), '2', 9_000).againAtMs).toBe(10_000)
  })

  test('a rule that counts down by itself is looked at again when its time is over', () => {
    const deadline = createProgressDeadline()
    deadline.verdictNow(progressing(short(1), 60), '1', 0)
    expect(deadline.verdictNow(progressing(short(1), 20), '1', 40_000).againAtMs).toBe(60_000)
  })

  test('no activity: a change of any version counts as activity, the passing of time does not', () => {
    const deadline = createProgressDeadline(30)
    const verdict: Readiness = { state: 'progressing', reason: short(1) }
    expect(deadline.verdictNow(verdict, '1', 0).againAtMs).toBe(30_000)
    expect(deadline.verdictNow(verdict, '2', 20_000).againAtMs).toBe(50_000)
    expect(deadline.verdictNow(verdict, '2', 50_000).verdict).toEqual({ state: 'failed', reason: short(1) })
  })

  test('what is ready or failed is so at once', () => {
    expect(createProgressDeadline(30).verdictNow(failed, '1', 0)).toEqual({ verdict: failed })
  })
})
