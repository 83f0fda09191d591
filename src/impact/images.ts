import { versionJump } from '../manifest/version-jump.ts'
import type { ImageChange } from '../model/impact.ts'
import { arrayAt, at, isJsonObject, type JsonObject, stringAt } from '../model/object.ts'

/** Images that change, of containers that both objects have. */
export function imageChanges(before: JsonObject, after: JsonObject): readonly ImageChange[] {
  const old = imagesOf(before)
  return [...imagesOf(after)].flatMap(([container, image]) => {
    const was = old.get(container)
    if (was === undefined || was === image) return []
    const jump = jumpOf(was, image)
    return [{ before: was, after: image, ...(jump === undefined ? {} : { jump }) }]
  })
}

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
function imagesOf(workload: JsonObject): ReadonlyMap<string, string> {
  const images = new Map<string, string>()
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

/** Tags of images with different names say nothing of each other; a registry or a project is no part of the name. */
function jumpOf(before: string, after: string): ImageChange['jump'] {
  const [old, now] = [nameAndTag(before), nameAndTag(after)]
  if (old === undefined || now === undefined || old.name !== now.name) return undefined
  return versionJump(old.tag, now.tag)
}

function nameAndTag(image: string): { readonly name: string; readonly tag: string } | undefined {
  const [named = ''] = image.split('@', 1)
  const last = named.slice(named.lastIndexOf('/') + 1)
  const colon = last.indexOf(':')
  return colon === -1 ? undefined : { name: last.slice(0, colon), tag: last.slice(colon + 1) }
}
