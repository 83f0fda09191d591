import { sameObject } from '../manifest/compare.ts'
import { arrayAt, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import type { ReleaseRecord } from '../model/release.ts'
import type { Rendered } from '../model/rendered.ts'

/** Whether the newest revision is deployed and has the chart, values, notes, manifest and hooks of this render. */
export function isDeployedAlready(last: ReleaseRecord | undefined, rendered: Rendered): boolean {
  if (last?.info.status !== 'deployed') return false
  const { chart, config, manifest, hooks } = rendered.record
  return (
    (last.info.notes ?? '') === rendered.notes &&
    last.manifest === manifest &&
    sameObject({ hooks: last.hooks.map(definition) }, { hooks: hooks.map(definition) }) &&
    sameObject({ config: last.config }, { config }) &&
    sameObject({ chart: withoutTimes(last.chart) }, { chart: withoutTimes(chart) })
  )
}

/** A hook without its last run. */
function definition({ name, kind, path, manifest }: ReleaseRecord['hooks'][number]): JsonObject {
  return { name, kind, path, manifest }
}

/** File times differ from checkout to checkout. */
function withoutTimes(chart: JsonObject): JsonObject {
  const { modtime: _chart, schemamodtime: _schema, ...rest } = chart
  return { ...rest, templates: filesOf(chart, 'templates'), files: filesOf(chart, 'files') }
}

function filesOf(chart: JsonObject, key: 'templates' | 'files'): JsonValue {
  return arrayAt(chart, key).map((file) => {
    if (!isJsonObject(file) || isJsonArray(file)) return file
    const { modtime: _time, ...rest } = file
    return rest
  })
}
