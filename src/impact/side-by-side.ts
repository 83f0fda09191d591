import { at, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import type { PlacedChange } from './schema-lists.ts'

/** A key of two objects, with what each has there. */
export type Member = readonly [key: string, before: JsonValue | undefined, after: JsonValue | undefined]

/** Every key of either object, in the order of the keys. */
export function sideBySide(before: JsonObject, after: JsonObject): readonly Member[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return keys.map((key) => [key, at(before, key), at(after, key)])
}

/** Whether both say the same, whatever the order of keys and the type of number, however deep they are. */
export function isEqual(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  const open: (readonly [JsonValue | undefined, JsonValue | undefined])[] = [[before, after]]
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [one, other] = pair
    if (one === other) continue
    if (isJsonArray(one) && isJsonArray(other)) {
      if (one.length !== other.length) return false
      for (const [index, item] of one.entries()) open.push([item, other[index]])
    } else if (isJsonObject(one) && isJsonObject(other)) {
      const keys = keysOf(one)
      if (keys.length !== keysOf(other).length) return false
      for (const key of keys) open.push([one[key], at(other, key)])
    } else if (!isNumber(one) || !isNumber(other) || String(one) !== String(other)) return false
  }
  return true
}

function keysOf(object: JsonObject): readonly string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined)
}

function isNumber(value: JsonValue | undefined): boolean {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** Both values for the reader: a list as its items, anything else as one. */
export function quoted(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Pick<PlacedChange, 'before' | 'after'> {
  return {
    ...(before === undefined ? {} : { before: isJsonArray(before) ? before : [before] }),
    ...(after === undefined ? {} : { after: isJsonArray(after) ? after : [after] }),
  }
}
