import type { Clock } from '../ports.ts'

/** A time limit for one piece of work. Must be closed when the work is done. */
export interface Deadline {
  /** Fires with the given reason when the time is over. */
  readonly signal: AbortSignal
  /** Stops the countdown. Resolves when it has ended. */
  close(): Promise<void>
}

/** Starts the countdown at once. */
export function startDeadline(clock: Pick<Clock, 'sleep'>, ms: number, reason?: unknown): Deadline {
  const over = new AbortController()
  const closed = new AbortController()
  const countdown = clock.sleep(ms, closed.signal).then(
    () => over.abort(reason),
    () => {
      // Closed before the time was over.
    },
  )
  return {
    signal: over.signal,
    async close() {
      closed.abort()
      await countdown
    },
  }
}
