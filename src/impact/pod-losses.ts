import { podPlaces, podTemplateOf } from '../manifest/pod-places.ts'
import type { PodLoss } from '../model/impact.ts'
import { arrayAt, at, isJsonObject, type JsonObject, type JsonValue, stringAt } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import type { ReleaseObjects } from './release-objects.ts'
import { withNewContainerNames } from './renamed-containers.ts'
import { selectsPods } from './selectors.ts'

/**
 * What no longer looks after containers that stay: probes and limits. Sources: the docs of Kubernetes, "Liveness, Readiness,
 * and Startup Probes", "Pod Quality of Service Classes" and "Node-pressure Eviction".
 */
export function podLosses(
  ref: Ref,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  release: ReleaseObjects,
): readonly PodLoss[] {
  if (before === undefined || after === undefined) return []
  return podPlaces(before, after).flatMap(({ other, pod }) => {
    const [old, spec] = [at(pod, 'spec'), at(other, 'spec')]
    if (!isJsonObject(old) || !isJsonObject(spec)) return []
    const was = withNewContainerNames(old, spec)
    return [...probeLosses(ref, was, { spec, after }, release), ...limitLosses(ref, was, spec, release)]
  })
}

const PROBES = [
  ['readinessProbe', 'readiness-probe'],
  ['livenessProbe', 'liveness-probe'],
  ['startupProbe', 'startup-probe'],
] as const

function probeLosses(
  ref: Ref,
  was: JsonObject,
  { after, spec }: { readonly after: JsonObject; readonly spec: JsonObject },
  release: ReleaseObjects,
): readonly PodLoss[] {
  const labels = at(podTemplateOf(after) ?? after, 'metadata', 'labels')
  const isServed = () =>
    release.services.some(
      (service) =>
        service.metadata.namespace === ref.namespace && selectsPods(service, isJsonObject(labels) ? labels : {}),
    )
  return pairsOf(was, spec).flatMap(({ container, now, old }) =>
    PROBES.flatMap(([field, what]): readonly PodLoss[] => {
      if (old[field] === undefined || now[field] !== undefined) return []
      // It only holds back the other one.
      if (what === 'startup-probe' && now.livenessProbe === undefined) return []
      return [{ what, container, ...(what === 'readiness-probe' && isServed() && { isServed: true }) }]
    }),
  )
}

interface ContainerPair {
  readonly container: string
  readonly old: JsonObject
  readonly now: JsonObject
}

/** Containers that run as long as the pod does, on both sides: others have no probes, and end. */
function pairsOf(was: JsonObject, spec: JsonObject): readonly ContainerPair[] {
  const had = new Map(runningIn(was).map((one) => [stringAt(one, 'name'), one]))
  return runningIn(spec).flatMap((now) => {
    const [container, old] = [stringAt(now, 'name') ?? '', had.get(stringAt(now, 'name'))]
    return old === undefined ? [] : [{ container, old, now }]
  })
}

function runningIn(spec: JsonObject): readonly JsonObject[] {
  const sidecars = arrayAt(spec, 'initContainers').filter((one) => stringAt(one, 'restartPolicy') === 'Always')
  return [...sidecars, ...arrayAt(spec, 'containers')].filter(isJsonObject)
}

function limitLosses(ref: Ref, was: JsonObject, spec: JsonObject, release: ReleaseObjects): readonly PodLoss[] {
  const isFilledIn = (fields: readonly string[]) =>
    release.all.some(
      (one) =>
        one.kind === 'LimitRange' &&
        one.metadata.namespace === ref.namespace &&
        arrayAt(one, 'spec', 'limits').some((limit) =>
          fields.some((field) => at(limit, ...field.split('.')) !== undefined),
        ),
    )
  if (asksForAny(was) && !asksForAny(spec)) {
    return isFilledIn(['default', 'defaultRequest']) ? [] : [{ what: 'all-resources' }]
  }
  if (memoryLimit(spec) !== undefined) return []
  const lost = pairsOf(was, spec).filter(
    ({ now, old }) => memoryLimit(old) !== undefined && memoryLimit(now) === undefined,
  )
  if (lost.length === 0 || isFilledIn(['default.memory'])) return []
  return lost.map(({ container }) => ({ what: 'memory-limit' as const, container }))
}

function memoryLimit(one: JsonObject): JsonValue | undefined {
  return at(one, 'resources', 'limits', 'memory')
}

/** Whether the pod is of another class than BestEffort. */
function asksForAny(spec: JsonObject): boolean {
  const all = [spec, ...['initContainers', 'containers'].flatMap((list) => arrayAt(spec, list))]
  return all.some((one) =>
    ['requests', 'limits'].some((list) =>
      ['cpu', 'memory'].some((resource) => at(one, 'resources', list, resource) !== undefined),
    ),
  )
}

/** Init containers that come new: pods start only once they have ended. Source: the docs of Kubernetes, "Init Containers". */
export function startsAfter(before: JsonObject | undefined, after: JsonObject | undefined): readonly string[] {
  if (before === undefined || after === undefined) return []
  return podPlaces(before, after).flatMap(({ other, pod }) => {
    const [old, spec] = [at(pod, 'spec'), at(other, 'spec')]
    if (!isJsonObject(old) || !isJsonObject(spec)) return []
    const had = new Set(endingIn(withNewContainerNames(old, spec)))
    return endingIn(spec).filter((name) => !had.has(name))
  })
}

/** One that restarts always is a sidecar. Source: the docs of Kubernetes, "Sidecar Containers". */
function endingIn(spec: JsonObject): readonly string[] {
  return arrayAt(spec, 'initContainers')
    .filter((one) => stringAt(one, 'restartPolicy') !== 'Always')
    .map((one) => stringAt(one, 'name') ?? '')
}
