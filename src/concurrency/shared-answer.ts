/** One question with many callers: those who ask at the same time share one answer. */
export interface SharedAnswer<T> {
  /** The pending answer, else a new one. */
  current(): Promise<T>
  /** The answer to a question asked from now on: the pending one may miss what the caller has just created. */
  fresh(): Promise<T>
}

/** Asks at most once at a time. Keeps no answer. */
export function shareAnswer<T>(ask: () => Promise<T>): SharedAnswer<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined

  function start(): Promise<T> {
    running = ask().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    current: () => running ?? start(),
    fresh() {
      if (running === undefined) return start()
      const proceed = () => {
        next = undefined
        return start()
      }
      next ??= running.then(proceed, proceed)
      return next
    },
  }
}
