import type { V1ManagedFieldsEntry } from '@kubernetes/client-node'
import {
  at,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  stringAt,
  type Wire,
} from '../../src/model/object.ts'
import type { Ref } from '../../src/model/ref.ts'
import type { ListQuery } from '../../src/ports.ts'

/** What the fake API server does to single objects: server-side apply, selectors, JSON patch. All of it pure. */

type ManagedFieldsEntry = Wire<V1ManagedFieldsEntry>

const MANAGER = 'helm'

export function refOf(object: KubeObject): Ref {
  const { name, namespace } = object.metadata
  const ref = { apiVersion: object.apiVersion, kind: object.kind, name: name ?? '' }
  return namespace === undefined ? ref : { ...ref, namespace }
}

export interface Conflict {
  readonly manager: string
  readonly field: string
}

/**
 * Server-side apply, approximated: maps merge, every list is atomic, and fields that `helm` owned and no longer sends go
 * unless another manager owns them. Ownership stands in `metadata.managedFields`, as on a real server.
 */
export function applied(
  live: KubeObject | undefined,
  sent: KubeObject,
  force: boolean,
): { readonly object: KubeObject; readonly conflicts: readonly Conflict[] } {
  const entries = live?.metadata.managedFields ?? []
  const ours = entries.filter((entry) => entry.manager === MANAGER && entry.operation === 'Apply')
  const others = entries.filter((entry) => !ours.includes(entry))
  const paths = leaves(sent)
  const conflicts = paths.flatMap((path) =>
    others
      .filter((entry) => entry.subresource === undefined && owns(entry, path))
      .filter(() => !sameJson(at(live, ...path), at(sent, ...path)))
      .map((entry) => ({ manager: entry.manager ?? 'unknown', field: `.${path.join('.')}` })),
  )
  if (conflicts.length > 0 && !force) return { object: sent, conflicts }

  const dropped = ours
    .flatMap((entry) => fieldPaths(entry.fieldsV1))
    .filter((path) => at(sent, ...path) === undefined && !others.some((entry) => owns(entry, path)))
  const base = dropped.reduce((object, path) => without(object, path), live ?? sent)
  const merged = asObject(merge(base, sent))
  const mine: ManagedFieldsEntry = {
    manager: MANAGER,
    operation: 'Apply',
    apiVersion: sent.apiVersion,
    fieldsV1: fieldsOf(paths),
  }
  const kept = force ? others.map((entry) => withoutFields(entry, paths)) : others
  return { object: { ...merged, metadata: { ...merged.metadata, managedFields: [mine, ...kept] } }, conflicts: [] }
}

/** JSON patch with the four operations that the action uses. Throws where a `test` fails or a path is missing. */
export function patched(object: KubeObject, operations: readonly JsonObject[]): KubeObject {
  return asObject(
    operations.reduce<JsonValue>((value, operation) => {
      const path = (stringAt(operation, 'path') ?? '')
        .split('/')
        .slice(1)
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      const op = stringAt(operation, 'op')
      if (op !== 'test') return edit(value, path, op === 'remove' ? undefined : operation.value, op === 'add')
      const found = path.reduce<JsonValue | undefined>(child, value)
      if (!sameJson(found, operation.value)) throw new Error(`test failed at ${path.join('/')}`)
      return value
    }, object),
  )
}

export function matchesQuery(object: KubeObject, query: ListQuery): boolean {
  return (
    object.apiVersion === query.apiVersion &&
    object.kind === query.kind &&
    (query.namespace === undefined || object.metadata.namespace === query.namespace) &&
    (query.fieldSelector ?? '')
      .split(',')
      .every((term) => matchesTerm(term, (path) => at(object, ...path.split('.')))) &&
    (query.labelSelector ?? '')
      .split(',')
      .every((term) => matchesTerm(term, (key) => at(object, 'metadata', 'labels', key)))
  )
}

export function sameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return canonical(a) === canonical(b)
}

function matchesTerm(term: string, read: (key: string) => JsonValue | undefined): boolean {
  if (term === '') return true
  const [, key = '', operator = '', value = ''] = /^([^=!]+)(!=|==|=)?(.*)$/.exec(term) ?? []
  const found = read(key)
  if (operator === '') return found !== undefined
  return operator === '!=' ? String(found ?? '') !== value : String(found ?? '') === value
}

