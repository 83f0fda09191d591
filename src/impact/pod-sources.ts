import { builtInKind } from '../manifest/built-in-kinds.ts'
import { podPlaces } from '../manifest/pod-places.ts'
import { defined } from '../model/defined.ts'
import type { PodSource } from '../model/impact.ts'
import {
  arrayAt,
  at,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  stringAt,
} from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import type { ReleaseObjects } from './release-objects.ts'
import { withNewContainerNames } from './renamed-containers.ts'

/**
 * Secrets and ConfigMaps that containers which stay come to read, by variables and volumes. Source: the API reference of
 * Kubernetes, `EnvVarSource`, `EnvFromSource` and `Volume`.
 */
export function podSources(
  ref: Ref,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  release: ReleaseObjects,
): readonly PodSource[] {
  if (before === undefined || after === undefined) return []
  const isThere = (name: string) =>
    release.hasHidden ||
    release.all.some((one) => one.metadata.namespace === ref.namespace && madeBy(one).includes(name))
  return podPlaces(before, after).flatMap(({ other, pod }) => {
    const [old, spec] = [at(pod, 'spec'), at(other, 'spec')]
    if (!isJsonObject(old) || !isJsonObject(spec)) return []
    const was = withNewContainerNames(old, spec)
    const had = new Set(sourcesIn(was).map(keyOf))
    const values = plainValues(was)
    const stay = new Set(containersIn(was).map((one) => stringAt(one, 'name')))
    return sourcesIn(spec)
      .filter((one) => !had.has(keyOf(one)) && (one.container === undefined || stay.has(one.container)))
      .map((one) => ({
        ...one,
        ...(!isThere(one.from) && { isOutside: true as const }),
        ...(one.into === 'env' && values.has(placeOf(one)) && { replacesValue: true as const }),
      }))
  })
}

/** Itself, and Secrets that a controller makes of it, as External Secrets, Sealed Secrets and cert-manager name them. */
function madeBy({ apiVersion, kind, metadata, spec }: KubeObject): readonly string[] {
  const name = metadata.name ?? ''
  if (builtInKind({ apiVersion, kind }) !== undefined) return [`${kind}/${name}`]
  const targets = [name, stringAt(spec, 'secretName'), stringAt(spec, 'target', 'name')]
  return targets.flatMap((one) => (one === undefined ? [] : [`Secret/${one}`]))
}

function keyOf(source: PodSource): string {
  return JSON.stringify(source)
}

function placeOf({ container, name }: PodSource): string {
  return JSON.stringify([container, name])
}

function plainValues(spec: JsonObject): ReadonlySet<string> {
  return new Set(
    containersIn(spec).flatMap((one) =>
      arrayAt(one, 'env')
        .filter((env) => (stringAt(env, 'value') ?? '') !== '')
        .map((env) => JSON.stringify([stringAt(one, 'name') ?? '', stringAt(env, 'name')])),
    ),
  )
}

function containersIn(spec: JsonObject): readonly JsonObject[] {
  return ['initContainers', 'containers'].flatMap((list) => arrayAt(spec, list)).filter(isJsonObject)
}

function sourcesIn(spec: JsonObject): readonly PodSource[] {
  return [...containersIn(spec).flatMap(ofContainer), ...arrayAt(spec, 'volumes').flatMap(ofVolume)]
}

function ofContainer(one: JsonObject): readonly PodSource[] {
  const container = stringAt(one, 'name') ?? ''
  const variables = arrayAt(one, 'env').flatMap((env) => {
    const name = stringAt(env, 'name') ?? ''
    const from = at(env, 'valueFrom')
    return [...source(from, 'secretKeyRef', 'Secret'), ...source(from, 'configMapKeyRef', 'ConfigMap')].map(
      (found) => ({
        into: 'env' as const,
        name,
        ...found,
      }),
    )
  })
  const all = arrayAt(one, 'envFrom').flatMap((from) =>
    [...source(from, 'secretRef', 'Secret'), ...source(from, 'configMapRef', 'ConfigMap')].map((found) => ({
      into: 'env-from' as const,
      ...found,
    })),
  )
  return [...variables, ...all].map((found) => ({ container, ...found }))
}

function ofVolume(volume: JsonValue): readonly PodSource[] {
  const projected = arrayAt(volume, 'projected', 'sources')
  return [volume, ...projected]
    .flatMap((one) => [...source(one, 'secret', 'Secret'), ...source(one, 'configMap', 'ConfigMap')])
    .map((found) => ({ into: 'volume' as const, name: stringAt(volume, 'name') ?? '', ...found }))
}

function source(
  value: JsonValue | undefined,
  field: string,
  kind: string,
): readonly Pick<PodSource, 'from' | 'isOptional' | 'key'>[] {
  const of = at(value, field)
  const name = stringAt(of, 'name') ?? stringAt(of, 'secretName') ?? ''
  if (name === '') return []
  return [
    {
      from: `${kind}/${name}`,
      ...defined({ key: stringAt(of, 'key') }),
      ...(at(of, 'optional') === true && { isOptional: true as const }),
    },
  ]
}
