import { pluralOf } from '../manifest/built-in-kinds.ts'
import { servedByCrd } from '../manifest/crd-served.ts'
import { resolveType } from '../manifest/resolve-type.ts'
import { servedByDefault } from '../manifest/served-by-default.ts'
import type { Resource } from '../model/directives.ts'
import type { ServedKind } from '../model/served.ts'

/** What a cluster is taken to serve: the built-in kinds, and those of the input `api-versions` (`group/version/Kind`). */
export function assumedKinds(apiVersions: readonly string[]): readonly ServedKind[] {
  const given = apiVersions.flatMap((text) => {
    const [group, version, kind] = text.split('/')
    return group === undefined || version === undefined || kind === undefined
      ? []
      : [assumedKind({ group, version, kind })]
  })
  return [...servedByDefault, ...given]
}

/**
 * Adds the types that external dependencies name: only a cluster knows whether it serves them. Those of CRDs among the
 * resources are known.
 */
export function withExternalTypes(
  served: readonly ServedKind[],
  resources: readonly Resource[],
): readonly ServedKind[] {
  const types = new Set(resources.flatMap(({ directives }) => directives.externalDependencies.map(({ type }) => type)))
  const known = [...served, ...resources.flatMap(({ manifest }) => servedByCrd(manifest.object))]
  const unknown = [...types].filter((type) => resolveType(type, known) === undefined)
  return [...served, ...unknown.flatMap(assumedKindOfType)]
}

/** `type[.version][.group]` */
function assumedKindOfType(type: string): readonly ServedKind[] {
  const [kind = '', ...rest] = type.split('.')
  const isVersion = /^v\d/.test(rest[0] ?? '')
  if (kind === '') return []
  return [
    assumedKind({
      kind,
      version: (isVersion ? rest[0] : undefined) ?? 'v1',
      group: rest.slice(isVersion ? 1 : 0).join('.'),
    }),
  ]
}

function assumedKind({ group, version, kind }: Pick<ServedKind, 'group' | 'version' | 'kind'>): ServedKind {
  return {
    group,
    version,
    kind,
    resource: pluralOf(kind.toLowerCase()),
    singular: kind.toLowerCase(),
    shortNames: [],
    isNamespaced: true,
    hasStatus: true,
    isPreferred: true,
  }
}
