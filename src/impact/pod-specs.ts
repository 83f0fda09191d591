import { arrayAt, at, isJsonObject, type JsonObject, stringAt } from '../model/object.ts'

/** Where the kinds that run pods keep a pod's spec. */
const POD_SPECS: readonly (readonly string[])[] = [
  ['spec'],
  ['spec', 'template', 'spec'],
  ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
]

/** Specs of the pods that it makes, or of its own if it is one. */
export function podSpecsOf(workload: JsonObject): readonly JsonObject[] {
  return POD_SPECS.map((path) => at(workload, ...path)).filter(isJsonObject)
}

/** By container. */
export type Images = ReadonlyMap<string, string>

export function imagesOf(workload: JsonObject | undefined): Images {
  const images = new Map<string, string>()
  if (workload === undefined) return images
  for (const spec of podSpecsOf(workload)) {
    for (const list of ['initContainers', 'containers']) {
      for (const one of arrayAt(spec, list).filter(isJsonObject)) {
        const [name, image] = [stringAt(one, 'name'), stringAt(one, 'image')]
        if (name !== undefined && image !== undefined) images.set(`${list} ${name}`, image)
      }
    }
  }
  return images
}
