import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../ports.ts'

/** Longest time of one timer, in ms, 24.8 days: Node fires one that is longer at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      for (let leftMs = ms; leftMs >= 0; leftMs -= LONGEST_TIMER_MS) {
        await sleep(Math.min(leftMs, LONGEST_TIMER_MS), undefined, signal === undefined ? {} : { signal })
      }
    } catch (error) {
      throw signal?.aborted === true ? signal.reason : error
    }
  },
}
