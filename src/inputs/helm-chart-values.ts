import type { Hint } from '../model/hint.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import { goBoolean } from './go-boolean.ts'

/** Names a field of the HelmChart document and what is wrong with it. */
export type Fault = (key: string, what: string, hint: Hint) => void

/**
 * The values of a HelmChart document: `values`, then each of `optionalValues` whose `when` holds, in order. A null
 * deletes the chart's own value. Source: docs/sources.md#kots-helmchart.
 */
export function helmChartValues(spec: JsonObject, fault: Fault): JsonObject {
  const base = mapAt(spec.values, 'spec.values', fault)
  const { optionalValues } = spec
  if (optionalValues === undefined || optionalValues === null) return withNulls(base)
  if (!isJsonArray(optionalValues)) {
    fault('spec.optionalValues', 'is not a list', { kind: 'write-optional-values' })
    return withNulls(base)
  }
  const deepMerged = optionalValues.reduce<JsonObject>(
    (values, optional, index) => withOptional(values, optional, `spec.optionalValues[${index}]`, fault),
    base,
  )
  return withNulls(deepMerged)
}

function withOptional(values: JsonObject, optional: JsonValue, key: string, fault: Fault): JsonObject {
  if (!isJsonObject(optional)) {
    fault(key, 'is not a map', { kind: 'write-optional-value' })
    return values
  }
  const when = goBoolean(optional.when)
  if (when === undefined) fault(`${key}.when`, 'is neither "true" nor "false"', { kind: 'write-quoted-boolean' })
  const recursive = optional.recursiveMerge ?? false
  if (typeof recursive !== 'boolean') fault(`${key}.recursiveMerge`, 'is not a boolean', { kind: 'write-boolean' })
  const overlay = mapAt(optional.values, `${key}.values`, fault)
  if (when !== true) return values
  return recursive === true ? merged(values, overlay) : { ...values, ...overlay }
}

/** Deep merge, the overlay wins. KOTS drops a scalar that replaces a map; its documentation does not say so. */
function merged(base: JsonObject, overlay: JsonObject): JsonObject {
  const entries = Object.entries(overlay).map(([key, value]) => {
    const below = Object.hasOwn(base, key) ? base[key] : undefined
    return [key, isJsonObject(below) && isJsonObject(value) ? merged(below, value) : value] as const
  })
  return { ...base, ...Object.fromEntries(entries) }
}

/** The text "null" means null, as in the documentation of KOTS. */
function withNulls(values: JsonObject): JsonObject {
  const entries = Object.entries(values).map(([key, value]) => {
    if (value === 'null') return [key, null] as const
    return [key, isJsonObject(value) ? withNulls(value) : value] as const
  })
  return Object.fromEntries(entries)
}

function mapAt(value: JsonValue | undefined, key: string, fault: Fault): JsonObject {
  if (value === undefined || value === null) return {}
  if (isJsonObject(value)) return value
  fault(key, 'is not a map of values', { kind: 'write-map-of-values' })
  return {}
}
