import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { withLock } from '../../../src/tools/builds/build-lock.ts'

/** Above what any system hands out as a process id. */
const NOBODY = 2 ** 30

it('lets one worker in at a time', async () => {
  const lock = await lockFolder()
  let inside = 0
  let most = 0
  const work = async () => {
    inside += 1
    most = Math.max(most, inside)
    await new Promise((resolve) => setImmediate(resolve))
    inside -= 1
  }
  await Promise.all([1, 2, 3].map(() => withLock(lock, () => undefined, work)))
  expect(most).toBe(1)
})

it('breaks the lock of a process that is gone', async () => {
  const lock = await lockFolder()
  await mkdir(lock)
  await writeFile(join(lock, 'owner'), String(NOBODY))
  const reports: string[] = []
  expect(
    await withLock(
      lock,
      (line) => reports.push(line),
      async () => 'done',
    ),
  ).toBe('done')
  expect(reports).toEqual([])
})

it('is open again after work that failed', async () => {
  const lock = await lockFolder()
  const failing = withLock(
    lock,
    () => undefined,
    () => Promise.reject(new Error('no luck')),
  )
  await expect(failing).rejects.toThrow('no luck')
  expect(
    await withLock(
      lock,
      () => undefined,
      async () => 'done',
    ),
  ).toBe('done')
})

async function lockFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lock-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'lock')
}
