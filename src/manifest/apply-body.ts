import type { Resource } from '../model/directives.ts'
import { isJsonObject, type JsonObject, type KubeObject } from '../model/object.ts'
import { forApply } from './bookkeeping.ts'
import { ownersOf } from './managed-fields.ts'
import { withOwnership } from './ownership.ts'

const FIELD_MANAGER = 'helm'

/**
 * The object as it is sent: with the ownership metadata where the release owns it, and without `spec.replicas` where
 * another field manager (an autoscaler) owns that field: sending it would conflict, and leaving it out changes nothing.
 */
export function bodyFor(
  resource: Resource,
  context: { readonly release: string; readonly namespace: string; readonly live: KubeObject | undefined },
): KubeObject {
  const { manifest, directives } = resource
  const sent = forApply(manifest.object)
  const isOwned = directives.ownership === 'release'
  const marked = isOwned ? withOwnership(sent, { release: context.release, namespace: context.namespace }) : sent
  if (context.live === undefined) return withReplicas(marked, directives.replicasOnCreation)
  return areReplicasForeign(context.live) ? withoutReplicas(marked) : marked
}

function areReplicasForeign(live: KubeObject): boolean {
  const owners = ownersOf(live, '/spec/replicas')
  return owners.length > 0 && !owners.includes(FIELD_MANAGER)
}

function withReplicas(object: KubeObject, replicas: number | undefined): KubeObject {
  if (replicas === undefined || !isJsonObject(object.spec)) return object
  return { ...object, spec: { ...object.spec, replicas } }
}

function withoutReplicas(object: KubeObject): KubeObject {
  const spec = object.spec
  if (!isJsonObject(spec) || !('replicas' in spec)) return object
  const { replicas: _held, ...rest } = spec
  const kept: JsonObject = rest
  return { ...object, spec: kept }
}
