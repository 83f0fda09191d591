import { stepsOf } from '../../manifest/json-pointer.ts'
import type { FieldChange } from '../../model/impact.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../model/object.ts'
import { fieldValues, type Shown } from './field-values.ts'

/**
 * The object half way: as before, with these fields as they are afterwards. From there to the object afterwards is all the
 * rest of the change.
 */
export function withFields({ after, before }: Required<Shown>, fields: readonly FieldChange[]): JsonObject {
  const edits = fields.flatMap((field) => editOf(field, { before, after }))
  return edits.length === 0 ? before : (edited(before, edits) as JsonObject)
}

interface Edit {
  /** In the object before; of an item that is new, its index afterwards. */
  readonly steps: readonly string[]
  /** Undefined: it goes. */
  readonly to: JsonValue | undefined
  readonly isNew: boolean
}

function editOf(field: FieldChange, shown: Shown): readonly Edit[] {
  const to = fieldValues(field, shown).after
  if (to === undefined && field.kind !== 'removed') return []
  return [{ steps: stepsOf(field.pointerBefore ?? field.pointer), to, isNew: field.kind === 'added' }]
}

function edited(value: JsonValue | undefined, edits: readonly Edit[]): JsonValue | undefined {
  const whole = edits.find(({ steps }) => steps.length === 0)
  if (whole !== undefined) return whole.to
  if (isJsonArray(value)) return editedList(value, edits)
  const object = isJsonObject(value) ? value : {}
  const groups = Map.groupBy(edits, ({ steps: [key = ''] }) => key)
  const members = [...groups].map(([key, group]): readonly [string, JsonValue | undefined] => [
    key,
    edited(Object.hasOwn(object, key) ? object[key] : undefined, group.map(below)),
  ])
  const result = Object.entries(object).filter(([key]) => !groups.has(key))
  return Object.fromEntries([...result, ...members].filter(([, member]) => member !== undefined))
}

function editedList(items: readonly JsonValue[], edits: readonly Edit[]): JsonValue {
  const isNewItem = ({ isNew, steps }: Edit) => isNew && steps.length === 1
  const inPlace = Map.groupBy(
    edits.filter((edit) => !isNewItem(edit)),
    ({ steps: [index] }) => Number(index),
  )
  const list = items.flatMap((item, index) => {
    const own = inPlace.get(index)
    return own === undefined ? [item] : (edited(item, own.map(below)) ?? [])
  })
  const added = edits.filter(isNewItem).toSorted((a, b) => Number(a.steps[0]) - Number(b.steps[0]))
  return added.reduce((all, { steps: [index], to }) => all.toSpliced(Number(index), 0, to ?? null), list)
}

function below({ steps, ...edit }: Edit): Edit {
  return { ...edit, steps: steps.slice(1) }
}
