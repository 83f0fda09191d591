import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import { canonicalQuantity } from './quantity.ts'

/** How the API server stores a part of an object of its own kinds: what it fills in, and what it leaves out. */
export interface StoredType {
  /** Filled in where the field is absent, null or an empty text. */
  readonly defaults?: JsonObject
  /** Left out where it is false, 0 or an empty text: stored, that is the same as absent. */
  readonly zeros?: readonly string[]
  /** Maps with keys of the user, beside those that are so everywhere. */
  readonly maps?: readonly string[]
  /** Quantities, and maps of them, beside those that are so everywhere. */
  readonly quantities?: readonly string[]
  /** Types of members that are objects, and of the items of members that are lists. */
  readonly members?: { readonly [field: string]: StoredType }
  readonly items?: { readonly [field: string]: StoredType }
  /** Members that are kept as they are. */
  readonly raw?: readonly string[]
  /** Defaults that other fields decide about; takes and gives the object with all other rules applied. */
  readonly fill?: (object: JsonObject) => JsonObject
}

/** Deeper than any object that Kubernetes accepts; what is below stays as it is. */
const MAX_DEPTH = 200

/** A copy as the API server would store it. Complexity: linear in the size of the object. */
export function storedAs(object: JsonObject, type: StoredType, depth = 0): JsonObject {
  if (depth > MAX_DEPTH) return object
  const members = Object.entries(object).flatMap(([key, value]) => {
    if (isLeftOut(key, value, type)) return []
    return [[key, isAsItIs(key, value, type) ? value : storedMember(key, value, type, depth)] as const]
  })
  const stored: JsonObject = { ...type.defaults, ...Object.fromEntries(members) }
  return type.fill?.(stored) ?? stored
}

function storedMember(
  key: string,
  value: JsonValue | undefined,
  type: StoredType,
  depth: number,
): JsonValue | undefined {
  if (isQuantity(key, type) && value !== undefined && !isJsonArray(value)) return canonical(value)
  if (isJsonObject(value)) return storedAs(value, memberOf(type.members, key) ?? PLAIN, depth + 1)
  if (!isJsonArray(value)) return value
  const item = memberOf(type.items, key) ?? PLAIN
  return value.map((one) => (isJsonObject(one) ? storedAs(one, item, depth + 1) : one))
}

const PLAIN: StoredType = {}

/** Maps with keys of the user wherever they are. They are left out where they are empty; other empty maps say something. */
const MAPS: ReadonlySet<string> = new Set(['annotations', 'labels', 'matchLabels', 'nodeSelector'])
/** Maps of quantities wherever they are. Lists of the same names are something else. */
const QUANTITY_MAPS: ReadonlySet<string> = new Set(['limits', 'overhead', 'requests'])

function isMap(key: string, { maps, quantities }: StoredType): boolean {
  return MAPS.has(key) || QUANTITY_MAPS.has(key) || maps?.includes(key) === true || quantities?.includes(key) === true
}

function isQuantity(key: string, { quantities }: StoredType): boolean {
  return QUANTITY_MAPS.has(key) || quantities?.includes(key) === true
}

function canonical(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return canonicalQuantity(value) ?? value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      member === undefined ? member : (canonicalQuantity(member) ?? member),
    ]),
  )
}

function isAsItIs(key: string, value: JsonValue | undefined, type: StoredType): boolean {
  return type.raw?.includes(key) === true || (isJsonObject(value) && isMap(key, type) && !isQuantity(key, type))
}

/** The API server keeps no null and no empty list in its own kinds. */
function isLeftOut(key: string, value: JsonValue | undefined, type: StoredType): boolean {
  if (type.raw?.includes(key)) return false
  if (value === undefined || value === null || (isJsonArray(value) && value.length === 0)) return true
  if (isJsonObject(value)) return Object.keys(value).length === 0 && isMap(key, type)
  if (value === '' && memberOf(type.defaults, key) !== undefined) return true
  return (value === '' || value === 0 || value === false) && type.zeros?.includes(key) === true
}

function memberOf<T>(map: { readonly [key: string]: T } | undefined, key: string): T | undefined {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined
}
