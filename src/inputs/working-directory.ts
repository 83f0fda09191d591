import type { Problem } from '../model/problem.ts'
import type { Files } from '../ports.ts'
import type { RawInputs } from './input-names.ts'
import { inputProblem, shorten } from './input-problem.ts'

/** A path of an input as `Files` takes it. */
export type StartedPath = (path: string) => string

/** Relative paths of the inputs start in the working directory; an address is no path. */
export function pathsFromStart(raw: RawInputs, files: Files): StartedPath {
  const folder = raw('working-directory')
  return (path) => (path === '' || IS_ADDRESS.test(path) ? path : files.pathFrom(folder, path))
}

/** Files by paths as the inputs write them. */
export function filesFromStart(raw: RawInputs, files: Files): Pick<Files, 'read' | 'exists' | 'locate'> {
  const started = pathsFromStart(raw, files)
  return {
    read: (path) => files.read(started(path)),
    exists: (path) => files.exists(started(path)),
    locate: (path) => files.locate(started(path)),
  }
}

const IS_ADDRESS = /^[a-z][a-z0-9+.-]{0,20}:\/\//i

export async function workingDirectoryProblems(raw: RawInputs, files: Files): Promise<readonly Problem[]> {
  const folder = raw('working-directory')
  if (folder === '' || (await files.exists(files.pathFrom('', folder))) === 'directory') return []
  const what = `"${shorten(folder)}" is no directory of the workspace`
  return [inputProblem('working-directory', what, { kind: 'write-working-directory' })]
}
