import { onceAborted } from './once-aborted.ts'

/** One question with many callers: those who ask at the same time share one answer. */
export interface SharedAnswer<T> {
  /** The pending answer, else a new one. A caller whose signal fires leaves; the question goes on for the others. */
  current(signal?: AbortSignal): Promise<T>
  /** The answer to a question asked from now on: the pending one may miss what the caller has just created. */
  fresh(signal?: AbortSignal): Promise<T>
}

interface Question<T> {
  readonly answer: Promise<T>
  /** How many callers wait for it. */
  waiting: number
  abandon(reason: unknown): void
}

/**
 * Asks at most once at a time. Keeps no answer. `ask` gets a signal that fires when nobody waits for the answer any more;
 * it must end then, and the last caller gets what it ends with.
 */
export function shareAnswer<T>(ask: (abandoned: AbortSignal) => Promise<T>): SharedAnswer<T> {
  let running: Question<T> | undefined
  let next: Question<T> | undefined

  function put(begin: (abandoned: AbortSignal) => Promise<T>): Question<T> {
    const abandoned = new AbortController()
    const forget = () => {
      if (running === question) running = undefined
      if (next === question) next = undefined
    }
    const question: Question<T> = {
      answer: begin(abandoned.signal).finally(forget),
      waiting: 0,
      abandon(reason) {
        // Who asks from now on must not get the end of this question as an answer.
        forget()
        abandoned.abort(reason)
      },
    }
    return question
  }

  function startNow(): Question<T> {
    running = put(ask)
    return running
  }

  function startAfter(earlier: Question<T>): Question<T> {
    const later: Question<T> = put(async (abandoned) => {
      await earlier.answer.catch(() => undefined)
      abandoned.throwIfAborted()
      next = undefined
      running = later
      return ask(abandoned)
    })
    next = later
    return later
  }

  async function join(choose: () => Question<T>, signal: AbortSignal | undefined): Promise<T> {
    signal?.throwIfAborted()
    const question = choose()
    question.waiting += 1
    if (signal === undefined) return question.answer
    const left = Promise.withResolvers<never>()
    const unhook = onceAborted(signal, () => {
      question.waiting -= 1
      if (question.waiting === 0) question.abandon(signal.reason)
      else left.reject(signal.reason)
    })
    try {
      return await Promise.race([question.answer, left.promise])
    } finally {
      unhook()
    }
  }

  return {
    current: (signal) => join(() => running ?? next ?? startNow(), signal),
    fresh: (signal) => join(() => next ?? (running === undefined ? startNow() : startAfter(running)), signal),
  }
}
