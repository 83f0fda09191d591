import { at, type JsonObject, stringAt, stringsAt } from '../model/object.ts'
import { compareText } from '../model/ref.ts'
import type { ServedKind } from '../model/served.ts'
import { crdKind, servedVersions } from './crd-kind.ts'

/** What discovery will say of the kind of a CRD, once it is established; nothing for anything else. */
export function servedByCrd(crd: JsonObject): readonly ServedKind[] {
  const defined = crdKind(crd)
  const resource = stringAt(crd, 'spec', 'names', 'plural')
  if (defined === undefined || resource === undefined) return []
  const versions = servedVersions(crd).toSorted(compareVersions)
  return versions.map((version, index) => ({
    ...defined,
    version,
    resource,
    singular: stringAt(crd, 'spec', 'names', 'singular') ?? defined.kind.toLowerCase(),
    shortNames: stringsAt(crd, 'spec', 'names', 'shortNames'),
    isNamespaced: stringAt(crd, 'spec', 'scope') !== 'Cluster',
    hasStatus: hasStatus(crd, version),
    isPreferred: index === 0,
  }))
}

function hasStatus(crd: JsonObject, version: string): boolean {
  const versions = at(crd, 'spec', 'versions')
  const own = Array.isArray(versions) ? versions.find((one) => stringAt(one, 'name') === version) : undefined
  return (at(own, 'subresources', 'status') ?? at(crd, 'spec', 'subresources', 'status')) !== undefined
}

/** As the API server prefers them: v2, v1, v2beta1, v1alpha2, then all others by name. Source: docs/sources.md#kubernetes-crd-schemas. */
function compareVersions(a: string, b: string): number {
  const [x, y] = [rankOf(a), rankOf(b)]
  const differing = x.findIndex((number, index) => number !== y[index])
  return differing === -1 ? compareText(a, b) : (y[differing] ?? 0) - (x[differing] ?? 0)
}

function rankOf(version: string): readonly number[] {
  const [, major, stage, minor] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? []
  if (major === undefined) return [0, 0, 0]
  return [stage === undefined ? 3 : stage === 'beta' ? 2 : 1, Number(major), Number(minor ?? 0)]
}
