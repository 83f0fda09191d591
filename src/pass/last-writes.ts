import { type Deadline, startDeadline } from '../concurrency/deadline.ts'
import { onceAborted } from '../concurrency/once-aborted.ts'
import type { StopReason } from '../model/outcome.ts'
import type { Clock } from '../ports.ts'

/** How long each of the last writes of a cancelled run may take, in ms: the runner kills the process after 7.5 s. */
const CANCELLED_MS = 2_500
/** The same after the time of the run is over: an API server that is silent must not keep it alive. */
const TIMED_OUT_MS = 4_000

export interface Stop {
  /** Fires with a StopReason when the run ends early. */
  readonly signal: AbortSignal
  /** Fires when the runner cancels the job, also after the time of the run was over. */
  readonly cancelled: AbortSignal
}

/**
 * Does the last writes of a run. While the run has time left they may take as long as that; once it was stopped they have
 * seconds: then the signal that `work` gets fires.
 */
export async function finishWrites<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { clock, stop }: { readonly clock: Clock; readonly stop: Stop },
): Promise<T> {
  const over = new AbortController()
  const deadlines: Deadline[] = []
  const endWithin = (ms: number, reason: StopReason) => {
    const deadline = startDeadline(clock, ms, reason)
    deadline.signal.addEventListener('abort', () => over.abort(reason), { once: true })
    deadlines.push(deadline)
  }
  const unhook = [
    onceAborted(stop.signal, () => {
      if (stop.signal.reason === 'timeout') endWithin(TIMED_OUT_MS, 'timeout')
      else endWithin(CANCELLED_MS, 'cancelled')
    }),
    onceAborted(stop.cancelled, () => endWithin(CANCELLED_MS, 'cancelled')),
  ]
  try {
    return await work(over.signal)
  } finally {
    for (const remove of unhook) remove()
    await Promise.all(deadlines.map((deadline) => deadline.close()))
  }
}
