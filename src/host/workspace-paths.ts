import nodePath, { type PlatformPath } from 'node:path'

/** Where paths of the inputs lead, without a look at the disk. */
export interface WorkspacePaths {
  /** See `Files.pathFrom`. */
  pathFrom(folder: string, text: string): string
  /** Absolute. */
  locate(path: string): string
  /** Whether an absolute path is the workspace or lies below it. */
  holds(absolute: string): boolean
  /** With `/`, as names in reports, annotations and charts have it on every system. */
  withSlashes(path: string): string
}

/** `flavour`: how the system writes paths. */
export function workspacePaths(workspace: string, flavour: PlatformPath = nodePath): WorkspacePaths {
  const holds = (absolute: string) => {
    const inside = flavour.relative(workspace, absolute)
    return inside !== '..' && !inside.startsWith(`..${flavour.sep}`) && !flavour.isAbsolute(inside)
  }
  const withSlashes = (path: string) => path.replaceAll(flavour.sep, '/')
  return {
    holds,
    withSlashes,
    locate: (path) => flavour.resolve(workspace, path),
    pathFrom: (folder, text) => {
      if (folder === '' && !flavour.isAbsolute(text)) return withSlashes(text)
      const start = flavour.resolve(workspace, folder)
      const absolute = flavour.resolve(start, text)
      const mayBeOutside = flavour.isAbsolute(text) || (flavour.isAbsolute(folder) && !holds(start))
      if (mayBeOutside && !holds(absolute)) return absolute
      // A relative path that leads out stays one, so that it is refused.
      return withSlashes(flavour.relative(workspace, absolute)) || '.'
    },
  }
}
