import { secretTexts } from '../manifest/secret-data.ts'
import { isJsonObject, type JsonObject, type KubeObject } from '../model/object.ts'
import type { Secrets } from '../ports.ts'

/** Adds every value of the Secrets among the objects, plain and decoded, to what is never printed. */
export function learnSecrets(objects: Iterable<KubeObject>, secrets: Secrets): void {
  for (const value of valuesOf(objects)) secrets.add(value)
}

/** The same of what a template has read: it may stand in names as well. */
export function learnLookedUp(objects: Iterable<KubeObject>, secrets: Secrets): void {
  for (const value of valuesOf(objects)) secrets.addLookedUp(value)
}

function valuesOf(objects: Iterable<KubeObject>): readonly string[] {
  return [...objects].flatMap((object) => {
    if (object.kind === 'SecretList' || object.kind === 'List') return valuesOf(listedObjects(object))
    return object.kind === 'Secret' && object.apiVersion === 'v1' ? [...secretTexts(object)] : []
  })
}

function listedObjects(list: JsonObject): readonly KubeObject[] {
  const items = list.items
  return Array.isArray(items) ? items.filter((item): item is KubeObject => isJsonObject(item)) : []
}
