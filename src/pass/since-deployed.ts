import { sameObject } from '../manifest/compare.ts'
import type { Resource } from '../model/directives.ts'
import { arrayAt, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import type { RevisionCause } from '../model/plan.ts'
import { refKey } from '../model/ref.ts'
import type { ReleaseRecord } from '../model/release.ts'
import type { Rendered } from '../model/rendered.ts'
import { hookDifferences } from '../plan/hook-changes.ts'
import { changedByChart, predecessorsOf } from '../plan/predecessors.ts'

/** The objects of the newest revision and of this render, its hooks with both. */
export interface RenderedObjects {
  readonly previous: readonly Resource[]
  readonly previousHooks: readonly Resource[]
  readonly desired: readonly Resource[]
}

/**
 * What the newest revision has otherwise than this render. What comes out otherwise at each render does not count where
 * it is all that differs, and neither do comments of the manifest: those that an author wrote are in the chart.
 */
export function causesSinceDeployed(
  last: ReleaseRecord | undefined,
  rendered: Rendered,
  objects: RenderedObjects,
): readonly RevisionCause[] {
  if (last === undefined) return ['first-revision']
  if (last.info.status !== 'deployed') return ['last-not-deployed']
  const { chart, config, manifest } = rendered.record
  const found: Readonly<Partial<Record<RevisionCause, boolean>>> = {
    'chart-version': !sameObject({ of: identity(last.chart) }, { of: identity(chart) }),
    chart: !sameObject({ of: content(last.chart) }, { of: content(chart) }),
    values: !sameObject({ of: last.config }, { of: config }),
    manifest: last.manifest !== manifest && !sameObjects(objects),
    ...changedHooks(objects),
    notes: (last.info.notes ?? '') !== rendered.notes,
  }
  return (Object.keys(found) as readonly RevisionCause[]).filter((cause) => found[cause] === true)
}

function sameObjects({ previous, desired }: RenderedObjects): boolean {
  const documents = desired.filter(({ directives, manifest }) => !directives.isHook && manifest.source === 'template')
  const held = previous.filter(({ directives }) => !directives.isHook)
  const old = predecessorsOf(documents, held)
  const isSame = (resource: Resource) => {
    const before = old.get(resource)
    return before !== undefined && changedByChart(before, resource).length === 0
  }
  return documents.every(isSame) && new Set(old.values()).size === keysOf(held).size
}

function keysOf(resources: readonly Resource[]): ReadonlySet<string> {
  return new Set(resources.map(({ manifest }) => refKey(manifest.ref)))
}

function changedHooks({ previousHooks, desired }: RenderedObjects): Partial<Record<RevisionCause, boolean>> {
  const { changed, gone } = hookDifferences(previousHooks, desired)
  const hooks = [...changed, ...gone]
  return { hooks: !hooks.every(isTest), 'test-hooks': hooks.some(isTest) }
}

function isTest({ directives }: Resource): boolean {
  return directives.occasions.length > 0 && directives.occasions.every(({ verb }) => verb === 'test')
}

function identity({ metadata }: JsonObject): JsonValue {
  if (!isJsonObject(metadata)) return null
  return { name: metadata.name, version: metadata.version, appVersion: metadata.appVersion }
}

/** The chart without what `identity` has. File times differ from checkout to checkout. */
function content(chart: JsonObject): JsonValue {
  const { modtime: _chart, schemamodtime: _schema, metadata, ...rest } = chart
  const { name: _name, version: _version, appVersion: _app, ...about } = isJsonObject(metadata) ? metadata : {}
  return { ...rest, about, templates: filesOf(chart, 'templates'), files: filesOf(chart, 'files') }
}

function filesOf(chart: JsonObject, key: 'templates' | 'files'): JsonValue {
  return arrayAt(chart, key).map((file) => {
    if (!isJsonObject(file) || isJsonArray(file)) return file
    const { modtime: _time, ...rest } = file
    return rest
  })
}
