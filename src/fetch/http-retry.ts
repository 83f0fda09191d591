/** Tries of one address, the first one included. */
const MAX_TRIES = 5
/** No further try begins when an address has failed for so long: each may take its half minute of silence. */
const PATIENCE_MS = 60_000
const FIRST_WAIT_MS = 1_000
/** A server that asks for more is not waited for. */
const LONGEST_RETRY_AFTER_MS = 60_000

export interface Passing {
  readonly isPassing: boolean
  readonly retryAfterMs?: number
}

/** Ms until an address is tried again, or undefined where that is of no use. */
export function fetchRetryMs(
  { isPassing, retryAfterMs = 0 }: Passing,
  { tries, failingMs }: { readonly tries: number; readonly failingMs: number },
): number | undefined {
  if (!isPassing || tries >= MAX_TRIES || failingMs >= PATIENCE_MS) return undefined
  if (retryAfterMs > LONGEST_RETRY_AFTER_MS) return undefined
  return Math.max(FIRST_WAIT_MS * 2 ** (tries - 1), retryAfterMs)
}
