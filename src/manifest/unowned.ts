import { isJsonArray, isJsonObject, type JsonValue, type KubeObject } from '../model/object.ts'
import { isOurApply, managerEntries } from './field-managers.ts'
import { pointerOf, pointerOfField, stepsOf } from './json-pointer.ts'
import { stepInto, stepsThrough } from './known-path.ts'
import { fieldSetsOf, ownersOf } from './managed-fields.ts'

/** Values of a live object that nobody owns and no manifest names, as JSON pointers: defaults of the API server. */
export interface Unowned {
  /** At the refused fields themselves. */
  readonly refused: readonly string[]
  /** Maps and lists beside a refused field or in it: of two forms of one value, the server may name either. */
  readonly near: readonly string[]
}

/**
 * Defaults that the API server may have refused when it named these fields of `expected`, the object as `body` would
 * leave it. `live`: after the hand-over, so that what Helm 3 wrote is not among them. Nothing where no apply of ours is
 * known: then nobody may own anything.
 */
export function unownedAt(
  fields: readonly string[],
  { live, expected, body }: { readonly live: KubeObject; readonly expected: KubeObject; readonly body: KubeObject },
): Unowned {
  if (!managerEntries(live).some(isOurApply)) return { refused: [], near: [] }
  const sets = fieldSetsOf(live)
  const isFree = (steps: readonly (string | number)[]) => {
    const isNamed = stepsThrough(body, { object: live, sets }, steps.map(String)) !== undefined
    return steps.length > 1 && !isNamed && ownersOf(live, pointerOf(steps)).length === 0
  }
  const places = fields.flatMap((field) => {
    const steps = stepsOf(pointerOfField(field))
    const place = stepsThrough(live, { object: expected, sets }, steps)
    const parent = stepsThrough(live, { object: expected, sets }, steps.slice(0, -1))
    return [{ place, parent }]
  })
  const refused = places.flatMap(({ place }) => (place !== undefined && isFree(place) ? [pointerOf(place)] : []))
  const near = places
    .flatMap(({ place, parent }) => [parent ?? [], place ?? []])
    .flatMap((steps) => childrenAt(live, steps).map((key) => [...steps, key]))
    .filter(isFree)
    .map(pointerOf)
  return { refused: [...new Set(refused)], near: [...new Set(near)].filter((pointer) => !refused.includes(pointer)) }
}

/** Keys of the maps and lists in the map at this place. */
function childrenAt(live: KubeObject, steps: readonly (string | number)[]): readonly string[] {
  const value = steps.reduce<JsonValue | undefined>((here, step) => stepInto(here, String(step)), live)
  if (steps.length === 0 || !isJsonObject(value)) return []
  return Object.keys(value).filter((key) => isJsonObject(value[key]) || isJsonArray(value[key]))
}
