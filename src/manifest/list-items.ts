import { isJsonArray, isJsonObject, type JsonValue } from '../model/object.ts'

const nameKeys = ['name', 'key', 'mountPath', 'containerPort', 'port', 'ip', 'type']

/** Index of the same item in another list, found by its name, else by its index; -1: not there. */
export function counterpartIndex(items: readonly JsonValue[], item: JsonValue | undefined, step: string): number {
  if (!isJsonObject(item)) return items.indexOf(item ?? null)
  const nameKey = nameKeys.find((key) => Object.hasOwn(item, key))
  if (nameKey === undefined) return Number(step) < items.length ? Number(step) : -1
  return items.findIndex((other) => isJsonObject(other) && other[nameKey] === item[nameKey])
}

/** A key that every item of both lists has, with a value unique in its list; undefined where there is none. */
export function commonNameKey(a: readonly JsonValue[], b: readonly JsonValue[]): string | undefined {
  const isNamedBy = (items: readonly JsonValue[], key: string) => {
    const names = items.map((item) => (isJsonObject(item) && Object.hasOwn(item, key) ? item[key] : undefined))
    return (
      !names.includes(undefined) &&
      !names.some((name) => isJsonObject(name) || isJsonArray(name)) &&
      new Set(names).size === names.length
    )
  }
  return nameKeys.find((key) => isNamedBy(a, key) && isNamedBy(b, key))
}
