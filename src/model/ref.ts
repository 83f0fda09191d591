import type { JsonObject, KubeObject } from './object.ts'

/** Names one object. `namespace` is absent for cluster-scoped objects; for namespaced ones it is always filled in. */
export interface Ref {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
}

/**
 * Identity of an object: API group, kind, namespace and name, without the version, so that `apps/v1beta1` and `apps/v1`
 * of one Deployment are one object. Source: Helm's own match of old and new resources (docs/sources.md#helm-upgrade).
 */
export function refKey(ref: Ref): string {
  return `${groupOf(ref.apiVersion)}/${ref.kind}/${ref.namespace ?? ''}/${ref.name}`
}

/** `Deployment/shop/web`, or `ClusterRole/reader` for a cluster-scoped object. */
export function formatRef(ref: Ref): string {
  return ref.namespace === undefined ? `${ref.kind}/${ref.name}` : `${ref.kind}/${ref.namespace}/${ref.name}`
}

/** The ref that an object gives itself; one without a name (`generateName`) has an empty name. */
export function refOfObject({ apiVersion, kind, metadata }: KubeObject): Ref {
  const { name = '', namespace }: JsonObject = metadata
  return { apiVersion, kind, ...(typeof namespace === 'string' ? { namespace } : {}), name: String(name) }
}

/** API group of an apiVersion: `apps` of `apps/v1`, empty for the core group's `v1`. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/')
  return slash === -1 ? '' : apiVersion.slice(0, slash)
}

/** Version of an apiVersion: `v1` of `apps/v1` and of `v1`. */
export function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1)
}

/** Total order for output that must not depend on the input's order. */
export function compareRefs(a: Ref, b: Ref): number {
  return compareText(refKey(a), refKey(b))
}

/** Byte-wise comparison, independent of the machine's locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
