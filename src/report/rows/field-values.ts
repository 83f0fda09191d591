import { stepsOf } from '../../manifest/json-pointer.ts'
import type { FieldChange } from '../../model/impact.ts'
import { at, isJsonArray, type JsonObject, type JsonValue } from '../../model/object.ts'

/** The object before and after, as a reader may see both. */
export interface Shown {
  readonly before?: JsonObject
  readonly after?: JsonObject
}

/** What the field holds before and after; of an object that is not known nothing. */
export function fieldValues(
  { kind, pointer, pointerBefore }: Pick<FieldChange, 'kind' | 'pointer' | 'pointerBefore'>,
  { after, before }: Shown,
): { readonly before: JsonValue | undefined; readonly after: JsonValue | undefined } {
  return {
    before: kind === 'added' ? undefined : valueAt(before, pointerBefore ?? pointer),
    after: kind === 'removed' ? undefined : valueAt(after, pointer),
  }
}

/** Whether a step is an index or a key depends on the value. */
function valueAt(object: JsonObject | undefined, pointer: string): JsonValue | undefined {
  return stepsOf(pointer).reduce<JsonValue | undefined>(
    (here, step) => at(here, isJsonArray(here) ? Number(step) : step),
    object,
  )
}
