import { readBoolean } from '../directives/value-forms.ts'
import type { JsonValue } from '../model/object.ts'

/**
 * A boolean, or a text that Go's ParseBool takes; undefined for anything else. Sources: docs/sources.md#kots-inclusion,
 * docs/sources.md#kots-helmchart.
 */
export function goBoolean(value: JsonValue | undefined): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return undefined
  const read = readBoolean(value)
  return 'value' in read ? read.value : undefined
}
