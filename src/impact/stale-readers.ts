import { builtInKind } from '../manifest/built-in-kinds.ts'
import { canonicalJson } from '../manifest/canonical-json.ts'
import { podSpecsOf } from '../manifest/pod-places.ts'
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
import { referenceKey } from './references.ts'
import type { Releases } from './release-objects.ts'

/**
 * Workloads whose pods read a ConfigMap or a Secret that changes only when they start, and that do not restart: their pod
 * template stays as it is. Source: docs/sources.md#kubernetes-config-updates.
 */
export function staleReaders(ref: Ref, before: JsonObject, after: JsonObject, releases: Releases): readonly string[] {
  const kind = builtInKind(ref)?.kind
  if (kind !== 'ConfigMap' && kind !== 'Secret') return []
  const referrers = releases.after.referrers.get(referenceKey(kind, ref.namespace, ref.name)) ?? []
  if (referrers.length === 0) return []
  const changed = changedKeys(kind, before, after)
  const names = new Set(referrers.map(({ name }) => name))
  return releases.after.workloads
    .filter((one) => KEEPS_RUNNING.has(builtInKind(one)?.kind ?? '') && one.metadata.namespace === ref.namespace)
    .filter((one) => names.has(nameOf(one)) && !isReloaded(one) && keepsItsTemplate(one, releases))
    .filter((one) => podSpecsOf(one).some((spec) => readsAtStart(spec, kind, ref.name, changed)))
    .map(nameOf)
}

/** The others start new pods for each run. */
const KEEPS_RUNNING: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet'])

function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind}/${metadata.name ?? ''}`
}

/** Keys of which the value is another one; of a Secret, however it is written. */
function changedKeys(kind: 'ConfigMap' | 'Secret', before: JsonObject, after: JsonObject): ReadonlySet<string> {
  const [old, now] = [valuesOf(kind, before), valuesOf(kind, after)]
  return new Set([...old.keys(), ...now.keys()].filter((key) => old.get(key) !== now.get(key)))
}

function valuesOf(kind: 'ConfigMap' | 'Secret', object: JsonObject): ReadonlyMap<string, string> {
  const entries = (field: string) => {
    const map = object[field]
    return Object.entries(isJsonObject(map) ? map : {}).map(([key, value]) => [key, String(value)] as const)
  }
  const plain = entries('stringData').map(([key, value]) => [key, Buffer.from(value).toString('base64')] as const)
  return new Map([...entries('data'), ...entries('binaryData'), ...(kind === 'Secret' ? plain : [])])
}

/** Tools that restart pods by themselves: Reloader and Wave. */
function isReloaded(workload: KubeObject): boolean {
  const places = [at(workload, 'metadata', 'annotations'), at(workload, 'spec', 'template', 'metadata', 'annotations')]
  return places.some(
    (annotations) =>
      isJsonObject(annotations) &&
      Object.keys(annotations).some((key) => /(^|\.)reloader\.stakater\.com\/|^wave\.pusher\.com\//.test(key)),
  )
}

function keepsItsTemplate(workload: KubeObject, { before }: Releases): boolean {
  const old = before.workloads.find(
    (one) => nameOf(one) === nameOf(workload) && one.metadata.namespace === workload.metadata.namespace,
  )
  if (old === undefined) return false
  const [was, is] = [old, workload].map((one) => canonicalJson(at(one, 'spec', 'template') ?? null))
  return was === is
}

/** As variables, or as a file mounted by its `subPath`. */
function readsAtStart(
  spec: JsonObject,
  kind: 'ConfigMap' | 'Secret',
  name: string,
  changed: ReadonlySet<string>,
): boolean {
  const [from, key] = kind === 'ConfigMap' ? ['configMapRef', 'configMapKeyRef'] : ['secretRef', 'secretKeyRef']
  const volumes = arrayAt(spec, 'volumes').filter((volume) => volumeReads(volume, kind, name))
  const containers = ['initContainers', 'containers'].flatMap((list) => arrayAt(spec, list).filter(isJsonObject))
  return containers.some(
    (one) =>
      (changed.size > 0 && arrayAt(one, 'envFrom').some((source) => stringAt(source, from, 'name') === name)) ||
      arrayAt(one, 'env').some((variable) => {
        const source = at(variable, 'valueFrom', key)
        return stringAt(source, 'name') === name && changed.has(stringAt(source, 'key') ?? '')
      }) ||
      arrayAt(one, 'volumeMounts').some((mount) => mountsChanged(mount, volumes, changed)),
  )
}

function volumeReads(volume: JsonValue, kind: 'ConfigMap' | 'Secret', name: string): boolean {
  const source = kind === 'ConfigMap' ? at(volume, 'configMap', 'name') : at(volume, 'secret', 'secretName')
  return source === name
}

/** `items` give the keys other paths. */
function mountsChanged(mount: JsonValue, volumes: readonly JsonValue[], changed: ReadonlySet<string>): boolean {
  const path = stringAt(mount, 'subPath')
  const volume = volumes.find((one) => stringAt(one, 'name') === stringAt(mount, 'name'))
  if (path === undefined || path === '' || volume === undefined) return false
  const items = [...arrayAt(volume, 'configMap', 'items'), ...arrayAt(volume, 'secret', 'items')]
  const item = items.find((one) => stringAt(one, 'path') === path)
  return changed.has(items.length === 0 ? path : (stringAt(item, 'key') ?? ''))
}
