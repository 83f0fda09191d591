import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { RenderError } from '../model/errors.ts'
import { unreachable } from '../model/unreachable.ts'
import { type AnswerLookup, type EngineCall, startCall } from './engine-call.ts'
import { lastWords } from './last-words.ts'
import type { FromWorker, PackedAnswer, ToWorker, WorkerData } from './protocol.ts'

export type { AnswerLookup } from './engine-call.ts'

export const ENGINE_FILE = 'engine.wasm.zst'
export const WORKER_FILE = 'engine.js'

/** How long the engine may compute for one call, in ms. Time in which `lookup` waits for the cluster does not count. */
const DEFAULT_TIMEOUT_MS = 60_000
/** Memory for one engine, in bytes. The largest public charts take 0.3 GiB. */
const DEFAULT_MAX_MEMORY_BYTES = 1024 * 1024 * 1024

export interface ThreadOptions {
  /** Holds the built engine: next to the bundle, or where the build put it. */
  readonly folder: string
  readonly timeoutMs?: number
  readonly maxMemoryBytes?: number
  /** IANA name, for `date` in templates; default: the host's. */
  readonly timeZone?: string
}

/** One engine in one thread, for one call at a time. */
export interface EngineThread {
  call(message: ToWorker, options: CallOptions): Promise<PackedAnswer>
  isGone(): boolean
  /** Whether it ended by itself, in a way that a new engine may be spared. */
  endedByChance(): boolean
  stop(): Promise<void>
}

export interface CallOptions {
  readonly lookup?: AnswerLookup | undefined
  readonly signal?: AbortSignal | undefined
}

export function startThread(options: ThreadOptions): EngineThread {
  const progress = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const data: WorkerData = {
    progress,
    enginePath: join(options.folder, ENGINE_FILE),
    timeZone: options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    maxMemoryBytes: options.maxMemoryBytes ?? DEFAULT_MAX_MEMORY_BYTES,
  }
  const worker = new Worker(join(options.folder, WORKER_FILE), { workerData: data, env: {}, execArgv: [] })
  // An idle engine must not keep the process alive.
  worker.unref()
  let gone: Error | undefined
  let isByChance = false
  let hasAnswered = false
  let current: EngineCall | undefined

  const end = (error: Error) => {
    if (gone !== undefined) return
    gone = error
    current?.fail(error)
  }
  const kill = (error: Error) => {
    end(error)
    return worker.terminate()
  }
  const die = (death: Death, cause?: Error) => {
    if (gone !== undefined) return
    isByChance = death.kind === 'crash' || (death.kind === 'memory' && hasAnswered)
    end(current?.explain(textOf(death), cause) ?? engineStopped())
  }
  worker.on('message', (message: FromWorker) => {
    switch (message.type) {
      case 'answer':
        hasAnswered = true
        return current?.succeed(message)
      case 'entered':
        return current?.enter(message)
      case 'templates':
        return current?.run(message.names)
      case 'lookup':
        return current?.lookup(message)
      case 'died':
        return die(
          message.cause === 'memory' ? { kind: 'memory' } : deathOf(lastWords(message.printed, message.exitCode)),
        )
      default:
        return unreachable(message)
    }
  })
  worker.on('error', (cause) => die(deathOf(cause.message), cause))
  worker.on('exit', (exitCode) => die(deathOf(lastWords('', exitCode))))

  return {
    isGone: () => gone !== undefined,
    endedByChance: () => isByChance,
    stop: async () => {
      await kill(engineStopped())
    },
    call: async (message, { lookup, signal }) => {
      if (gone !== undefined) throw gone
      signal?.throwIfAborted()
      worker.ref()
      const call = startCall({
        post: (reply) => worker.postMessage(reply),
        kill: (error) => void kill(error),
        timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
        answerLookup: lookup,
        templatesDone: () => progress[0] ?? 0,
      })
      const abort = () => void kill(signal?.reason instanceof Error ? signal.reason : engineStopped())
      signal?.addEventListener('abort', abort, { once: true })
      current = call
      worker.postMessage(message)
      try {
        return await call.answer
      } finally {
        signal?.removeEventListener('abort', abort)
        current = undefined
        worker.unref()
      }
    },
  }
}

/** How an engine ends by itself. Only a crash has a cause that is told. */
type Death =
  | { readonly kind: 'memory' }
  | { readonly kind: 'recursion' }
  | { readonly kind: 'crash'; readonly words: string }

/** From the words of Go, or of JavaScript on whose stack it runs. */
function deathOf(words: string): Death {
  if (/stack exceeds|call stack size exceeded/.test(words)) return { kind: 'recursion' }
  return words.includes('out of memory') ? { kind: 'memory' } : { kind: 'crash', words }
}

function textOf(death: Death): string {
  switch (death.kind) {
    case 'memory':
      return 'needs more memory than a chart may use'
    case 'recursion':
      return 'recurses without end'
    case 'crash':
      return `stopped the render engine (${death.words})`
    default:
      return unreachable(death)
  }
}

function engineStopped(): RenderError {
  return new RenderError({ message: 'the render engine stopped' })
}
