import { RenderError } from '../model/errors.ts'
import { MAX_DEPTH, NestingError, parseJson } from '../model/json.ts'
import { listItems } from '../model/kube-list.ts'
import { isJsonObject, type JsonObject, type JsonValue, type KubeObject, stringAt } from '../model/object.ts'
import type { RenderedDocument } from '../model/rendered.ts'
import type { EngineDocument } from './protocol.ts'

/** Drops documents of comments only, refuses what is not a Kubernetes object, and splits Lists as kubectl does. */
export function documentsOf(documents: readonly EngineDocument[]): readonly RenderedDocument[] {
  return documents.flatMap((document) =>
    objectsOfDocument(document).map((object) => ({
      object,
      text: document.text,
      // A stored manifest names the file that each document came from.
      file: document.source ?? document.file,
      line: document.line,
    })),
  )
}

function objectsOfDocument(document: EngineDocument): readonly KubeObject[] {
  const value = parseDocument(document)
  if (value === null) return []
  if (!isJsonObject(value)) throw malformedDocument(document, 'is not an object')
  return objectsIn(value, document)
}

/** Some levels less than a record may have, which holds these objects. */
const MAX_DOCUMENT_DEPTH = MAX_DEPTH - 56

function parseDocument(document: EngineDocument): JsonValue {
  try {
    return parseJson(document.json, MAX_DOCUMENT_DEPTH)
  } catch (error) {
    if (error instanceof NestingError) throw malformedDocument(document, error.message)
    throw error
  }
}

function objectsIn(value: JsonObject, document: EngineDocument): readonly KubeObject[] {
  const items = listItems(value)
  if (items !== undefined) {
    return items.flatMap((item) => {
      if (!isJsonObject(item)) throw malformedDocument(document, 'has a list item that is not an object')
      return objectsIn(item, document)
    })
  }
  const object = { ...value, metadata: value.metadata ?? {} }
  if (!isKubeObject(object)) throw malformedDocument(document, `has no ${missingIn(object)}`)
  return [object]
}

function isKubeObject(value: JsonObject): value is KubeObject {
  return missingIn(value) === undefined
}

function missingIn(value: JsonObject): string | undefined {
  if (!stringAt(value, 'apiVersion')) return 'apiVersion'
  if (!stringAt(value, 'kind')) return 'kind'
  return isJsonObject(value.metadata) ? undefined : 'metadata'
}

function malformedDocument(document: EngineDocument, why: string): RenderError {
  const file = document.source ?? document.file
  const message = `document at line ${document.line} of ${file} ${why}`
  return new RenderError({ message, template: file, line: document.line })
}
