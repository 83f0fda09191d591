import { glob, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, normalize, relative, resolve, sep } from 'node:path'
import { readPacked } from '../archives/packed-file.ts'
import type { Files } from '../ports.ts'
import { workspacePaths } from './workspace-paths.ts'

/** Larger input files are refused: values and manifests of people are far below. See docs/decisions/0033. */
const MAX_FILE_BYTES = 10 * 1024 * 1024
/** A directory of manifests holds fewer; more is a wrong path, such as the root of a repository with its packages. */
const MAX_LISTED = 10_000

/**
 * Files of the workspace. A relative path must stay inside it, links followed; an absolute path is read as it is, because
 * the workflow's author wrote it.
 */
export function workspaceFiles(workspace: string): Files {
  const { locate, pathFrom, withSlashes } = workspacePaths(workspace)
  const found = async (path: string): Promise<string> => {
    const absolute = await realpath(locate(path))
    if (isAbsolute(path) || workspacePaths(await realpath(workspace)).holds(absolute)) return absolute
    throw new Error(`${path} leads out of the workspace`)
  }
  return {
    read: async (path) => {
      const absolute = await found(path)
      const { size } = await stat(absolute)
      if (size > MAX_FILE_BYTES) throw new Error(`${path} is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`)
      return readFile(absolute, 'utf8')
    },
    exists: async (path) => {
      try {
        const stats = await stat(await found(path))
        return stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'none'
      } catch {
        // Missing, unreadable and outside the workspace are one answer: it is no input.
        return 'none'
      }
    },
    list: async (pattern) => {
      const paths: string[] = []
      for await (const path of pathsOfPattern(pattern, workspace)) {
        if (!(await stat(await found(path))).isFile()) continue
        paths.push(withSlashes(path))
        if (paths.length > MAX_LISTED) throw new Error(`${pattern} holds more than ${MAX_LISTED} files`)
      }
      return paths.sort()
    },
    readPacked: async (path, name) => readPacked(await found(path), name),
    pathFrom,
    locate,
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
    pathFrom: workspacePaths(workspace).pathFrom,
    locate: (path) => ofCopy.locate(inCopy(path)),
  }
}

/** A full path below one folder as that below another; any other path as it is. */
function movedPath(path: string, from: string, to: string): string {
  return isAbsolute(path) && workspacePaths(from).holds(path) ? join(to, relative(from, path)) : path
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
    if (entry.isDirectory() || inside.split(sep).some((part) => part.startsWith('.'))) continue
    yield join(pattern, inside)
  }
}
