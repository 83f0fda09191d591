import type { Resource } from '../model/directives.ts'
import { stringAt } from '../model/object.ts'
import { refKey } from '../model/ref.ts'
import type { History, ReleaseRecord } from '../model/release.ts'
import type { ChartInfo } from '../model/rendered.ts'
import type { Discovery, Renderer } from '../ports.ts'
import { lastGood } from '../record/history.ts'
import { isPlainRecord } from './plain-manifests.ts'
import { readDocuments } from './read-documents.ts'
import type { Setting } from './setting.ts'

export interface RecordContext {
  readonly renderer: Renderer
  readonly discovery: Discovery
  readonly namespace: string
}

export function recordContext({ ports, capabilities, namespace }: Setting): RecordContext {
  return { renderer: ports.renderer, discovery: capabilities.discovery, namespace }
}

/**
 * What may stand in the cluster of this release: the resources of the last good revision and of the failed ones after it,
 * the newest manifest of each counting. Problems of old manifests are passed over: they were deployed with them.
 */
export async function previousOf(history: History, context: RecordContext): Promise<readonly Resource[]> {
  const good = lastGood(history)
  const since = good === undefined ? 0 : history.revisions.indexOf(good)
  const found = new Map<string, Resource>()
  for (const { record } of history.revisions.slice(since)) {
    for (const resource of await resourcesOf(record, context)) found.set(refKey(resource.manifest.ref), resource)
  }
  return [...found.values()]
}

/** The resources of one revision, without its hooks. */
export async function resourcesOf(record: ReleaseRecord, context: RecordContext): Promise<readonly Resource[]> {
  const documents = await context.renderer.parse(record.manifest, `revision ${record.version}`)
  return readDocuments(documents, [], { ...context, isPlainManifests: isPlainRecord(record) }).resources
}

/** The hooks of one revision. */
export async function hooksOf(record: ReleaseRecord, context: RecordContext): Promise<readonly Resource[]> {
  const documents = await Promise.all(record.hooks.map(({ manifest, path }) => context.renderer.parse(manifest, path)))
  return readDocuments(documents.flat(), [], { ...context, isPlainManifests: isPlainRecord(record) }).resources
}

/** Of the last good revision: what its hooks were, whichever of them ran. */
export async function previousHooksOf(
  history: History,
  context: RecordContext,
): Promise<{ readonly previousHooks?: readonly Resource[] }> {
  const good = lastGood(history)
  return good === undefined ? {} : { previousHooks: await hooksOf(good.record, context) }
}

export function chartOf(record: ReleaseRecord): ChartInfo | undefined {
  const name = stringAt(record.chart, 'metadata', 'name')
  const version = stringAt(record.chart, 'metadata', 'version')
  const appVersion = stringAt(record.chart, 'metadata', 'appVersion')
  if (name === undefined || version === undefined) return undefined
  return appVersion === undefined ? { name, version } : { name, version, appVersion }
}
