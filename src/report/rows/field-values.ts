import { stepsOf } from '../../manifest/json-pointer.ts'
import { stepInto } from '../../manifest/known-path.ts'
import type { FieldChange } from '../../model/impact.ts'
import type { JsonObject, JsonValue } from '../../model/object.ts'

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

function valueAt(object: JsonObject | undefined, pointer: string): JsonValue | undefined {
  return stepsOf(pointer).reduce<JsonValue | undefined>(stepInto, object)
}
