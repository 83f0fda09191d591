import { isJsonObject, type JsonValue } from '../model/object.ts'

/** By what people tell the items of a list apart, the best first; in one list all items have it. */
const NAME_KEYS: readonly string[] = [
  'name',
  'key',
  'mountPath',
  'devicePath',
  'host',
  'path',
  'containerPort',
  'port',
  'ip',
  'topologyKey',
  'type',
]

/** A name for each item of both lists, unique in its list; undefined where the items have none. */
export function itemNames(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): { readonly before: readonly string[]; readonly after: readonly string[] } | undefined {
  for (const key of NAME_KEYS) {
    const [old, now] = [namesBy(key, before), namesBy(key, after)]
    if (old !== undefined && now !== undefined) return { before: old, after: now }
  }
  return undefined
}

function namesBy(key: string, items: readonly JsonValue[]): readonly string[] | undefined {
  const names = items.flatMap((item) => {
    const name = isJsonObject(item) && Object.hasOwn(item, key) ? item[key] : undefined
    return typeof name === 'string' || typeof name === 'number' ? [String(name)] : []
  })
  return names.length === items.length && new Set(names).size === names.length ? names : undefined
}
