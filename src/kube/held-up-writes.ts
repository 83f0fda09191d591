import type { HeldUp } from '../ports.ts'

/** From when on a write that fails again and again is told, in ms; and how long nothing else is told then. */
const TELL_AFTER_MS = 10_000

/** Tells what holds writes up: each cause once, however many writes wait for the same to pass. */
export interface HeldUpWrites {
  follow(doing: string): HeldUpWrite
}

export interface HeldUpWrite {
  /** A try failed. `sinceMs`: when the first one did; `nextMs`: when the next one begins; both in ms since the epoch. */
  failed(cause: string, times: { readonly sinceMs: number; readonly nextMs: number }): void
  ended(isDone: boolean): void
}

export function followHeldUpWrites(tell: (heldUp: HeldUp) => void): HeldUpWrites {
  /** What was told and is not over, by cause. */
  const told = new Map<string, { readonly heldUp: HeldUp; waiting: number }>()
  let quietUntilMs = Number.NEGATIVE_INFINITY

  return {
    follow(doing) {
      let mine: string | undefined

      function leave(isDone: boolean): void {
        const entry = mine === undefined ? undefined : told.get(mine)
        if (mine === undefined || entry === undefined) return
        entry.waiting -= 1
        if (entry.waiting === 0) {
          told.delete(mine)
          if (isDone) tell({ ...entry.heldUp, doing, state: 'over' })
        }
        mine = undefined
      }

      return {
        failed(cause, { sinceMs, nextMs }) {
          if (cause === mine || nextMs - sinceMs < TELL_AFTER_MS) return
          const known = told.get(cause)
          if (known === undefined && nextMs < quietUntilMs) return
          leave(false)
          mine = cause
          if (known !== undefined) {
            known.waiting += 1
            return
          }
          const heldUp: HeldUp = { state: 'waiting', doing, cause, sinceMs }
          told.set(cause, { heldUp, waiting: 1 })
          quietUntilMs = nextMs + TELL_AFTER_MS
          tell(heldUp)
        },
        ended: leave,
      }
    },
  }
}
