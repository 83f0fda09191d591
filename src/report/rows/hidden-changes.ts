import { stepsOf } from '../../manifest/json-pointer.ts'
import type { Impact } from '../../model/impact.ts'
import { at, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../model/object.ts'

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
  return (impact?.fields ?? []).reduce<JsonObject>((result, { kind, pointer, pointerBefore }) => {
    if (kind !== 'changed') return result
    const steps = stepsOf(pointer)
    const [old, now] = [valueAt(before, stepsOf(pointerBefore ?? pointer)), valueAt(result, steps)]
    if (typeof now !== 'string' || old !== now) return result
    return withValue(result, steps, `${now} (changed)`) as JsonObject
  }, after)
}

function valueAt(object: JsonObject, steps: readonly string[]): JsonValue | undefined {
  return steps.reduce<JsonValue | undefined>((here, step) => at(here, isJsonArray(here) ? Number(step) : step), object)
}

function withValue(value: JsonValue | undefined, [step, ...rest]: readonly string[], to: string): JsonValue {
  if (step === undefined) return to
  if (isJsonArray(value)) return value.map((item, index) => (String(index) === step ? withValue(item, rest, to) : item))
  return isJsonObject(value) ? { ...value, [step]: withValue(value[step], rest, to) } : (value ?? null)
}
