import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { buildEngine } from '../../src/tools/builds/engine-build.ts'
import type { RenderVerdict } from './render-child.ts'

export interface RenderChild {
  /** What becomes of the chart at a path. */
  judge(path: string): Promise<RenderVerdict>
  end(): Promise<void>
}

/** Arguments of a Node whose events of all threads are written to a file, for `socketsIn`. */
export function traceTo(file: string): readonly string[] {
  return ['--trace-event-categories', 'node.async_hooks', '--trace-event-file-pattern', file]
}

/** What Node calls that which speaks to a network: connections, listeners, questions for addresses. */
const SOCKETS = /^(?:TCP|UDP|TLS|HTTP|GETADDRINFO|GETNAMEINFO|QUERY)/

/** The kinds of sockets that a process opened in any of its threads, once it has ended. */
export async function socketsIn(trace: string): Promise<readonly string[]> {
  const names = (await readFile(trace, 'utf8')).matchAll(/"name":"([A-Z0-9]+)"/g)
  return [...new Set(Array.from(names, ([, name = '']) => name))].filter((name) => SOCKETS.test(name)).sort()
}

/** A process of its own, whose time, memory and sockets are those of reading charts. `trace`: where its events are written. */
export async function startRenderChild({ trace }: { readonly trace?: string } = {}): Promise<RenderChild> {
  const events = trace === undefined ? [] : traceTo(trace)
  const args = [...events, join(import.meta.dirname, 'render-child.ts'), await buildEngine()]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  onTestFinished(() => void child.kill())
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    judge: async (path) => {
      child.stdin.write(`${path}\n`)
      const { value, done } = await lines.next()
      if (done === true) throw new Error(`the reader of ${path} ended`)
      return JSON.parse(value) as RenderVerdict
    },
    end: async () => {
      child.stdin.end()
      await ended
    },
  }
}
