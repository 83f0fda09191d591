/** One question that many ask: those who ask at the same moment share an answer. */
export interface SharedAnswer<T> {
  /** The answer under way, else a new one. */
  current(): Promise<T>
  /** An answer to a question put from now on: the one under way may lack what the caller has just made. */
  fresh(): Promise<T>
}

/** Puts the question at most once at a time. Keeps no answer. */
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
