import type { CoreV1Event, V1ContainerStatus, V1Lease, V1Pod, V1Secret } from '@kubernetes/client-node'
import type { KubeObject, Wire } from './object.ts'

/** Built-in kinds whose objects are read field by field. */
interface ApiKinds {
  readonly Event: CoreV1Event
  readonly Lease: V1Lease
  readonly Pod: V1Pod
  readonly Secret: V1Secret
}

/** A live object of a built-in kind. */
export type ApiObject<Kind extends keyof ApiKinds> = KubeObject & Wire<ApiKinds[Kind]>

/**
 * A live object with the fields of its kind. The types hold because the API server stores built-in kinds only as the schema
 * says from which the types are generated; what a manifest or a custom resource holds is not known and is read by `at`.
 */
export function asKind<Kind extends keyof ApiKinds>(kind: Kind, object: KubeObject): ApiObject<Kind> {
  if (object.kind !== kind) throw new Error(`a ${kind} is read, but the object is a ${object.kind}`)
  return object as ApiObject<Kind>
}

export type ContainerStatus = Wire<V1ContainerStatus>

/** Of the containers of a Pod, the init containers first. */
export function containerStatuses(pod: KubeObject): readonly ContainerStatus[] {
  const { status } = asKind('Pod', pod)
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
}
