import type { JsonValue } from '../model/object.ts'

/**
 * A boolean, or a text that Go's ParseBool takes; undefined for anything else. Sources: docs/sources.md#kots-inclusion,
 * docs/sources.md#kots-helmchart.
 */
export function goBoolean(value: JsonValue | undefined): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return undefined
  if (/^(1|t|T|TRUE|true|True)$/.test(value)) return true
  return /^(0|f|F|FALSE|false|False)$/.test(value) ? false : undefined
}
