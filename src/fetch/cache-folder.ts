import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** What was used so lately, in ms, may be in use by another job: it stays, however much there is. */
const IN_USE_MS = 60 * 60 * 1000

/** A folder in another one, made where it is not there. Throws where something else has its name, such as a link. */
export async function ownFolder(parent: string, name: string): Promise<string> {
  const path = join(parent, name)
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  if (!(await lstat(path)).isDirectory()) throw new Error(`${path} is not a folder`)
  return path
}

/** `foreign`: a link, no file at all, or larger than anything that belongs here. */
export async function readOwnFile(
  path: string,
  { limitBytes, nowMs }: { readonly limitBytes: number; readonly nowMs: number },
): Promise<Uint8Array | 'absent' | 'foreign'> {
  try {
    // Windows opens links whatever the flags say.
    const found = await lstat(path)
    if (!found.isFile() || found.size > limitBytes) return 'foreign'
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    try {
      const bytes = await file.readFile()
      await file.utimes(nowMs / 1000, nowMs / 1000).catch(() => {
        // In a folder that cannot be written nothing is removed by its age either.
      })
      return bytes
    } finally {
      await file.close()
    }
  } catch (error) {
    return codeOf(error) === 'ELOOP' ? 'foreign' : 'absent'
  }
}

export async function removeOwnFile(path: string): Promise<void> {
  await unlink(path).catch(() => {
    // Another job was faster, or the folder cannot be written: nobody takes it for what it should be.
  })
}

/** Writes under another name and renames. Gives the path. */
export async function writeOwnFile(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name)
  const unfinished = join(folder, `${randomUUID()}${UNFINISHED}`)
  try {
    const file = await open(unfinished, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
    return path
  } catch (error) {
    await removeOwnFile(unfinished)
    throw error
  }
}

const UNFINISHED = '.unfinished'

/** Removes the files that were used longest ago until no more than the limit is left, and what jobs have left unfinished. */
export async function shrinkFolders(
  folders: readonly string[],
  { limitBytes, nowMs }: { readonly limitBytes: number; readonly nowMs: number },
): Promise<void> {
  const files = (await Promise.all(folders.map((folder) => filesOf(folder)))).flat()
  let left = files.reduce((sum, { size }) => sum + size, 0)
  for (const { path, size, usedMs } of files.toSorted((a, b) => a.usedMs - b.usedMs)) {
    if (nowMs - usedMs < IN_USE_MS || (left <= limitBytes && !path.endsWith(UNFINISHED))) continue
    await removeOwnFile(path)
    left -= size
  }
}

interface CachedFile {
  readonly path: string
  readonly size: number
  readonly usedMs: number
}

async function filesOf(folder: string): Promise<readonly CachedFile[]> {
  const names = await readdir(folder)
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const found = await lstat(path).catch(() => undefined)
      return found === undefined ? [] : [{ path, size: found.size, usedMs: found.mtimeMs }]
    }),
  )
  return files.flat()
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
