import { mkdirSync, realpathSync } from 'node:fs'
import { mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type Extract, extract, type Header } from 'tar-stream'

/** Most that an archive may hold. A repository that is larger has its base checked out by the workflow. */
export interface UnpackLimits {
  readonly entries: number
  /** Of all files, in bytes. */
  readonly bytes: number
  /** Larger files are left out, in bytes: no chart and no values file is as large (Helm takes 5 MiB for one file). */
  readonly fileBytes: number
}

const UNPACK_LIMITS: UnpackLimits = { entries: 200_000, bytes: 2 * 1024 ** 3, fileBytes: 20 * 1024 ** 2 }

/**
 * Writes the files of a tar stream into a new folder, without its top folder. Nothing is written outside of it: names with
 * `..` are refused; links are created last, after all files, and those that lead out are removed; hard links and devices
 * are left out. Throws where the stream is no archive, ends early, or is too large.
 */
export async function unpackTar(tar: Readable, folder: string, limits: UnpackLimits = UNPACK_LIMITS): Promise<void> {
  // No pause until the entries are waited for: what comes earlier would be lost.
  mkdirSync(folder, { recursive: true })
  const root = realpathSync(folder)
  const archive = extract()
  let fault: unknown
  archive.on('error', (error) => {
    fault = error
  })
  // `pipe` passes no errors on.
  tar.on('error', (error) => archive.destroy(error))
  try {
    tar.pipe(archive)
    await writeAll(archive, root, limits)
  } catch (error) {
    // An entry that is cut off only says that its stream was destroyed.
    throw fault ?? error
  } finally {
    tar.destroy()
  }
}

async function writeAll(archive: Extract, root: string, limits: UnpackLimits): Promise<void> {
  const links = new Map<string, string>()
  const made = new Set<string>()
  let [entries, bytes] = [0, 0]
  for await (const entry of archive) {
    const { type, size, linkname } = entry.header
    entries += 1
    bytes += size ?? 0
    if (entries > limits.entries) throw new Error(`it holds more than ${limits.entries} files`)
    if (bytes > limits.bytes) throw new Error(`it holds more than ${Math.round(limits.bytes / 1024 ** 2)} MiB`)
    const path = targetPath(entry.header, root)
    if (path === undefined || (type === 'file' && (size ?? 0) > limits.fileBytes)) entry.resume()
    else if (type === 'file') {
      await makeFolder(dirname(path), made)
      await writeFile(path, await buffer(entry))
    } else {
      if (type === 'directory') await makeFolder(path, made)
      if (type === 'symlink') links.set(path, linkname ?? '')
      entry.resume()
    }
  }
  await makeLinks(links, root)
}

/** Where an entry goes, or undefined for the top folder itself. */
function targetPath({ name }: Header, root: string): string | undefined {
  const [, ...inside] = name.split('/').filter((part) => part !== '' && part !== '.')
  if (name.startsWith('/') || name.includes('\0') || name.split(/[/\\]/).includes('..')) {
    throw new Error('it holds a name that leads out of it')
  }
  return inside.length === 0 ? undefined : join(root, ...inside)
}

async function makeFolder(path: string, made: Set<string>): Promise<void> {
  if (made.has(path)) return
  await mkdir(path, { recursive: true })
  made.add(path)
}

/** A link can lead out by way of another one, though each alone seems to stay inside: the final target counts. */
async function makeLinks(links: ReadonlyMap<string, string>, root: string): Promise<void> {
  const inside = [...links].filter(
    ([path, target]) =>
      isInside(resolve(dirname(path), target), root) &&
      !isAbsolute(target) &&
      !foldersOf(path, root).some((folder) => links.has(folder)),
  )
  for (const [path, target] of inside) {
    await mkdir(dirname(path), { recursive: true })
    await symlink(target, path)
  }
  for (const [path] of inside) {
    const end = await realpath(path).catch(() => undefined)
    if (end === undefined || !isInside(end, root)) await rm(path)
  }
}

/** The folders that a path lies in, up to the root. */
function foldersOf(path: string, root: string): readonly string[] {
  const folders: string[] = []
  for (let folder = dirname(path); folder.length > root.length; folder = dirname(folder)) folders.push(folder)
  return folders
}

function isInside(path: string, root: string): boolean {
  const inside = relative(root, path)
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}
