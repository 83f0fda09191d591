import type { Resource } from '../model/directives.ts'
import { isJsonObject, type JsonObject, type KubeObject } from '../model/object.ts'
import { forApply } from './bookkeeping.ts'
import { builtInKind } from './built-in-kinds.ts'
import { ownersOf } from './managed-fields.ts'
import { type Owner, ownershipOf, withOwnership } from './ownership.ts'

const FIELD_MANAGER = 'helm'

/**
 * The object as it is sent: with the ownership metadata where the release owns it, and without what a controller decides
 * and owns: sending it would conflict, and leaving it out changes nothing. That is `spec.replicas` of an autoscaler, and
 * the rules of a ClusterRole with an `aggregationRule`, which charts write as an empty list
 * (docs/sources.md#kubernetes-aggregated-clusterroles).
 */
export function bodyFor(
  resource: Resource,
  context: { readonly release: string; readonly namespace: string; readonly live: KubeObject | undefined },
): KubeObject {
  const { manifest, directives } = resource
  const sent = forApply(manifest.object)
  const marked = directives.ownership === 'release' ? withOwnership(sent, context) : withMarksOfOther(sent, context)
  if (context.live === undefined) return withReplicas(marked, directives.replicasOnCreation)
  const scaled = isForeign(context.live, '/spec/replicas') ? withoutReplicas(marked) : marked
  return isAggregated(scaled) && isForeign(context.live, '/rules') ? withoutRules(scaled) : scaled
}

/** All releases apply as one manager: what anyone owns would lose the marks of the release that it belongs to. */
function withMarksOfOther(
  object: KubeObject,
  { live, release, namespace }: Owner & { readonly live: KubeObject | undefined },
): KubeObject {
  if (live === undefined) return object
  const owner = ownershipOf(live, { release, namespace })
  if (owner.kind !== 'other' || ownershipOf(live, owner).kind !== 'ours') return object
  return withOwnership(object, owner)
}

function isForeign(live: KubeObject, pointer: string): boolean {
  const owners = ownersOf(live, pointer)
  return owners.length > 0 && !owners.includes(FIELD_MANAGER)
}

function isAggregated(object: KubeObject): boolean {
  return builtInKind(object)?.kind === 'ClusterRole' && isJsonObject(object.aggregationRule)
}

function withoutRules(object: KubeObject): KubeObject {
  const { rules: _held, ...rest } = object
  return { ...rest, apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata }
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
