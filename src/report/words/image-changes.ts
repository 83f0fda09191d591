import { arrayAt, at, isJsonObject, type JsonObject, stringAt } from '../../model/object.ts'
import type { Row } from '../rows/rows.ts'
import { joinPhrases, type Phrase, phrase } from './phrase.ts'

/** Most images that are named; the rest is counted. */
const MAX_IMAGES = 6

/** `web 4.2.0 → 4.3.1, envoy 1.30 → 1.31`: images that change in workloads, each change once; empty where none does. */
export function imagePhrase(rows: readonly Row[]): Phrase {
  const changes = new Map<string, Phrase>()
  for (const { before, after } of rows) {
    if (before === undefined || after === undefined) continue
    const old = imagesOf(before)
    for (const [container, image] of imagesOf(after)) {
      const was = old.get(container)
      if (was !== undefined && was !== image) changes.set(`${was} ${image}`, changePhrase(was, image))
    }
  }
  const shown = joinPhrases([...changes.values()].slice(0, MAX_IMAGES), ', ')
  return changes.size > MAX_IMAGES ? [...shown, ` and ${changes.size - MAX_IMAGES} more`] : shown
}

/** Where the kinds that run pods keep a pod's spec. */
const POD_SPECS: readonly (readonly string[])[] = [
  ['spec'],
  ['spec', 'template', 'spec'],
  ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
]

/** Image by container name. */
function imagesOf(workload: JsonObject): ReadonlyMap<string, string> {
  const images = new Map<string, string>()
  for (const path of POD_SPECS) {
    for (const list of ['initContainers', 'containers']) {
      for (const container of arrayAt(at(workload, ...path), list).filter(isJsonObject)) {
        const [name, image] = [stringAt(container, 'name'), stringAt(container, 'image')]
        if (name !== undefined && image !== undefined) images.set(`${list} ${name}`, image)
      }
    }
  }
  return images
}

/** Of one repository its last part and the tags; else both in full. */
function changePhrase(before: string, after: string): Phrase {
  const [old, now] = [parseImage(before), parseImage(after)]
  if (old.repository !== now.repository) return phrase`${before} → ${after}`
  return phrase`${now.repository.slice(now.repository.lastIndexOf('/') + 1)} ${old.version} → ${now.version}`
}

/** `registry:5000/shop/web:1.2@sha256:...`: the tag, else the beginning of the digest. */
function parseImage(image: string): { readonly repository: string; readonly version: string } {
  const [named = '', digest] = image.split('@', 2)
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1)
  const [repository, tag] = colon === -1 ? [named, undefined] : [named.slice(0, colon), named.slice(colon + 1)]
  const short = digest === undefined ? undefined : digest.replace(/^sha256:/, '').slice(0, 12)
  return { repository, version: [tag, short].filter((part) => part !== undefined).join('@') || 'latest' }
}
