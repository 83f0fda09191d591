import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { RenderError } from '../model/errors.ts'
import { unreachable } from '../model/unreachable.ts'
import { type AnswerLookup, type EngineCall, startCall } from './engine-call.ts'
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
  worker.on('message', (message: FromWorker) => {
    switch (message.type) {
      case 'answer':
        return current?.succeed(message)
      case 'entered':
        return current?.enter(message)
      case 'templates':
        return current?.run(message.names)
      case 'lookup':
        return current?.lookup(message)
      case 'died':
        return end(current?.explain(message.cause === 'memory' ? MEMORY : crashText(message.text)) ?? engineStopped())
      default:
        return unreachable(message)
    }
  })
  worker.on('error', (cause) => end(engineStopped(cause)))
  worker.on('exit', () => end(engineStopped()))

  return {
    isGone: () => gone !== undefined,
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

const MEMORY = 'needs more memory than a chart may use'

function crashText(text: string): string {
  if (text.includes('stack exceeds')) return 'recurses without end'
  return text.includes('out of memory') ? MEMORY : `stopped the render engine (${text})`
}

function engineStopped(cause?: Error): RenderError {
  return new RenderError({ message: 'the render engine stopped' }, cause && { cause })
}
