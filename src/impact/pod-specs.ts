import { podSpecsOf } from '../manifest/pod-places.ts'
import { arrayAt, isJsonObject, type JsonObject, stringAt } from '../model/object.ts'

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
