import type { ServedKind } from '../../src/model/served.ts'

/** A built-in kind as discovery tells it; all but Namespaces live in one. */
export function servedKind(group: string, version: string, kind: string): ServedKind {
  return {
    group,
    version,
    kind,
    resource: `${kind.toLowerCase()}s`,
    singular: kind.toLowerCase(),
    shortNames: [],
    isNamespaced: kind !== 'Namespace',
    hasStatus: true,
    isPreferred: true,
  }
}
