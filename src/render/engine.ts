import { RenderError } from '../model/errors.ts'
import { requireInside } from './chart-links.ts'
import { unpackAnswer } from './engine-answer.ts'
import {
  type AnswerLookup,
  type CallOptions,
  type EngineThread,
  startThread,
  type ThreadOptions,
} from './engine-thread.ts'
import type {
  EngineDependency,
  EngineDocument,
  EngineQuestion,
  EngineRequest,
  EngineResult,
  PackedAnswer,
  ToWorker,
} from './protocol.ts'

/** Helm's engine: JSON in, JSON out. `renderer.ts` makes it the port. */
export interface Engine {
  render(request: EngineRequest, options?: RenderOptions): Promise<EngineResult>
  parse(text: string, file: string): Promise<readonly EngineDocument[]>
  ask<Result>(question: EngineQuestion): Promise<Result>
  close(): Promise<void>
}

export interface RenderOptions {
  readonly lookup?: AnswerLookup | undefined
  readonly signal?: AbortSignal | undefined
}

export interface EngineOptions extends ThreadOptions {
  /** Told of an engine that ended by chance: the call that it was to answer is tried again on a new one. */
  readonly onRestart?: (error: Error) => void
}

/**
 * Starts loading the engine at once. Calls run one after the other; an engine that stopped is restarted for the next. A
 * call writes nothing: where the engine ends by chance, it is tried once more.
 */
export function startEngine(options: EngineOptions): Engine {
  let thread: EngineThread | undefined = startThread(options)
  let last: Promise<unknown> = Promise.resolve()
  const running = () => {
    if (thread === undefined || thread.isGone()) thread = startThread(options)
    return thread
  }
  const tryTwice = async (message: ToWorker, call: CallOptions): Promise<PackedAnswer> => {
    const first = running()
    try {
      return await first.call(message, call)
    } catch (error) {
      if (!(error instanceof Error) || !first.endedByChance()) throw error
      options.onRestart?.(error)
      return running().call(message, call)
    }
  }
  const inTurn = (message: ToWorker, call: CallOptions = {}): Promise<PackedAnswer> => {
    const done = last.then(() => tryTwice(message, call))
    last = done.catch(() => undefined)
    return done
  }
  return {
    render: async (request, { lookup, signal } = {}) => {
      await requireAllInside(request)
      const message = { type: 'render', request: JSON.stringify(request) } as const
      return unwrap<EngineResult>(await inTurn(message, { lookup, signal }))
    },
    parse: async (text, file) => {
      const message = { type: 'parse', file, text } as const
      // Go writes an empty list as null: a release of hooks only has an empty manifest.
      return unwrap<readonly EngineDocument[] | null>(await inTurn(message)) ?? []
    },
    ask: async <Result>(question: EngineQuestion) => {
      if (question.requirements !== undefined) await requireAllInside(question.requirements)
      const message = { type: 'ask', question: JSON.stringify(question) } as const
      return unwrap<Result>(await inTurn(message))
    },
    close: async () => {
      await thread?.stop()
      thread = undefined
    },
  }
}

async function requireAllInside(asked: {
  readonly chartPath: string
  readonly dependencies: readonly EngineDependency[]
}): Promise<void> {
  await requireInside(asked.chartPath)
  for (const { path } of asked.dependencies) await requireInside(path)
}

function unwrap<Result>(answer: PackedAnswer): Result {
  const { result, failure } = unpackAnswer<Result>(answer)
  if (failure !== undefined) throw new RenderError(failure)
  if (result === undefined) throw new RenderError({ message: 'the render engine gave no answer' })
  return result
}
