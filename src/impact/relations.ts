import { builtInKind } from '../manifest/built-in-kinds.ts'
import { isAppLabel, isVersionKey } from '../manifest/metadata-keys.ts'
import { defined } from '../model/defined.ts'
import type { Impact } from '../model/impact.ts'
import { at, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import { referenceKey } from './references.ts'
import { labelsOfPods, type ReleaseObjects } from './release-objects.ts'
import { autoscalerOf } from './restart.ts'
import { selects } from './selectors.ts'

/** What the release as it is to be has to do with an object that is new, or that is deleted. */
export function relationsOf(
  ref: Ref,
  object: JsonObject,
  { isDeleted, release }: { readonly isDeleted: boolean; readonly release: ReleaseObjects },
): Pick<Impact, 'usedBy' | 'workloads'> {
  const users = usersOf(ref, release)
    .filter(({ isNeeded }) => isNeeded || !isDeleted)
    .map(({ name }) => name)
  const usedBy = isDeleted ? [...users, ...servicesLeftEmpty(ref, object, release)] : users
  const workloads = workloadsOf(ref, object, release)
  return defined({
    usedBy: usedBy.length === 0 && !(isDeleted && isUnused(ref, object, release)) ? undefined : usedBy,
    workloads: isDeleted && workloads?.length === 0 ? undefined : workloads,
  })
}

/**
 * Of what pods read. Custom resources may name it in ways of their own, and sidecars and controllers find it by its labels; of a release
 * that goes nothing is left.
 */
function isUnused(ref: Ref, object: JsonObject, release: ReleaseObjects): boolean {
  const isRead = ['ConfigMap', 'Secret'].includes(builtInKind(ref)?.kind ?? '')
  return (
    isRead &&
    release.all.length > 0 &&
    !release.hasCustomKinds &&
    !release.hasHidden &&
    !isFoundByLabels(object) &&
    usersOf(ref, release).length === 0
  )
}

/** `grafana_dashboard` and the like: more than labels that only say what it is part of. */
function isFoundByLabels(object: JsonObject): boolean {
  const labels = at(object, 'metadata', 'labels')
  return isJsonObject(labels) && Object.keys(labels).some((key) => !isVersionKey(key) && !isAppLabel(key))
}

function usersOf(ref: Ref, { referrers }: ReleaseObjects) {
  return builtInKind(ref) === undefined ? [] : (referrers.get(referenceKey(ref.kind, ref.namespace, ref.name)) ?? [])
}

/** Services that stay and select pods of this workload, and of no other one. */
function servicesLeftEmpty(ref: Ref, workload: JsonObject, release: ReleaseObjects): readonly string[] {
  const labels = labelsOfPods(workload)
  if (labels === undefined || builtInKind(ref)?.isWorkload !== true) return []
  return release.services
    .filter(({ metadata }) => metadata.namespace === ref.namespace)
    .filter((service) => {
      const matchLabels = at(service, 'spec', 'selector')
      if (!isJsonObject(matchLabels) || Object.keys(matchLabels).length === 0) return false
      return selects({ matchLabels }, labels) && selected(ref, { matchLabels }, release)?.length === 0
    })
    .map(objectName)
}

function workloadsOf(ref: Ref, object: JsonObject, release: ReleaseObjects): readonly string[] | undefined {
  switch (builtInKind(ref)?.kind) {
    case 'Service': {
      const matchLabels = at(object, 'spec', 'selector')
      if (!isJsonObject(matchLabels) || Object.keys(matchLabels).length === 0) return undefined
      return selected(ref, { matchLabels }, release)
    }
    case 'PodDisruptionBudget':
      return selected(ref, at(object, 'spec', 'selector'), release)
    case 'HorizontalPodAutoscaler':
      return scaledBy(ref, object, release)
    default:
      return undefined
  }
}

/** Undefined where there are none, and others may make such pods. */
function selected(ref: Ref, selector: JsonValue | undefined, release: ReleaseObjects): readonly string[] | undefined {
  const names = release.workloads
    .filter((one) => one.metadata.namespace === ref.namespace && selects(selector, labelsOfPods(one) ?? {}))
    .map(objectName)
  return names.length === 0 && release.hasCustomKinds ? undefined : names
}

/** A target outside of the release is not known. */
function scaledBy(ref: Ref, autoscaler: JsonObject, { workloads }: ReleaseObjects): readonly string[] | undefined {
  const own = { ...autoscaler, apiVersion: ref.apiVersion, kind: ref.kind, metadata: { ...ref } } as KubeObject
  const target = workloads.find(({ apiVersion, kind, metadata: { name, namespace } }) =>
    autoscalerOf({ apiVersion, kind, name: name ?? '', ...defined({ namespace }) }, [own]),
  )
  return target === undefined ? undefined : [objectName(target)]
}

function objectName({ kind, metadata }: KubeObject): string {
  return `${kind}/${metadata.name ?? ''}`
}
