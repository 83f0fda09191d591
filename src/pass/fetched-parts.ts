import type { FetchedDependency, FetchedPart } from '../model/chart-source.ts'
import { defined } from '../model/defined.ts'
import type { ReleaseSource } from '../model/release.ts'

/** What of a release was fetched, the chart itself first; undefined where all of it lay in the workspace. */
export function fetchedParts(source: ReleaseSource): readonly FetchedPart[] | undefined {
  if (source.kind !== 'chart') return undefined
  const { origin, dependencies = [] } = source
  const parts = [...(origin === undefined ? [] : [origin]), ...dependencies.flatMap(dependencyPart)]
  return parts.length === 0 ? undefined : parts
}

/** A dependency of the workspace (`file://`) counts as the workspace does: by what it renders to. */
function dependencyPart(dependency: FetchedDependency): readonly FetchedPart[] {
  const { digest, isLocked, name, parent, signedBy, source, version } = dependency
  if (digest === undefined) return []
  const part = { name, version, source, digest, parent, ...defined({ signedBy }) }
  return [isLocked ? part : { ...part, isUnlocked: true }]
}
