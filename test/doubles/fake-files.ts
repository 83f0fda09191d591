import { matchesGlob, normalize, posix } from 'node:path'
import { workspacePaths } from '../../src/host/workspace-paths.ts'
import type { Files } from '../../src/ports.ts'

/** A workspace of texts by path; of a `.tgz` the text is that of its Chart.yaml. */
export function fakeFiles(texts: Readonly<Record<string, string>>): Files {
  const { pathFrom, locate } = workspacePaths('/workspace', posix)
  const paths = Object.keys(texts).sort()
  const read = async (path: string): Promise<string> => {
    const text = texts[path]
    if (text === undefined) throw new Error(`no such file: ${path}`)
    return text
  }
  const isBelow = (path: string, folder: string) => folder === '.' || path.startsWith(`${folder}/`)
  return {
    read,
    exists: async (path) => {
      if (texts[path] !== undefined) return 'file'
      return paths.some((file) => isBelow(file, path)) ? 'directory' : 'none'
    },
    list: async (pattern) => {
      const plain = normalize(pattern).replace(/\/$/, '')
      return paths.filter((path) => isBelow(path, plain) || matchesGlob(path, plain))
    },
    // The text stands for Chart.yaml: an archive holds nothing else.
    readPacked: async (path, name) => (texts[path] === '' || name !== 'Chart.yaml' ? undefined : read(path)),
    pathFrom,
    locate,
  }
}
