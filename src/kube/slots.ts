/** Bounds how many run at a time; the others wait in order. */
export interface Slots {
  run<T>(action: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Whether all places are taken. */
  isFull(): boolean
}

/** `limit` is asked again whenever a place may be free. */
export function createSlots(limit: () => number): Slots {
  let taken = 0
  const waiting = new Set<() => void>()

  function acquire(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (waiting.size === 0 && taken < limit()) {
      taken += 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const proceed = () => {
        signal?.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        waiting.delete(proceed)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      waiting.add(proceed)
    })
  }

  function release(): void {
    taken -= 1
    for (const next of waiting) {
      if (taken >= limit()) return
      taken += 1
      waiting.delete(next)
      next()
    }
  }

  return {
    isFull: () => taken >= limit(),
    async run(action, signal) {
      await acquire(signal)
      try {
        return await action()
      } finally {
        release()
      }
    },
  }
}
