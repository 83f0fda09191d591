import { startDeadline } from '../concurrency/deadline.ts'
import type { StopReason } from '../model/outcome.ts'
import type { Clock } from '../ports.ts'

/** How long each of the last writes of a cancelled run may take, in ms: the runner kills the process after 7.5 s. */
const LAST_WRITE_MS = 2_500

/**
 * Does the last writes of a run. A cancelled run has seconds left: `work` gets a signal that fires in time. Any other
 * run gets none, so that it can retry through an outage.
 */
export async function finishWrites<T>(
  work: (signal: AbortSignal | undefined) => Promise<T>,
  { clock, runSignal }: { readonly clock: Clock; readonly runSignal: AbortSignal },
): Promise<T> {
  const reason: StopReason = 'timeout'
  if (!runSignal.aborted || runSignal.reason === reason) return work(undefined)
  const deadline = startDeadline(clock, LAST_WRITE_MS, 'cancelled')
  try {
    return await work(deadline.signal)
  } finally {
    await deadline.close()
  }
}
