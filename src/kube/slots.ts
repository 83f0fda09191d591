/** Bounds how many run at a time; the others wait in order. */
export interface Slots {
  run<T>(action: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export function createSlots(limit: number): Slots {
  let free = limit
  const waiting = new Set<() => void>()

  function acquire(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (free > 0) {
      free -= 1
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
    const [next] = waiting
    if (next === undefined) {
      free += 1
      return
    }
    waiting.delete(next)
    next()
  }

  return {
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
