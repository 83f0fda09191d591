import { podPlaceOf } from '../manifest/built-in-kinds.ts'
import { asKind } from '../model/api-object.ts'
import { at, isJsonObject, type KubeObject } from '../model/object.ts'
import { compareText, type Ref } from '../model/ref.ts'
import type { ListQuery, Reader } from '../ports.ts'
import { isOwnedBy, replicaSetRevision } from '../readiness/newest-pods.ts'

/**
 * Pods of a workload, those of the newest revision first, then what is not ready, then the newest; and the objects
 * between it and them (ReplicaSets), newest first. A Pod is its own pod; other kinds have none. Throws ApiError.
 */
export async function podsOf(
  cluster: Reader,
  object: KubeObject,
  signal: AbortSignal,
): Promise<{ readonly pods: readonly KubeObject[]; readonly owners: readonly KubeObject[] }> {
  const place = podPlaceOf(object)
  if (place === undefined) return { pods: [], owners: [] }
  if (place === 'itself') return { pods: [object], owners: [] }
  if (place === 'through-replica-sets') {
    const sets = await cluster.list(selectorQuery(object, 'apps/v1', 'ReplicaSet'), signal)
    const own = sets.filter((set) => isOwnedBy(set, object)).toSorted(compareRevisions)
    const pods = await cluster.list(selectorQuery(object, 'v1', 'Pod'), signal)
    const ordered = own.flatMap((set) => pods.filter((pod) => isOwnedBy(pod, set)).toSorted(comparePods))
    return { pods: ordered, owners: own.slice(0, 1) }
  }
  const pods = await cluster.list(selectorQuery(object, 'v1', 'Pod'), signal)
  return { pods: pods.filter((pod) => isOwnedBy(pod, object)).toSorted(comparePods), owners: [] }
}

/** Whether the workload has, or is, pods whose logs can be read. */
export function hasPods(ref: Ref): boolean {
  return podPlaceOf(ref) !== undefined
}

/** The workload's own selector keeps the list short; its pods are found by their owner. */
function selectorQuery(workload: KubeObject, apiVersion: string, kind: string): ListQuery {
  const labels = at(workload, 'spec', 'selector', 'matchLabels')
  const terms = isJsonObject(labels) ? Object.entries(labels).map(([key, value]) => `${key}=${String(value)}`) : []
  const query = { apiVersion, kind, namespace: workload.metadata.namespace ?? '' }
  return terms.length === 0 ? query : { ...query, labelSelector: terms.join(',') }
}

function compareRevisions(a: KubeObject, b: KubeObject): number {
  return replicaSetRevision(b) - replicaSetRevision(a) || compareAge(a, b)
}

function comparePods(a: KubeObject, b: KubeObject): number {
  return Number(isReady(a)) - Number(isReady(b)) || compareAge(a, b)
}

function compareAge(a: KubeObject, b: KubeObject): number {
  return (
    compareText(b.metadata.creationTimestamp ?? '', a.metadata.creationTimestamp ?? '') ||
    compareText(a.metadata.name ?? '', b.metadata.name ?? '')
  )
}

function isReady(pod: KubeObject): boolean {
  return (
    asKind('Pod', pod).status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true
  )
}
