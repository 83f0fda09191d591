import { glob, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve } from 'node:path'
import type { Files } from '../ports.ts'

/** Larger input files are refused: values and manifests of people are far below. Source: pains-and-reliability S-16. */
const MAX_FILE_BYTES = 10 * 1024 * 1024

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
      for await (const path of glob(pattern, { cwd: workspace })) {
        const absolute = await locate(path)
        if ((await stat(absolute)).isFile()) found.push(path)
      }
      return found.sort()
    },
    write: async (path, text) => {
      const absolute = resolve(workspace, path)
      await mkdir(dirname(absolute), { recursive: true })
      await writeFile(absolute, text)
    },
  }
}
