import { stepsOf } from '../../manifest/json-pointer.ts'
import type { Impact } from '../../model/impact.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../model/object.ts'
import { fieldValues } from './field-values.ts'

/**
 * The object afterwards, where each text that changed and yet reads as before (both were redacted) says that it changed.
 * Whether it did was found on the real values.
 */
export function withHiddenChanges(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  impact: Impact | undefined,
): JsonObject | undefined {
  if (before === undefined || after === undefined) return after
  return (impact?.fields ?? []).reduce<JsonObject>((result, field) => {
    if (field.kind !== 'changed') return result
    const { after: now, before: old } = fieldValues(field, { before, after: result })
    if (typeof now !== 'string' || old !== now) return result
    return withValue(result, stepsOf(field.pointer), `${now} (changed)`) as JsonObject
  }, after)
}

function withValue(value: JsonValue | undefined, [step, ...rest]: readonly string[], to: string): JsonValue {
  if (step === undefined) return to
  if (isJsonArray(value)) return value.map((item, index) => (String(index) === step ? withValue(item, rest, to) : item))
  return isJsonObject(value) ? { ...value, [step]: withValue(value[step], rest, to) } : (value ?? null)
}
