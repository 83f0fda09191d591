import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'
import { entryAt, type FieldSet, stepOf } from './field-set.ts'
import { counterpartIndex } from './list-items.ts'

/** An object with the field sets of its managers, which say what identifies an item of a list. */
export interface Known {
  readonly object: JsonObject
  readonly sets: readonly FieldSet[]
}

/**
 * A path through the known object as a path through another state of it; undefined: it does not exist there. Items of
 * lists are matched by the key that the API server merges them by (a port by number and protocol, whatever its name),
 * else by name.
 */
export function stepsThrough(
  other: JsonObject,
  known: Known,
  steps: readonly string[],
): readonly (string | number)[] | undefined {
  let here: JsonValue | undefined = other
  let value: JsonValue | undefined = known.object
  let sets = known.sets
  const found: (string | number)[] = []
  for (const step of steps) {
    const entries = sets.flatMap((set) => entryAt(set, step, value) ?? [])
    const item: JsonValue | undefined = stepInto(value, step)
    const next: string | number = isJsonArray(here) ? indexIn(here, item, step, entries) : step
    here = stepInto(here, String(next))
    if (here === undefined) return undefined
    found.push(next)
    value = item
    sets = entries.map(({ child }) => child)
  }
  return found
}

function indexIn(
  items: readonly JsonValue[],
  item: JsonValue | undefined,
  step: string,
  entries: readonly { readonly key: string }[],
): number {
  const key = entries.find((entry) => entry.key.startsWith('k:'))?.key
  return key === undefined ? counterpartIndex(items, item, step) : Number(stepOf(key, items) ?? -1)
}

export function stepInto(value: JsonValue | undefined, step: string): JsonValue | undefined {
  if (isJsonArray(value)) return value[Number(step)]
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
}
