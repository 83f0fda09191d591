import type { ServedKind } from '../model/served.ts'
import { builtInKinds } from './built-in-kinds.ts'

/** What a cluster serves by itself, for plans without one. */
export const servedByDefault: readonly ServedKind[] = builtInKinds.flatMap(
  ({ group, hasStatus, kind, resource, scope, shortNames, versions }) =>
    versions.map((version) => ({
      group,
      version,
      kind,
      resource,
      singular: kind.toLowerCase(),
      shortNames,
      isNamespaced: scope === 'namespaced',
      hasStatus,
      isPreferred: version === versions[0],
    })),
)
