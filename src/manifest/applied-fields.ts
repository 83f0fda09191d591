import { stringifyJson } from '../model/json.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../model/object.ts'
import { childAt, type FieldSet, itemKeyFields, keyFieldOf } from './field-set.ts'
import { commonNameKey } from './list-items.ts'
import { fieldSetsOf, pathsNoLongerApplied } from './managed-fields.ts'
import { quantityOf } from './quantity.ts'
import { withoutPaths } from './remove-paths.ts'
import { withSecretData } from './secret-data.ts'

/**
 * The live object as an apply of `body` would most likely leave it, computed without asking the API server: values of
 * the body replace those of the live object, and values that only our earlier applies owned are removed. Defaults,
 * admission and conflicts are not known; `managedFields` tells which lists and maps are merged. It tells nothing about
 * the inside of a value that is owned as a whole: there, what the previous manifest had and `body` lacks is removed,
 * and anything else counts as a default.
 */
export function withApplied(live: KubeObject, body: KubeObject, previous?: KubeObject): KubeObject {
  const sent = withSecretData(body)
  const kept = withoutPaths(live, pathsNoLongerApplied(live, sent))
  // Merged maps keep the fields that make an object of Kubernetes.
  return mergedMap(kept, sent, fieldSetsOf(live), previous) as KubeObject
}

/** The value at the same place of the previous manifest; undefined: it has none, or there is no previous manifest. */
type Before = JsonValue | undefined

function mergedValue(live: JsonValue, body: JsonValue, sets: readonly FieldSet[], previous: Before): JsonValue {
  if (isJsonObject(live) && isJsonObject(body)) return mergedMap(live, body, sets, previous)
  if (isJsonArray(live) && isJsonArray(body)) return mergedList(live, body, sets, previous)
  // `cpu: 1` is stored as text, and null asks for the default.
  return body === null || String(live) === String(body) ? live : body
}

/** A map that one manager owns as a whole is replaced. */
function mergedMap(live: JsonObject, body: JsonObject, sets: readonly FieldSet[], previous: Before): JsonObject {
  const isAtomic = sets.some(({ isMember, children }) => isMember && children.size === 0)
  const isUntracked = sets.every(({ children }) => children.size === 0)
  const before = isJsonObject(previous) ? previous : {}
  const isGone = (key: string) => {
    if (!Object.hasOwn(before, key) || isEmptyValue(before[key] ?? null)) return false
    return Object.hasOwn(body, key) ? body[key] === null : isUntracked
  }
  const kept = Object.entries(live).filter(([key]) => !isGone(key))
  const below = isAtomic && !isEmptyValue(body) ? {} : Object.fromEntries(kept)
  const members = Object.entries(body).flatMap(([key, value]): readonly (readonly [string, JsonValue])[] => {
    const old = Object.hasOwn(live, key) ? live[key] : undefined
    if (value === undefined || isGone(key)) return []
    // Empty values are not stored.
    if (old === undefined) return isEmptyValue(value) ? [] : [[key, value]]
    return [[key, storedQuantity(key, old, mergedValue(old, value, childrenAt(sets, key, live), before[key]))]]
  })
  return { ...below, ...Object.fromEntries(members) }
}

/** Fields that hold a quantity, or quantities by name. */
const QUANTITIES: ReadonlySet<string> = new Set(['limits', 'requests', 'hard', 'capacity', 'sizeLimit', 'averageValue'])

/** The API server normalizes quantities: `1024Mi` is stored as `1Gi`. */
function storedQuantity(key: string, live: JsonValue, value: JsonValue): JsonValue {
  if (!QUANTITIES.has(key)) return value
  if (isJsonObject(live) && isJsonObject(value)) {
    const members = Object.entries(value).map(([name, one]) => [name, sameQuantity(live[name], one) ? live[name] : one])
    return Object.fromEntries(members)
  }
  return sameQuantity(live, value) ? live : value
}

function sameQuantity(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  const [one, other] = [a, b].map((value) => quantityOf(isJsonObject(value) ? undefined : String(value)))
  return one !== undefined && one === other
}

/** Items that `body` lacks are kept only where the list is merged by its keys. */
function mergedList(
  live: readonly JsonValue[],
  body: readonly JsonValue[],
  sets: readonly FieldSet[],
  previous: Before,
): readonly JsonValue[] {
  const merged = itemKeyFields(sets)
  const named = merged === undefined ? commonNameKey(live, body) : undefined
  const fields = merged ?? (named === undefined ? undefined : [named])
  const before = isJsonArray(previous) ? previous : undefined
  if (fields === undefined) {
    const isPaired = live.length === body.length && (before === undefined || before.length === body.length)
    return body.map((item, index) => {
      const old = live[index]
      if (old === undefined || !isPaired) return item
      return mergedValue(old, item, childrenAt(sets, String(index), live), before?.[index])
    })
  }
  const nameOf = (item: JsonValue) => stringifyJson(fields.map((field) => keyFieldOf(item, field)))
  const earlier = new Map(before?.map((item) => [nameOf(item), item]))
  const there = new Map(
    live.map((item, index) => [nameOf(item), { item, sets: childrenAt(sets, String(index), live) }]),
  )
  const mergedItem = (item: JsonValue) => {
    const old = there.get(nameOf(item))
    return old === undefined ? item : mergedValue(old.item, item, old.sets, earlier.get(nameOf(item)))
  }
  if (merged === undefined) return body.map(mergedItem)
  const order = mergeOrder(live.map(nameOf), body.map(nameOf))
  return order.map((place) =>
    place.of === 'body' ? mergedItem(body[place.index] ?? null) : (live[place.index] ?? null),
  )
}

interface Place {
  readonly of: 'live' | 'body'
  readonly index: number
}

/**
 * Where the items of a merged list come from, in the order of the API server: those of the body in their order, and any
 * other one where the live list, read beside the body, comes to it. Source: structured-merge-diff, typed/merge.go.
 */
function mergeOrder(live: readonly string[], body: readonly string[]): readonly Place[] {
  const [there, sent] = [new Set(live), new Set(body)]
  const shared = body.filter((name) => there.has(name))
  const places: Place[] = []
  const add = (of: Place['of'], index: number) => places.push({ of, index })
  let next = 0
  let met = 0
  for (const [index, name] of live.entries()) {
    if (!sent.has(name)) add('live', index)
    if (name !== shared[met]) continue
    for (; body[next - 1] !== name; next += 1) add('body', next)
    met += 1
  }
  for (; next < body.length; next += 1) add('body', next)
  return places
}

function childrenAt(sets: readonly FieldSet[], step: string, value: JsonValue): readonly FieldSet[] {
  return sets.flatMap((set) => childAt(set, step, value) ?? [])
}

function isEmptyValue(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.length === 0
  return value === null || (isJsonObject(value) && Object.keys(value).length === 0)
}
