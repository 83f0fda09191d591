import { isJsonObject, type JsonObject, type KubeObject } from '../model/object.ts'

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** Fields of `metadata` that only the API server writes. */
const serverWritten: ReadonlySet<string> = new Set([
  'managedFields',
  'resourceVersion',
  'uid',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
])

/**
 * The object without its status and the server's metadata, for comparing and showing: what was written, and defaults.
 */
export function withoutBookkeeping(object: JsonObject): JsonObject {
  const { status: _status, ...rest } = object
  if (!isJsonObject(rest.metadata)) return rest
  const metadata = without(rest.metadata, (key) => serverWritten.has(key))
  const { annotations } = metadata
  if (!isJsonObject(annotations) || !Object.hasOwn(annotations, LAST_APPLIED)) return { ...rest, metadata }
  return { ...rest, metadata: withAnnotations(metadata, (key) => key === LAST_APPLIED) }
}

/**
 * The object as it may be sent: without what an apply must not carry (`managedFields` is refused, a `uid` or
 * `resourceVersion` would be a precondition) and without annotations that the API server rejects because their key has
 * two slashes, as `helm.sh/depends-on/resource-groups` does. Sources: docs/sources.md#helm-resource-groups,
 * docs/sources.md#kubernetes-annotations.
 */
export function forApply(object: KubeObject): KubeObject {
  const metadata = without(object.metadata, (key) => serverWritten.has(key))
  const { annotations } = metadata
  if (!isJsonObject(annotations) || !Object.keys(annotations).some(hasTwoSlashes)) return { ...object, metadata }
  return { ...object, metadata: withAnnotations(metadata, hasTwoSlashes) }
}

function hasTwoSlashes(key: string): boolean {
  return key.indexOf('/') !== key.lastIndexOf('/')
}

/** Without `annotations` where no key would be left: the map existed only for those keys. */
function withAnnotations(metadata: JsonObject, isDropped: (key: string) => boolean): JsonObject {
  const { annotations, ...rest } = metadata
  const kept = isJsonObject(annotations) ? without(annotations, isDropped) : {}
  return Object.keys(kept).length === 0 ? rest : { ...rest, annotations: kept }
}

function without(object: JsonObject, isDropped: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !isDropped(key)))
}
