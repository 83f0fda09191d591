import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 50
const LIMIT_MS = 60_000

export type WaitOptions = {
  /** What should become true, for the message when it does not. */
  readonly what: string
  readonly limitMs?: number
}

/** Polls until the check gives something else than undefined or false, and returns that. Errors of the check end it. */
export async function waitFor<T>(options: WaitOptions, check: () => Promise<T | undefined | false>): Promise<T> {
  const limitMs = options.limitMs ?? LIMIT_MS
  for (const started = Date.now(); ; ) {
    const result = await check()
    if (result !== undefined && result !== false) return result
    if (Date.now() - started > limitMs)
      throw new Error(`gave up after ${limitMs / 1000} s waiting until ${options.what}`)
    await sleep(POLL_MS)
  }
}
