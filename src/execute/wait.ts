import { startDeadline } from '../concurrency/deadline.ts'
import { unlessAborted } from '../concurrency/unless-aborted.ts'
import type { ReadinessReason } from '../model/readiness.ts'
import type { Clock } from '../ports.ts'

/** What one look at the cluster says: it is over, or why not yet and when to look again although nothing changed. */
export type Look<T> = { readonly done: T } | { readonly waitsFor: ReadinessReason; readonly againAtMs?: number }

/** How often a wait says why it goes on although the reason is the same, in ms. */
const PROGRESS_INTERVAL_MS = 30_000

/** The shortest time between two looks, in ms: shared watches call back for every object of a namespace. */
const LOOK_INTERVAL_MS = 100

/**
 * Looks after every change until a look is the last one. `onProgress` hears the reason when it changes, and every 30 s.
 * Rejects with the signal's reason when it fires first.
 */
export async function waitUntil<T>(options: {
  readonly look: () => Look<T> | Promise<Look<T>>
  /** Calls back after every change that may matter, until the returned function is called. */
  readonly subscribe: (listener: () => void) => () => void
  readonly onProgress: (reason: ReadinessReason) => void
  readonly clock: Clock
  readonly signal: AbortSignal
}): Promise<T> {
  const { look, clock, signal, onProgress } = options
  const bell = createBell()
  const unsubscribe = options.subscribe(bell.ring)
  let lastReport: { readonly text: string; readonly atMs: number } | undefined
  try {
    for (;;) {
      signal.throwIfAborted()
      const lookedAtMs = clock.now()
      const seen = await look()
      if ('done' in seen) return seen.done
      signal.throwIfAborted()
      const text = JSON.stringify(seen.waitsFor)
      if (
        lastReport === undefined ||
        lastReport.text !== text ||
        clock.now() - lastReport.atMs >= PROGRESS_INTERVAL_MS
      ) {
        lastReport = { text, atMs: clock.now() }
        onProgress(seen.waitsFor)
      }
      const wakeAtMs = Math.min(lastReport.atMs + PROGRESS_INTERVAL_MS, seen.againAtMs ?? Number.POSITIVE_INFINITY)
      await bell.wait(Math.max(0, wakeAtMs - clock.now()), clock, signal)
      const tooEarlyMs = lookedAtMs + LOOK_INTERVAL_MS - clock.now()
      if (tooEarlyMs > 0) await clock.sleep(tooEarlyMs, signal)
    }
  } finally {
    unsubscribe()
  }
}

/** Remembers that it rang while nobody was waiting, so that no change is lost between a look and the next wait. */
function createBell(): { ring: () => void; wait: (ms: number, clock: Clock, signal: AbortSignal) => Promise<void> } {
  let hasRung = false
  let wake: () => void = () => {}
  return {
    ring: () => {
      hasRung = true
      wake()
    },
    async wait(ms, clock, signal) {
      if (!hasRung) {
        const rung = new Promise<void>((resolve) => {
          wake = resolve
        })
        const deadline = startDeadline(clock, ms)
        await unlessAborted(rung, AbortSignal.any([signal, deadline.signal])).catch(() => {
          // The time is over, or the signal has fired: the caller looks at both again.
        })
        await deadline.close()
      }
      hasRung = false
    },
  }
}
