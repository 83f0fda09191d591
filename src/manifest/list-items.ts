import { isJsonArray, isJsonObject, type JsonValue } from '../model/object.ts'

const nameKeys = ['name', 'key', 'mountPath', 'containerPort', 'port', 'ip', 'type']

/** The item of another list that stands for the same thing: found by its name, else by its index. */
export function counterpart(
  items: readonly JsonValue[],
  item: JsonValue | undefined,
  step: string,
): JsonValue | undefined {
  if (!isJsonObject(item)) return items.includes(item ?? null) ? item : undefined
  const nameKey = nameKeys.find((key) => Object.hasOwn(item, key))
  if (nameKey === undefined) return items[Number(step)]
  return items.find((other) => isJsonObject(other) && other[nameKey] === item[nameKey])
}

/** The key whose values tell all items of both lists apart, or undefined. */
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
