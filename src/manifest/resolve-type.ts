import { compareText, groupOf, type Ref, versionOf } from '../model/ref.ts'
import type { ServedKind } from '../model/served.ts'

/**
 * The kind behind what a person writes for a resource type: `deploy`, `statefulset`, `secrets`,
 * `certificates.cert-manager.io`, `deployments.v1.apps`. The group's preferred version and the shortest group win, as
 * in kubectl. Source: docs/sources.md#nelm-dependencies.
 */
export function resolveType(type: string, served: readonly ServedKind[]): ServedKind | undefined {
  const [word = '', ...rest] = type.toLowerCase().split('.')
  const named = served.filter((kind) => namesOf(kind).includes(word))
  const [version, ...group] = rest
  const exact = named.filter((kind) => rest.length > 1 && kind.version === version && kind.group === group.join('.'))
  const inGroup = named.filter((kind) => rest.length > 0 && kind.group === rest.join('.'))
  const candidates = exact.length > 0 ? exact : rest.length > 0 ? inGroup : named
  return candidates.toSorted(
    (a, b) =>
      Number(b.isPreferred) - Number(a.isPreferred) || a.group.length - b.group.length || compareText(a.group, b.group),
  )[0]
}

function namesOf(kind: ServedKind): readonly string[] {
  return [kind.resource, kind.singular, kind.kind.toLowerCase(), ...kind.shortNames]
}

/** The kind as discovery knows it; undefined where the cluster does not serve it in this version. */
export function servedAs(ref: Ref, served: readonly ServedKind[]): ServedKind | undefined {
  const group = groupOf(ref.apiVersion)
  const version = versionOf(ref.apiVersion)
  return served.find((kind) => kind.kind === ref.kind && kind.version === version && kind.group === group)
}
