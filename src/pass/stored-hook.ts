import { storedHook } from '../directives/helm.ts'
import { isDroppedTest } from '../directives/helm2.ts'
import type { ReleaseHook } from '../model/release.ts'
import type { Rendered, RenderedDocument } from '../model/rendered.ts'

/**
 * Adds Helm 2's `test-failure` hooks to what goes into the record: Helm drops a document with an event that it does not
 * know, but the command `test` works from the record alone. Helm never runs a stored hook of such an event.
 */
export function withTestFailures(rendered: Rendered): Rendered {
  const dropped = rendered.documents.flatMap(releaseHooksOf).filter(({ events }) => isDroppedTest(events))
  if (dropped.length === 0) return rendered
  return { ...rendered, record: { ...rendered.record, hooks: [...rendered.record.hooks, ...dropped] } }
}

/** The document as Helm stores a hook; none where it is no hook. */
export function releaseHooksOf({ file, object, text }: RenderedDocument): readonly ReleaseHook[] {
  const said = storedHook(object)
  if (said === undefined) return []
  return [{ name: object.metadata.name ?? '', kind: object.kind, path: file, manifest: text, ...said }]
}
