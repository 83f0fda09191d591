import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from '../../builds/binaries.ts'
import { codeOf } from '../../builds/build-lock.ts'

/** How long a component may take to end when asked; nothing of value is lost when it is then killed. */
const STOP_GRACE_MS = 3_000
const LOG_TAIL_LINES = 15

export type Component = {
  readonly name: string
  readonly pid: number
  readonly hasEnded: () => boolean
  /** The last lines of its log. */
  readonly tail: () => Promise<string>
  readonly stop: () => Promise<void>
}

export type ComponentOptions = {
  readonly name: string
  /** Path of the program that holds servers, see `test/binaries/hold`. */
  readonly hold: string
  readonly command: Command
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly logFile: string
}

/**
 * Starts a server that ends with this process: the one that holds it watches its stdin, which the operating system closes
 * when we die. Both have a session of their own, so that Ctrl-C in a terminal reaches us only and the order of stopping is
 * ours.
 */
export function startComponent(options: ComponentOptions): Component {
  const log = openSync(options.logFile, 'a')
  const { program, args } = options.command
  const child = spawn(options.hold, [program, ...args, ...options.args], {
    env: { ...process.env, ...options.environment },
    stdio: ['pipe', log, log],
    detached: true,
  })
  closeSync(log)
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  // A component that ends early closes its side of the pipe; that it ended is noticed elsewhere.
  child.stdin?.on('error', () => undefined)
  child.unref()
  return {
    name: options.name,
    pid: child.pid ?? -1,
    hasEnded: () => hasEnded(child),
    tail: () => tail(options.logFile),
    stop: () => stop(child, ended),
  }
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (hasEnded(child)) return
  child.kill('SIGTERM')
  const timer = new AbortController()
  await Promise.race([ended, sleep(STOP_GRACE_MS, undefined, { signal: timer.signal }).catch(() => undefined)])
  timer.abort()
  if (hasEnded(child)) return
  killGroup(child)
  await ended
}

/** The server and the one that holds it. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

async function tail(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n')
}
