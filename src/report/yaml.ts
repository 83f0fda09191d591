import { dump } from 'js-yaml'
import type { JsonObject, JsonValue } from '../model/object.ts'

/** An object as people read it: sorted keys, block scalars for texts of several lines, one line feed at the end. */
export function toYaml(object: JsonObject): string {
  return dump(withoutBigints(object), { sortKeys: true, lineWidth: -1, noRefs: true })
}

/** The YAML library knows no bigints; undefined members are left out. */
function withoutBigints(value: JsonValue): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutBigints(item))
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, withoutBigints(item)]])),
  )
}
