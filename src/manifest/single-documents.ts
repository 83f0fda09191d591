import { defined } from '../model/defined.ts'
import { listItems } from '../model/kube-list.ts'
import type { JsonValue } from '../model/object.ts'
import type { RenderedDocument } from '../model/rendered.ts'

/** One parsed document and where it came from. The shape of `object` has not been checked yet. */
export type SourceDocument = Pick<RenderedDocument, 'object' | 'file' | 'line' | 'again'> & {
  readonly source: 'crds' | 'template'
}

/** A document of one object, or of something that is not an object. */
export interface SingleDocument {
  readonly value: JsonValue
  readonly file: string
  readonly line: number
  readonly source: 'crds' | 'template'
  /** The value of a second render, where it differs. */
  readonly again?: JsonValue
}

/** Documents of a List kind become their items, in order, including Lists within Lists. */
export function singleDocuments(documents: readonly SourceDocument[]): readonly SingleDocument[] {
  const singles: SingleDocument[] = []
  const waiting: SingleDocument[] = documents.map(({ object, again, file, line, source }) => ({
    value: object,
    file,
    line,
    source,
    ...defined({ again }),
  }))
  waiting.reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const items = listItems(next.value)
    if (items === undefined) {
      singles.push(next)
      continue
    }
    const { again, ...list } = next
    const itemsAgain = (again !== undefined && listItems(again)) || []
    for (const [index, value] of [...items.entries()].reverse()) {
      const itemAgain = itemsAgain[index]
      waiting.push({ ...list, value, ...defined({ again: itemAgain }) })
    }
  }
  return singles
}
