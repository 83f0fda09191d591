import type { ServedKind } from '../model/served.ts'
import { builtInKinds } from './built-in-kinds.ts'

/** The built-in kinds as a cluster serves them, for plans without a cluster. */
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
