import { RenderError } from '../model/errors.ts'
import { stringifyJson } from '../model/json.ts'
import type { KubeObject } from '../model/object.ts'
import type { RenderedDocument } from '../model/rendered.ts'
import type { EngineDocument, EngineFileAgain } from './protocol.ts'
import { documentsOf } from './rendered-documents.ts'

/**
 * The documents of a render, each with its second render where that differs (docs/decisions/0027). Documents are
 * matched by their place in the file; where the number of documents of a file differs, by kind, namespace and name. One
 * that the second render lacks counts as one whose name varies. One that only the second render has is left out.
 */
export function renderedTwice(
  first: readonly EngineDocument[],
  again: readonly EngineFileAgain[],
): readonly RenderedDocument[] {
  const parsed = first.map((document) => ({ document, parts: documentsOf([document]) }))
  const counterparts = new Map<RenderedDocument, KubeObject>()
  for (const { file, documents } of again) {
    const before = parsed
      .filter(({ document }) => document.file === file)
      .sort((a, b) => a.document.line - b.document.line)
      .flatMap(({ parts }) => parts)
    const after = objectsOfSecond(documents ?? [])
    if (after === undefined) continue
    for (const [index, document] of before.entries()) {
      const found = before.length === after.length ? after[index] : takeSame(after, document.object)
      counterparts.set(document, found ?? withoutAnyName(document.object))
    }
  }
  return parsed.flatMap(({ parts }) => parts.map((document) => withAgain(document, counterparts.get(document))))
}

function withAgain(document: RenderedDocument, again: KubeObject | undefined): RenderedDocument {
  if (again === undefined || stringifyJson(again) === stringifyJson(document.object)) return document
  return { ...document, again }
}

/** Undefined where the second render gave something other than Kubernetes objects: then the first one counts. */
function objectsOfSecond(documents: readonly EngineDocument[]): KubeObject[] | undefined {
  try {
    return documentsOf(documents).map(({ object }) => object)
  } catch (error) {
    if (error instanceof RenderError) return undefined
    throw error
  }
}

/** Takes the first object of the same kind, namespace and name out of the list. */
function takeSame(objects: KubeObject[], wanted: KubeObject): KubeObject | undefined {
  const index = objects.findIndex((object) => identityOf(object) === identityOf(wanted))
  return index === -1 ? undefined : objects.splice(index, 1)[0]
}

function identityOf({ apiVersion, kind, metadata }: KubeObject): string {
  return JSON.stringify([apiVersion, kind, metadata.namespace, metadata.name])
}

function withoutAnyName(object: KubeObject): KubeObject {
  const { name: _name, generateName: _prefix, ...metadata } = object.metadata
  return { ...object, metadata }
}
