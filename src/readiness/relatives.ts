import type { KubeObject } from '../model/object.ts'
import { groupOf } from '../model/ref.ts'

/** Kinds below an object that hold evidence of failure, and stand in its namespace. */
export interface RelativeKind {
  readonly apiVersion: string
  readonly kind: string
}

const POD: RelativeKind = { apiVersion: 'v1', kind: 'Pod' }
const REPLICA_SET: RelativeKind = { apiVersion: 'apps/v1', kind: 'ReplicaSet' }

const RELATIVES = new Map<string, readonly RelativeKind[]>([
  ['apps/Deployment', [REPLICA_SET, POD]],
  ['apps/StatefulSet', [POD]],
  ['apps/DaemonSet', [POD]],
  ['apps/ReplicaSet', [POD]],
  ['/ReplicationController', [POD]],
  ['batch/Job', [POD]],
])

/**
 * Which kinds `readiness` and `completion` want to see beside an object, owners before what they own. They count only
 * what the object owns, directly or through another relative (`metadata.ownerReferences`): selectors may overlap.
 */
export function relativesOf(object: KubeObject): readonly RelativeKind[] {
  return RELATIVES.get(`${groupOf(object.apiVersion)}/${object.kind}`) ?? []
}
