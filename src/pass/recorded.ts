import type { Resource } from '../model/directives.ts'
import { stringAt } from '../model/object.ts'
import { refKey } from '../model/ref.ts'
import type { History, ReleaseRecord, StoredRevision } from '../model/release.ts'
import type { ChartInfo } from '../model/rendered.ts'
import type { Discovery, Renderer } from '../ports.ts'
import { lastGood } from '../record/history.ts'
import { isPlainRecord } from './plain-manifests.ts'
import { readResources } from './read-resources.ts'
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
 * and those of their hooks that the release owns, each by its newest manifest. Problems of old manifests are ignored: they
 * were deployed with them.
 */
export async function previousResources(history: History, context: RecordContext): Promise<readonly Resource[]> {
  const good = lastGood(history)
  const found = new Map<string, Resource>()
  for (const { record } of [...(good === undefined ? [] : [good]), ...failedSince(good, history)]) {
    const ownHooks = (await recordedHooks(record, context)).filter(
      ({ directives }) => directives.ownership === 'release',
    )
    for (const resource of [...(await recordedResources(record, context)), ...ownHooks]) {
      found.set(refKey(resource.manifest.ref), resource)
    }
  }
  return [...found.values()]
}

/** The resources of one revision, without its hooks. */
export async function recordedResources(record: ReleaseRecord, context: RecordContext): Promise<readonly Resource[]> {
  const documents = await context.renderer.parse(record.manifest, `revision ${record.version}`)
  return readResources(documents, [], { ...context, isPlainManifests: isPlainRecord(record) }).resources
}

/** The hooks of one revision. */
export async function recordedHooks(record: ReleaseRecord, context: RecordContext): Promise<readonly Resource[]> {
  const documents = await Promise.all(record.hooks.map(({ manifest, path }) => context.renderer.parse(manifest, path)))
  return readResources(documents.flat(), [], { ...context, isPlainManifests: isPlainRecord(record) }).resources
}

/** All hooks of the last good revision and of the failed ones after it, whether they ran or not. */
export async function previousHooksIn(
  history: History,
  context: RecordContext,
): Promise<{ readonly previousHooks?: readonly Resource[]; readonly failedHooks: readonly Resource[] }> {
  const good = lastGood(history)
  const failed = failedSince(good, history).map(({ record }) => recordedHooks(record, context))
  const failedHooks = (await Promise.all(failed)).flat()
  return good === undefined
    ? { failedHooks }
    : { previousHooks: await recordedHooks(good.record, context), failedHooks }
}

function failedSince(good: StoredRevision | undefined, { revisions }: History): readonly StoredRevision[] {
  return good === undefined ? revisions : revisions.slice(revisions.indexOf(good) + 1)
}

export function recordedChart(record: ReleaseRecord): ChartInfo | undefined {
  const name = stringAt(record.chart, 'metadata', 'name')
  const version = stringAt(record.chart, 'metadata', 'version')
  const appVersion = stringAt(record.chart, 'metadata', 'appVersion')
  if (name === undefined || version === undefined) return undefined
  return appVersion === undefined ? { name, version } : { name, version, appVersion }
}
