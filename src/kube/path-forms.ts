import nodePath, { type PlatformPath } from 'node:path'

/** The files that may be the program of a path. Windows finds `aws.exe` as `aws`. */
export function programFiles(path: string, flavour: PlatformPath = nodePath): readonly string[] {
  return flavour.sep === '/' || flavour.extname(path) !== '' ? [path] : [`${path}.exe`, `${path}.com`]
}

/** Both as they are written. `flavour`: how the system writes paths. */
export function isBelow(path: string, folder: string, flavour: PlatformPath = nodePath): boolean {
  const inside = flavour.relative(folder, path)
  return inside === '' || (inside.split(flavour.sep)[0] !== '..' && !flavour.isAbsolute(inside))
}

/** Whether a command is a path, which is not looked for on PATH. */
export function isPath(command: string, flavour: PlatformPath = nodePath): boolean {
  return command.includes('/') || command.includes(flavour.sep)
}
