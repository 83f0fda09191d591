import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../ports.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      await sleep(ms, undefined, signal === undefined ? {} : { signal })
    } catch (error) {
      throw signal?.aborted === true ? signal.reason : error
    }
  },
}
