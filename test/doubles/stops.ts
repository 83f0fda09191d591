import type { Stop } from '../../src/pass/last-writes.ts'

/** A run that nothing ends early. */
export const neverStopped = (): Stop => ({
  signal: new AbortController().signal,
  cancelled: new AbortController().signal,
})
