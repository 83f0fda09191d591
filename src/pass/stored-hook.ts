import { stringAt } from '../model/object.ts'
import type { ReleaseHook } from '../model/release.ts'
import type { Rendered, RenderedDocument } from '../model/rendered.ts'

/**
 * Adds Helm 2's `test-failure` hooks to what goes into the record: Helm drops a document with an event that it does not
 * know, but the command `test` works from the record alone. Helm never runs a stored hook of such an event.
 */
export function withTestFailures(rendered: Rendered): Rendered {
  const dropped = rendered.documents.filter((document) => eventsOf(document).includes('test-failure'))
  if (dropped.length === 0) return rendered
  const hooks = [...rendered.record.hooks, ...dropped.map(hookOf)]
  return { ...rendered, record: { ...rendered.record, hooks } }
}

/** A hook as Helm stores it. */
export function hookOf(document: RenderedDocument): ReleaseHook {
  const { file, object, text } = document
  const weight = Number(stringAt(object, 'metadata', 'annotations', 'helm.sh/hook-weight') ?? 0)
  return {
    name: object.metadata.name ?? '',
    kind: object.kind,
    path: file,
    manifest: text.trim(),
    events: eventsOf(document),
    weight: Number.isInteger(weight) ? weight : 0,
    delete_policies: wordsOf(document, 'helm.sh/hook-delete-policy'),
  }
}

function eventsOf(document: RenderedDocument): readonly string[] {
  return wordsOf(document, 'helm.sh/hook')
}

function wordsOf({ object }: RenderedDocument, key: string): readonly string[] {
  return (stringAt(object, 'metadata', 'annotations', key) ?? '')
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== '')
}
