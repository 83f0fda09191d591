import { isJsonArray, isJsonObject, type JsonValue } from '../model/object.ts'

/**
 * JSON with sorted keys and no blanks: equal values give equal text, whatever the order of keys and the type of number.
 */
export function canonicalJson(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (isJsonObject(value)) {
    const members = Object.entries(value)
      .flatMap(([key, member]) => (member === undefined ? [] : [[key, member] as const]))
      .sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`
  }
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
}
