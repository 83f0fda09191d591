import type { PodLimit } from '../model/impact.ts'
import { arrayAt, at, isJsonObject, type JsonObject, type JsonValue, stringAt, stringsAt } from '../model/object.ts'
import { containersOf, droppedCapabilities, podPartsOf } from './pod-security.ts'

/**
 * What containers that stay may no longer do: one that relies on it fails when it starts. Source: the docs of Kubernetes,
 * "Configure a Security Context for a Pod or Container".
 */
export function podLimits(before: JsonObject | undefined, after: JsonObject | undefined): readonly PodLimit[] {
  if (before === undefined || after === undefined) return []
  const [old, now] = [podPartsOf(before, after), podPartsOf(after)]
  return now.flatMap(({ spec }, index) => {
    const was = old[index]?.spec
    if (was === undefined) return []
    const had = new Map(containersOf(was).map((one) => [stringAt(one, 'name'), one]))
    const ofContainers = containersOf(spec).flatMap((one) => {
      const [container, earlier] = [stringAt(one, 'name') ?? '', had.get(stringAt(one, 'name'))]
      return earlier === undefined ? [] : limitsOf(was, earlier, spec, one).map((limit) => ({ ...limit, container }))
    })
    const isTokenGone = at(was, TOKEN) !== false && at(spec, TOKEN) === false
    return [...ofContainers, ...(isTokenGone ? [{ what: 'no-token' as const }] : [])]
  })
}

const TOKEN = 'automountServiceAccountToken'

function limitsOf(was: JsonObject, old: JsonObject, spec: JsonObject, now: JsonObject): readonly PodLimit[] {
  const isReadOnly = (one: JsonObject) => at(one, 'securityContext', 'readOnlyRootFilesystem') === true
  return [
    ...(isReadOnly(now) && !isReadOnly(old) ? [readOnlyRoot(spec, now)] : []),
    ...capabilityLimits(old, now),
    ...(mustNotBeRoot(spec, now) && !mustNotBeRoot(was, old) ? [{ what: 'not-root' as const }] : []),
  ]
}

function readOnlyRoot(spec: JsonObject, container: JsonObject): PodLimit {
  const volumes = new Map(arrayAt(spec, 'volumes').map((volume) => [stringAt(volume, 'name'), volume]))
  const isWritable = arrayAt(container, 'volumeMounts').some(
    (mount) => at(mount, 'readOnly') !== true && !isReadOnlySort(volumes.get(stringAt(mount, 'name'))),
  )
  return { what: 'read-only-root', ...(!isWritable && { hasNoVolume: true }) }
}

/** Those that no pod can write to. A claim of a StatefulSet is no volume of its pods. */
function isReadOnlySort(volume: JsonValue | undefined): boolean {
  return ['configMap', 'secret', 'downwardAPI', 'projected', 'image'].some((key) => at(volume, key) !== undefined)
}

function capabilityLimits(old: JsonObject, now: JsonObject): readonly PodLimit[] {
  const [had, has] = [droppedCapabilities(old), droppedCapabilities(now)]
  const names = has.filter((name) => !had.includes(name))
  if (names.length === 0 || had.includes('ALL')) return []
  if (!names.includes('ALL')) return [{ what: 'fewer-capabilities', names }]
  const kept = stringsAt(now, 'securityContext', 'capabilities', 'add')
  return [{ what: 'no-capabilities', ...(kept.length > 0 && { names: kept }) }]
}

/** Its image has to name another user by number; where the pod names one, it starts as that. */
function mustNotBeRoot(spec: JsonObject, container: JsonObject): boolean {
  const own = (key: string) => {
    const context = at(container, 'securityContext')
    return (isJsonObject(context) ? at(context, key) : undefined) ?? at(spec, 'securityContext', key)
  }
  return own('runAsNonRoot') === true && own('runAsUser') === undefined
}
