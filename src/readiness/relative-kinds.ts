import { builtInKind } from '../manifest/built-in-kinds.ts'
import type { KubeObject } from '../model/object.ts'

/** A kind of objects that another one owns in its namespace, and that shows why the owner is not ready. */
export interface RelativeKind {
  readonly apiVersion: string
  readonly kind: string
}

const POD: RelativeKind = { apiVersion: 'v1', kind: 'Pod' }
const REPLICA_SET: RelativeKind = { apiVersion: 'apps/v1', kind: 'ReplicaSet' }

/**
 * Which kinds `readiness` and `completion` need in addition to an object, owners before what they own. They read only
 * what the object owns, directly or through another relative (`metadata.ownerReferences`): selectors may overlap.
 */
export function relativeKindsOf(object: KubeObject): readonly RelativeKind[] {
  const place = builtInKind(object)?.pods
  if (place === undefined || place === 'itself') return []
  return place === 'through-replica-sets' ? [REPLICA_SET, POD] : [POD]
}
