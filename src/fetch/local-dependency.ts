import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { readPacked } from '../archives/packed-file.ts'
import { FetchError, messageOf } from '../model/errors.ts'
import { identityIn } from './chart-archive.ts'
import { shown } from './wanted-version.ts'

/** A chart of the workspace that another one names with `file://`. */
export interface LocalChart {
  readonly name: string
  readonly version: string
  /** Absolute, all links followed. */
  readonly path: string
  /** From the top folder of the workspace, with `/`. */
  readonly source: string
}

const MAX_CHART_FILE_BYTES = 1024 * 1024

/**
 * The chart at `file://...`, which starts at the folder of the chart that names it. It may not leave the workspace, by
 * whatever links. Throws FetchError. Source: Helm, internal/resolver, resolver.go, GetLocalPath.
 */
export async function localChart(request: {
  readonly repository: string
  /** Folder of the chart that names it. */
  readonly from: string
  /** Top folder of the workspace. */
  readonly root: string
}): Promise<LocalChart> {
  const { repository, from } = request
  if (!(await stat(from)).isDirectory()) {
    const what = `${shown(repository)} lies where the chart was packed`
    throw new FetchError({ what, hint: { kind: 'package-chart' } })
  }
  const root = await realpath(request.root)
  const path = await realPathInside(resolve(from, repository.slice('file://'.length)), root, repository)
  try {
    const text = await chartFile(path, root, repository)
    const identity = text === undefined ? undefined : identityIn(text, shown(repository))
    if (identity === undefined) throw new Error('it has no Chart.yaml with name and version')
    return { ...identity, path, source: relative(root, path).split(sep).join('/') }
  } catch (error) {
    if (error instanceof FetchError) throw error
    throw new FetchError(
      { what: `${shown(repository)} is no chart: ${firstLine(error)}`, hint: { kind: 'correct-dependency-path' } },
      { cause: error },
    )
  }
}

async function chartFile(path: string, root: string, repository: string): Promise<string | undefined> {
  if (!(await stat(path)).isDirectory()) return readPacked(path, 'Chart.yaml')
  if (!(await readdir(path)).includes('Chart.yaml')) return undefined
  const file = await realPathInside(join(path, 'Chart.yaml'), root, repository)
  const found = await stat(file)
  if (!found.isFile() || found.size > MAX_CHART_FILE_BYTES) throw new Error('Chart.yaml is larger than 1 MiB')
  return readFile(file, 'utf8')
}

async function realPathInside(path: string, root: string, repository: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined)
  if (real === undefined) {
    // Where it would lie: nothing is told of what there is outside.
    if (!isBelow(await nearestReal(path), root)) throw leavesWorkspace(repository)
    throw new FetchError({ what: `${shown(repository)} does not exist`, hint: { kind: 'correct-dependency-path' } })
  }
  if (!isBelow(real, root)) throw leavesWorkspace(repository)
  return real
}

async function nearestReal(path: string): Promise<string> {
  return realpath(path).catch(() => (dirname(path) === path ? path : nearestReal(dirname(path))))
}

function leavesWorkspace(repository: string): FetchError {
  return new FetchError({
    what: `${shown(repository)} leads out of the workspace`,
    hint: { kind: 'move-dependency-inside' },
  })
}

function isBelow(path: string, root: string): boolean {
  const inside = relative(root, path)
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}

function firstLine(error: unknown): string {
  return messageOf(error).split('\n', 1)[0] ?? ''
}
