import { type Deadline, startDeadline } from '../concurrency/deadline.ts'
import { onceAborted } from '../concurrency/once-aborted.ts'
import { type ExecuteInput, stopReason } from './execution.ts'

/** How long evidence and delete policies may run on after the time of the run is over, in ms. */
const GRACE_MS = 8_000

/**
 * Bounds what still runs after a failure: it goes on for a moment when the time of the run is over, and ends at once when
 * the run is cancelled or the lock is lost, since nothing may be written then.
 */
export function createCleanupSignal(input: Pick<ExecuteInput, 'signal' | 'abandon' | 'clock'>): {
  readonly signal: AbortSignal
  close(): Promise<void>
} {
  const { signal, abandon, clock } = input
  const over = new AbortController()
  let deadline: Deadline | undefined

  const onStop = (): void => {
    if (stopReason(signal) !== 'timeout') {
      over.abort(signal.reason)
      return
    }
    deadline = startDeadline(clock, GRACE_MS)
    deadline.signal.addEventListener('abort', () => over.abort('timeout'), { once: true })
  }
  const onAbandon = (): void => over.abort(abandon?.reason)

  const unhook = [onceAborted(signal, onStop), ...(abandon === undefined ? [] : [onceAborted(abandon, onAbandon)])]

  return {
    signal: over.signal,
    async close() {
      for (const remove of unhook) remove()
      over.abort()
      await deadline?.close()
    },
  }
}
