import { accessSync, constants, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { isBelow, programFiles } from './path-forms.ts'

/** Whether the path, or what it leads to, lies in the folder: then whoever wrote the checkout may have written it. */
export function isInside(path: string, folder: string): boolean {
  return isBelow(path, folder) || isBelow(real(path), real(folder))
}

/** Whether the path and what it leads to both lie in the folder. */
export function staysInside(path: string, folder: string): boolean {
  return isBelow(path, folder) && isBelow(real(path), real(folder))
}

/** The program that a name on PATH starts; undefined where there is none. */
export function programOnPath(name: string, path: string | undefined): string | undefined {
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.flatMap((folder) => programFiles(join(folder, name))).find(isExecutable)
}

/** What does not exist leads nowhere else. */
function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
