import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringAt } from './object.ts'

/**
 * Items of an object of a List kind, or undefined where it is not a List. Items of a typed list (`ConfigMapList`) may
 * leave out apiVersion and kind; a List's annotations hold for each item that does not set them, because Helm runs a
 * List with `helm.sh/hook` as a hook with all its items.
 */
export function listItems(value: JsonValue): readonly JsonValue[] | undefined {
  if (!isJsonObject(value)) return undefined
  const kind = stringAt(value, 'kind')
  if (kind === undefined || !kind.endsWith('List') || !isJsonArray(value.items)) return undefined
  return value.items.map((item) => (isJsonObject(item) ? completed(item, value, kind) : item))
}

function completed(item: JsonObject, list: JsonObject, listKind: string): JsonObject {
  const itemKind = listKind.slice(0, -'List'.length)
  const isTyped = itemKind !== '' && item.kind === undefined && item.apiVersion === undefined
  const named = isTyped ? { apiVersion: list.apiVersion, kind: itemKind, ...item } : item
  const shared = isJsonObject(list.metadata) ? list.metadata.annotations : undefined
  if (!isJsonObject(shared)) return named
  const metadata = isJsonObject(named.metadata) ? named.metadata : {}
  const own = isJsonObject(metadata.annotations) ? metadata.annotations : {}
  return { ...named, metadata: { ...metadata, annotations: { ...shared, ...own } } }
}
