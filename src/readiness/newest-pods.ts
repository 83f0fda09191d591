import { builtInKind } from '../manifest/built-in-kinds.ts'
import { arrayAt, isJsonObject, type KubeObject, stringAt } from '../model/object.ts'
import { groupOf } from '../model/ref.ts'

/** Annotation of the Deployment controller on ReplicaSets: a higher number is a newer template. */
const REVISION = 'deployment.kubernetes.io/revision'
const HASH_LABEL = 'controller-revision-hash'
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation'
const TEMPLATE_GENERATION_LABEL = 'pod-template-generation'

/**
 * The pods that a workload has created from its newest template: older ones are about to be replaced, and their trouble
 * says nothing about this deploy. Where pods cannot be told apart, all pods of the workload.
 * Source: docs/sources.md#kubedog-readiness.
 */
export function newestPods(workload: KubeObject, relatives: readonly KubeObject[]): readonly KubeObject[] {
  const pods = relatives.filter(({ kind }) => kind === 'Pod')
  switch (builtInKind(workload)?.pods) {
    case 'through-replica-sets': {
      const newest = newestReplicaSet(workload, relatives)
      return newest === undefined ? [] : pods.filter((pod) => isOwnedBy(pod, newest))
    }
    case 'owned-by-revision':
      return withLabel(podsOwnedBy(workload, pods), HASH_LABEL, stringAt(workload, 'status', 'updateRevision'))
    case 'owned-by-generation':
      return withLabel(
        podsOwnedBy(workload, pods),
        TEMPLATE_GENERATION_LABEL,
        workload.metadata.annotations?.[TEMPLATE_GENERATION],
      )
    default:
      return podsOwnedBy(workload, pods)
  }
}

function newestReplicaSet(workload: KubeObject, relatives: readonly KubeObject[]): KubeObject | undefined {
  const replicaSets = relatives.filter((relative) => relative.kind === 'ReplicaSet' && isOwnedBy(relative, workload))
  return replicaSets.reduce<KubeObject | undefined>(
    (newest, candidate) =>
      newest === undefined || replicaSetRevision(candidate) > replicaSetRevision(newest) ? candidate : newest,
    undefined,
  )
}

/** How the Deployment controller numbers its ReplicaSets; 0 where it has not yet. */
export function replicaSetRevision(replicaSet: KubeObject): number {
  const revision = Number(replicaSet.metadata.annotations?.[REVISION])
  return Number.isFinite(revision) ? revision : 0
}

function podsOwnedBy(owner: KubeObject, pods: readonly KubeObject[]): readonly KubeObject[] {
  return pods.filter((pod) => isOwnedBy(pod, owner))
}

/** By uid; by group, kind and name where an object was written down without one. */
export function isOwnedBy(object: KubeObject, owner: KubeObject): boolean {
  const { uid, name } = owner.metadata
  return arrayAt(object, 'metadata', 'ownerReferences').some((reference) => {
    if (!isJsonObject(reference)) return false
    if (uid !== undefined) return reference.uid === uid
    const isSameGroup = groupOf(stringAt(reference, 'apiVersion') ?? '') === groupOf(owner.apiVersion)
    return isSameGroup && reference.kind === owner.kind && reference.name === name
  })
}

function withLabel(pods: readonly KubeObject[], label: string, value: string | undefined): readonly KubeObject[] {
  if (value === undefined || value === '') return pods
  return pods.filter((pod) => (pod.metadata.labels?.[label] ?? value) === value)
}
