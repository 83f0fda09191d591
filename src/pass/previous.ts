import type { Resource } from '../model/directives.ts'
import { refKey } from '../model/ref.ts'
import type { History, ReleaseRecord } from '../model/release.ts'
import type { Discovery, Renderer } from '../ports.ts'
import { lastGood } from '../record/history.ts'
import { readDocuments } from './desired.ts'

/**
 * What may stand in the cluster of this release: the resources of the last good revision and of the failed ones after it,
 * the newest manifest of each counting. Problems of old manifests are passed over: they were deployed with them.
 */
export async function previousOf(
  history: History,
  context: { readonly renderer: Renderer; readonly discovery: Discovery; readonly namespace: string },
): Promise<readonly Resource[]> {
  const good = lastGood(history)
  const since = good === undefined ? 0 : history.revisions.indexOf(good)
  const found = new Map<string, Resource>()
  for (const { record } of history.revisions.slice(since)) {
    for (const resource of await resourcesOf(record, context)) found.set(refKey(resource.manifest.ref), resource)
  }
  return [...found.values()]
}

async function resourcesOf(
  record: ReleaseRecord,
  context: { readonly renderer: Renderer; readonly discovery: Discovery; readonly namespace: string },
): Promise<readonly Resource[]> {
  const documents = await context.renderer.parse(record.manifest, `revision ${record.version}`)
  return readDocuments(documents, [], context).resources
}
