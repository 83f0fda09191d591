import type { Clock } from '../../src/ports.ts'

/** A clock that stands still until a test moves it. Timers due at one moment run in the order in which they were set. */
export interface FakeClock extends Clock {
  /** Runs `action` once, `afterMs` from now. */
  schedule(afterMs: number, action: () => void): void
  /** Moves time forward, stopping at every timer on the way and letting everything it woke settle. */
  advance(ms: number): Promise<void>
  /** Jumps from timer to timer until the promise settles; throws where nothing is left that could settle it. */
  runUntil<T>(promise: Promise<T>): Promise<T>
  /** Number of timers that have not run yet. */
  pending(): number
}

/** Timers that one `runUntil` may run before it gives up: a loop that never ends is a failed test, not a hung one. */
const TIMER_LIMIT = 100_000

interface Timer {
  readonly atMs: number
  readonly order: number
  readonly run: () => void
}

export function fakeClock(startMs = Date.UTC(2026, 0, 1)): FakeClock {
  let nowMs = startMs
  let order = 0
  let timers: Timer[] = []

  function add(afterMs: number, run: () => void): Timer {
    const timer: Timer = { atMs: nowMs + Math.max(0, afterMs), order, run }
    order += 1
    timers.push(timer)
    return timer
  }

  function next(): Timer | undefined {
    return timers.toSorted((a, b) => a.atMs - b.atMs || a.order - b.order)[0]
  }

  async function fire(timer: Timer): Promise<void> {
    timers = timers.filter((other) => other !== timer)
    nowMs = timer.atMs
    timer.run()
    await settle()
  }

  return {
    now: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(signal.reason)
          return
        }
        const timer = add(ms, () => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        })
        const onAbort = (): void => {
          timers = timers.filter((other) => other !== timer)
          reject(signal?.reason)
        }
        signal?.addEventListener('abort', onAbort, { once: true })
      }),
    schedule: (afterMs, action) => {
      add(afterMs, action)
    },
    pending: () => timers.length,
    async advance(ms) {
      const untilMs = nowMs + ms
      await settle()
      for (let timer = next(); timer !== undefined && timer.atMs <= untilMs; timer = next()) await fire(timer)
      nowMs = untilMs
      await settle()
    },
    async runUntil(promise) {
      let isSettled = false
      const settled = promise.finally(() => {
        isSettled = true
      })
      settled.catch(() => {
        // The caller gets the rejection from `promise`; this copy only says that it has settled.
      })
      await settle()
      for (let fired = 0; !isSettled; fired += 1) {
        const timer = next()
        if (timer === undefined) throw new Error('nothing is scheduled, yet the promise has not settled')
        if (fired === TIMER_LIMIT) throw new Error(`${TIMER_LIMIT} timers ran, yet the promise has not settled`)
        await fire(timer)
      }
      return promise
    },
  }
}

/** Lets promises, and whatever they start, run until only timers of the fake clock are left. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve))
}
