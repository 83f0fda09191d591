import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringAt } from '../model/object.ts'
import type { RenderedDocument } from '../model/rendered.ts'

/** One parsed document and where it came from. Its `object` is foreign: nothing about its shape is known yet. */
export type SourceDocument = Pick<RenderedDocument, 'object' | 'file' | 'line' | 'again'> & {
  readonly source: 'crds' | 'template'
}

/** A document of one object, or of something that is none. */
export interface SingleDocument {
  readonly value: JsonValue
  readonly file: string
  readonly line: number
  readonly source: 'crds' | 'template'
  /** The same of a second render, where that differs. */
  readonly again?: JsonValue
}

/**
 * Documents of a List kind become their items, in order, Lists within Lists as well. Items of a typed list
 * (`ConfigMapList`) may leave out apiVersion and kind; a List's annotations hold for each item that does not set them,
 * because Helm runs a List with `helm.sh/hook` as a hook with all its items.
 */
export function singleDocuments(documents: readonly SourceDocument[]): readonly SingleDocument[] {
  const singles: SingleDocument[] = []
  const waiting: SingleDocument[] = documents.map(({ object, again, file, line, source }) => ({
    value: object,
    file,
    line,
    source,
    ...(again !== undefined && { again }),
  }))
  waiting.reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const items = itemsOf(next.value)
    if (items === undefined) {
      singles.push(next)
      continue
    }
    const { again, ...list } = next
    const itemsAgain = (again !== undefined && itemsOf(again)) || []
    for (const [index, value] of [...items.entries()].reverse()) {
      const itemAgain = itemsAgain[index]
      waiting.push({ ...list, value, ...(itemAgain !== undefined && { again: itemAgain }) })
    }
  }
  return singles
}

function itemsOf(value: JsonValue): readonly JsonValue[] | undefined {
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
