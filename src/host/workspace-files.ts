import { glob, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, normalize, relative, resolve, sep } from 'node:path'
import type { Files } from '../ports.ts'
import { readPacked } from './packed-file.ts'

/** Larger input files are refused: values and manifests of people are far below. See docs/decisions/0033. */
const MAX_FILE_BYTES = 10 * 1024 * 1024
/** A directory of manifests holds fewer; more is a wrong path, such as the root of a repository with its packages. */
const MAX_LISTED = 10_000

/**
 * Files of the workspace. A relative path must stay inside it, links followed; an absolute path is read as it is, because
 * the workflow's author wrote it.
 */
export function workspaceFiles(workspace: string): Files {
  const locate = async (path: string): Promise<string> => {
    const absolute = await realpath(resolve(workspace, path))
    if (isAbsolute(path)) return absolute
    const inside = relative(await realpath(workspace), absolute)
    if (inside.startsWith('..') || isAbsolute(inside)) throw new Error(`${path} leads out of the workspace`)
    return absolute
  }
  return {
    read: async (path) => {
      const absolute = await locate(path)
      const { size } = await stat(absolute)
      if (size > MAX_FILE_BYTES) throw new Error(`${path} is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`)
      return readFile(absolute, 'utf8')
    },
    exists: async (path) => {
      try {
        const found = await stat(await locate(path))
        return found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'none'
      } catch {
        // Missing, unreadable and outside the workspace are one answer: it is no input.
        return 'none'
      }
    },
    list: async (pattern) => {
      const found: string[] = []
      for await (const path of pathsOfPattern(pattern, workspace)) {
        if (!(await stat(await locate(path))).isFile()) continue
        found.push(path)
        if (found.length > MAX_LISTED) throw new Error(`${pattern} holds more than ${MAX_LISTED} files`)
      }
      return found.sort()
    },
    readPacked: async (path, name) => readPacked(await locate(path), name),
    locate: (path) => resolve(workspace, path),
  }
}

/**
 * Files of a copy of the workspace. A path in the workspace, relative or absolute, is read at the same place in the copy,
 * and listed paths have the form of the pattern.
 */
export function filesOfCopy(workspace: string, folder: string): Files {
  const ofCopy = workspaceFiles(folder)
  const inCopy = (path: string): string => movedPath(path, workspace, folder)
  return {
    read: (path) => ofCopy.read(inCopy(path)),
    exists: (path) => ofCopy.exists(inCopy(path)),
    list: async (pattern) => (await ofCopy.list(inCopy(pattern))).map((path) => movedPath(path, folder, workspace)),
    readPacked: (path, name) => ofCopy.readPacked(inCopy(path), name),
    locate: (path) => ofCopy.locate(inCopy(path)),
  }
}

/** A full path below one folder as that below another; any other path as it is. */
function movedPath(path: string, from: string, to: string): string {
  if (!isAbsolute(path)) return path
  const inside = relative(from, path)
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? path : join(to, inside)
}

/** Paths that a pattern may mean, as the pattern is written: relative or absolute. Links to directories are not followed. */
async function* pathsOfPattern(pattern: string, workspace: string): AsyncIterable<string> {
  const folder = resolve(workspace, pattern)
  const isDirectory = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false, // A glob, or nothing at all.
  )
  if (!isDirectory) {
    yield* glob(normalize(pattern), { cwd: workspace })
    return
  }
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const inside = relative(folder, join(entry.parentPath, entry.name))
    if (entry.isDirectory() || inside.split('/').some((part) => part.startsWith('.'))) continue
    yield join(pattern, inside)
  }
}
