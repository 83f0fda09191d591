import { at, isJsonObject, type JsonObject, type JsonValue } from '../model/object.ts'

/** Where the kinds that run pods keep the pod; those of other groups keep it in the same places. */
const PLACES: readonly (readonly string[])[] = [
  [],
  ['template'],
  ['spec', 'template'],
  ['spec', 'jobTemplate', 'spec', 'template'],
]

/** The same place in two states of one object. */
export interface PodPlace {
  readonly pod: JsonValue | undefined
  readonly other: JsonValue | undefined
}

/** Each place in which it may have a pod, beside the same place of `other`. */
export function podPlaces(object: JsonValue | undefined, other = object): readonly PodPlace[] {
  return PLACES.map((place) => ({ pod: at(object, ...place), other: at(other, ...place) }))
}

/** Specs of the pods that it makes, or its own: whatever is no pod has no containers in it. */
export function podSpecsOf(object: JsonValue | undefined): readonly JsonObject[] {
  return podPlaces(object)
    .map(({ pod }) => at(pod, 'spec'))
    .filter(isJsonObject)
}

/** The steps of a path below the spec of a pod; undefined: it leads elsewhere. */
export function stepsInPod(steps: readonly string[]): readonly string[] | undefined {
  const place = PLACES.findLast((one) => [...one, 'spec'].every((step, index) => steps[index] === step))
  return place === undefined ? undefined : steps.slice(place.length + 1)
}

/** Of the pods that it makes; undefined where it makes none. */
export function podTemplateOf(object: JsonValue | undefined): JsonValue | undefined {
  return at(object, 'spec', 'template') ?? at(object, 'spec', 'jobTemplate', 'spec', 'template')
}