function leaves(value: JsonValue | undefined, path: readonly string[] = []): readonly (readonly string[])[] {
  if (path.length === 1 && (path[0] === 'apiVersion' || path[0] === 'kind' || path[0] === 'status')) return []
  if (path.length === 2 && path[0] === 'metadata' && !['labels', 'annotations', 'finalizers'].includes(path[1] ?? '')) {
    return []
  }
  if (!isJsonObject(value)) return value === undefined ? [] : [path]
  return Object.entries(value).flatMap(([key, child]) => leaves(child, [...path, key]))
}

function fieldPaths(fields: JsonValue | undefined, path: readonly string[] = []): readonly (readonly string[])[] {
  if (!isJsonObject(fields)) return []
  const children = Object.entries(fields).filter(([key]) => key.startsWith('f:'))
  if (children.length === 0) return path.length === 0 ? [] : [path]
  return children.flatMap(([key, child]) => fieldPaths(child, [...path, key.slice(2)]))
}

function owns(entry: ManagedFieldsEntry, path: readonly string[]): boolean {
  return fieldPaths(entry.fieldsV1).some((owned) => owned.join('\n') === path.join('\n'))
}

function fieldsOf(paths: readonly (readonly string[])[]): JsonObject {
  return asMap(
    paths.reduce<JsonValue>(
      (fields, path) =>
        edit(
          fields,
          path.map((key) => `f:${key}`),
          {},
          true,
        ),
      {},
    ),
  )
}

function withoutFields(entry: ManagedFieldsEntry, paths: readonly (readonly string[])[]): ManagedFieldsEntry {
  const kept = fieldPaths(entry.fieldsV1).filter((owned) => !paths.some((path) => path.join('\n') === owned.join('\n')))
  return { ...entry, fieldsV1: fieldsOf(kept) }
}

function without(object: KubeObject, path: readonly string[]): KubeObject {
  return at(object, ...path) === undefined ? object : asObject(edit(object, path, undefined, false))
}

function edit(
  value: JsonValue | undefined,
  path: readonly string[],
  replacement: JsonValue | undefined,
  makes: boolean,
): JsonValue {
  const [key, ...rest] = path
  if (key === undefined) return replacement ?? {}
  if (isJsonArray(value)) {
    const index = key === '-' ? value.length : Number(key)
    if (rest.length > 0) return value.with(index, edit(value[index], rest, replacement, makes))
    if (replacement === undefined) return value.toSpliced(index, 1)
    return makes ? value.toSpliced(index, 0, replacement) : value.with(index, replacement)
  }
  if (!isJsonObject(value) && !makes) throw new Error(`no such path: ${path.join('/')}`)
  const map = isJsonObject(value) ? value : {}
  if (rest.length > 0) return { ...map, [key]: edit(map[key], rest, replacement, makes) }
  if (replacement !== undefined) return { ...map, [key]: replacement }
  return Object.fromEntries(Object.entries(map).filter(([name]) => name !== key))
}

function merge(base: JsonValue | undefined, sent: JsonValue | undefined): JsonValue {
  if (!isJsonObject(base) || !isJsonObject(sent)) return sent ?? null
  const keys = Object.entries(sent).map(([key, value]) => [key, merge(base[key], value)] as const)
  return { ...base, ...Object.fromEntries(keys) }
}

function child(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonArray(value) ? value[Number(key)] : at(value, key)
}

function canonical(value: JsonValue | undefined): string {
  return JSON.stringify(value, (_key, inner: JsonValue) => {
    if (typeof inner === 'bigint') return `${inner}n`
    if (!isJsonObject(inner)) return inner
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}

function asMap(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) throw new Error('not an object')
  return value
}

function asObject(value: JsonValue): KubeObject {
  const map = asMap(value)
  const { apiVersion, kind, metadata } = map
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !isJsonObject(metadata)) {
    throw new Error('not a Kubernetes object')
  }
  return { ...map, apiVersion, kind, metadata }
}
