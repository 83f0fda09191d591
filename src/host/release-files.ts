import { readdir } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { ReleaseSource, ReleaseSpec } from '../model/release.ts'
import { unreachable } from '../model/unreachable.ts'
import { workspacePaths } from './workspace-paths.ts'

/** Where the files of a release lie in the workspace. */
export type ReleaseFiles =
  | {
      readonly kind: 'chart'
      /** From the workspace. */
      readonly directory: string
      /** Unpacked subcharts by their path below `charts/`, as Helm names it: `cache`, `cache/charts/base`. */
      readonly subcharts: ReadonlySet<string>
    }
  | { readonly kind: 'manifests' }

/** By `namespace/release`, an unnamed namespace being empty. A packaged chart, one of another place and a record have no files there. */
export async function filesOfReleases(
  releases: readonly ReleaseSpec[],
  workspace: string,
): Promise<ReadonlyMap<string, ReleaseFiles>> {
  const found = await Promise.all(
    releases.map(async ({ namespace = '', release, source }) => {
      const files = await filesOfSource(source, workspace)
      return files === undefined ? [] : [[`${namespace}/${release}`, files] as const]
    }),
  )
  return new Map(found.flat())
}

async function filesOfSource(source: ReleaseSource, workspace: string): Promise<ReleaseFiles | undefined> {
  switch (source.kind) {
    case 'manifests':
      return { kind: 'manifests' }
    case 'chart': {
      if (source.origin !== undefined || source.path.endsWith('.tgz')) return undefined
      const paths = workspacePaths(workspace)
      const directory = paths.pathFrom('', source.path)
      if (isAbsolute(directory)) return undefined
      const subcharts = await subchartsBelow(join(paths.locate(directory), 'charts'), '', 0)
      return { kind: 'chart', directory, subcharts: new Set(subcharts) }
    }
    case 'record':
      return undefined
    default:
      return unreachable(source)
  }
}

/** Deeper than any chart; a symlink that leads back ends there at the latest. */
const MAX_DEPTH = 10

async function subchartsBelow(folder: string, prefix: string, depth: number): Promise<readonly string[]> {
  if (depth >= MAX_DEPTH) return []
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []) // A chart without subcharts.
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const nested = await Promise.all(
    names.map((name) => subchartsBelow(join(folder, name, 'charts'), `${prefix}${name}/charts/`, depth + 1)),
  )
  return [...names.map((name) => `${prefix}${name}`), ...nested.flat()]
}
