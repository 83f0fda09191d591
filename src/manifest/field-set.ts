import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'

/**
 * One node of a fieldsV1 tree. Keys are written as the API server writes them: `f:name` a field, `k:{"name":"x"}` an
 * item of a keyed list, `v:"x"` a member of a set, `i:0` an item by index. `isMember`: the manager owns this very path,
 * not only paths below it (an empty object, or the key `.`). Source: structured-merge-diff's fieldsV1 format.
 */
export interface FieldSet {
  readonly isMember: boolean
  readonly children: ReadonlyMap<string, FieldSet>
}

/** Deeper than any object that Kubernetes accepts; what is below counts as owned with its ancestor. */
const MAX_DEPTH = 200

const emptySet: FieldSet = { isMember: false, children: new Map() }

export function parseFieldSet(fieldsV1: JsonValue | undefined): FieldSet {
  return isJsonObject(fieldsV1) ? { ...parseNode(fieldsV1, 0), isMember: false } : emptySet
}

export function unionOf(a: FieldSet, b: FieldSet): FieldSet {
  const children = new Map(a.children)
  for (const [key, child] of b.children) {
    const other = children.get(key)
    children.set(key, other === undefined ? child : unionOf(other, child))
  }
  return { isMember: a.isMember || b.isMember, children }
}

export function fieldsV1Of(set: FieldSet): JsonObject {
  const own: [string, JsonObject][] = set.isMember && set.children.size > 0 ? [['.', {}]] : []
  return Object.fromEntries([...own, ...[...set.children].map(([key, child]) => [key, fieldsV1Of(child)] as const)])
}

/** The child of a node for one step of a path through `value`, the live value at that node. */
export function childAt(set: FieldSet, step: string, value: JsonValue | undefined): FieldSet | undefined {
  return entryAt(set, step, value)?.child
}

/** The same with its key. */
export function entryAt(
  set: FieldSet,
  step: string,
  value: JsonValue | undefined,
): { readonly key: string; readonly child: FieldSet } | undefined {
  if (!isJsonArray(value)) {
    const child = set.children.get(`f:${step}`)
    return child === undefined ? undefined : { key: `f:${step}`, child }
  }
  const item = value[Number(step)]
  for (const [key, child] of set.children) {
    if (isKeyOfItem(key, step, item)) return { key, child }
  }
  return undefined
}

/** The step through `value` for a node's key: the name of a field, the index of an item; undefined: not there. */
export function stepOf(key: string, value: JsonValue | undefined): string | number | undefined {
  if (key.startsWith('f:')) return isJsonObject(value) && Object.hasOwn(value, key.slice(2)) ? key.slice(2) : undefined
  if (!isJsonArray(value)) return undefined
  const index = value.findIndex((item, position) => isKeyOfItem(key, String(position), item))
  return index === -1 ? undefined : index
}

/**
 * The fields by which the API server merges the items of a list: number and protocol of a port, whatever its name.
 * Undefined: nobody owns an item of it by such a key.
 */
export function itemKeyFields(sets: readonly FieldSet[]): readonly string[] | undefined {
  const keys = sets.flatMap(({ children }) => [...children.keys()].filter((key) => key.startsWith('k:')))
  const [key] = keys.map((one) => parsed(one.slice(2)))
  return isJsonObject(key) ? Object.keys(key) : undefined
}

/** A key with a default (a port's protocol) may be left out of the object. */
export function keyFieldOf(item: JsonValue, field: string): JsonValue | undefined {
  if (!isJsonObject(item)) return undefined
  return Object.hasOwn(item, field) ? item[field] : field === 'protocol' ? 'TCP' : undefined
}

function parseNode(node: JsonObject, depth: number): FieldSet {
  const entries = Object.entries(node)
  if (depth >= MAX_DEPTH) return { isMember: true, children: new Map() }
  const children = new Map(
    entries.flatMap(([key, child]) =>
      key === '.' || !isJsonObject(child) ? [] : [[key, parseNode(child, depth + 1)]],
    ),
  )
  return { isMember: entries.length === 0 || Object.hasOwn(node, '.'), children }
}

function isKeyOfItem(key: string, step: string, item: JsonValue | undefined): boolean {
  if (key.startsWith('i:')) return key.slice(2) === step
  const wanted = parsed(key.slice(2))
  if (key.startsWith('v:')) return wanted !== undefined && wanted === item
  if (!key.startsWith('k:') || !isJsonObject(wanted) || !isJsonObject(item)) return false
  return Object.entries(wanted).every(([field, value]) => keyFieldOf(item, field) === value)
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    // The API server never writes a key that is not JSON.
    return undefined
  }
}
