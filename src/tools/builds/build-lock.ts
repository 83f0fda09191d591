import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 500
/** How long a lock may stand without the file that names its owner; writing it takes a moment. */
const NAMELESS_LIMIT_MS = 10_000
/** How often a waiting process says so. */
const REPORT_EVERY_POLLS = 30

/**
 * Runs one piece of work at a time on this machine. A lock whose owner is no longer alive is broken; should two
 * processes break it at once, both work, which costs time only, because results are put in place by renaming.
 */
export async function withLock<T>(folder: string, report: (line: string) => void, work: () => Promise<T>): Promise<T> {
  for (let polls = 0; !(await tryLock(folder)); polls += 1) {
    if (await isAbandoned(folder)) {
      await rm(folder, { recursive: true, force: true })
      continue
    }
    if (polls % REPORT_EVERY_POLLS === 0) report('waiting for another process that is building')
    await sleep(POLL_MS)
  }
  try {
    return await work()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function tryLock(folder: string): Promise<boolean> {
  try {
    await mkdir(folder)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
  await writeFile(join(folder, 'owner'), String(process.pid))
  return true
}

async function isAbandoned(folder: string): Promise<boolean> {
  try {
    const owner = Number(await readFile(join(folder, 'owner'), 'utf8'))
    if (owner > 0) return !isAlive(owner)
    return Date.now() - (await stat(folder)).mtimeMs > NAMELESS_LIMIT_MS
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    const made = await stat(folder).catch(() => undefined)
    return made !== undefined && Date.now() - made.mtimeMs > NAMELESS_LIMIT_MS
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives, but belongs to somebody else.
    return codeOf(error) === 'EPERM'
  }
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
