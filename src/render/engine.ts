import { RenderError } from '../model/errors.ts'
import { unpackAnswer } from './engine-answer.ts'
import { type AnswerLookup, type EngineThread, startThread, type ThreadOptions } from './engine-thread.ts'
import type { EngineDocument, EngineRequest, EngineResult, PackedAnswer } from './protocol.ts'

/** Helm's engine: JSON in, JSON out. `renderer.ts` makes it the port. */
export interface Engine {
  render(request: EngineRequest, options?: RenderOptions): Promise<EngineResult>
  parse(text: string, file: string): Promise<readonly EngineDocument[]>
  close(): Promise<void>
}

export interface RenderOptions {
  readonly lookup?: AnswerLookup | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Starts loading the engine at once. Calls run one after the other; an engine that stopped is restarted for the next.
 */
export function startEngine(options: ThreadOptions): Engine {
  let thread: EngineThread | undefined = startThread(options)
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (work: (thread: EngineThread) => Promise<PackedAnswer>): Promise<PackedAnswer> => {
    const done = last.then(() => {
      if (thread === undefined || thread.isGone()) thread = startThread(options)
      return work(thread)
    })
    last = done.catch(() => undefined)
    return done
  }
  return {
    render: async (request, { lookup, signal } = {}) => {
      const message = { type: 'render', request: JSON.stringify(request) } as const
      return unwrap<EngineResult>(await inTurn((thread) => thread.call(message, { lookup, signal })))
    },
    parse: async (text, file) => {
      const message = { type: 'parse', file, text } as const
      // Go writes an empty list as null: a release of hooks only has an empty manifest.
      return unwrap<readonly EngineDocument[] | null>(await inTurn((thread) => thread.call(message, {}))) ?? []
    },
    close: async () => {
      await thread?.stop()
      thread = undefined
    },
  }
}

function unwrap<Result>(answer: PackedAnswer): Result {
  const { result, failure } = unpackAnswer<Result>(answer)
  if (failure !== undefined) throw new RenderError(failure)
  if (result === undefined) throw new RenderError({ message: 'the render engine gave no answer' })
  return result
}
