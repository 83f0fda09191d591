import { secretTexts } from '../manifest/secret-data.ts'
import { isJsonObject, type JsonObject, type KubeObject } from '../model/object.ts'
import type { Secrets } from '../ports.ts'

/** Adds every value of the Secrets among the objects, plain and decoded, to what is never printed. */
export function learnSecrets(objects: Iterable<KubeObject>, secrets: Secrets): void {
  for (const object of objects) {
    if (object.kind === 'SecretList' || object.kind === 'List') learnSecrets(listedObjects(object), secrets)
    if (object.kind !== 'Secret' || object.apiVersion !== 'v1') continue
    for (const value of secretTexts(object)) secrets.add(value)
  }
}

function listedObjects(list: JsonObject): readonly KubeObject[] {
  const items = list.items
  return Array.isArray(items) ? items.filter((item): item is KubeObject => isJsonObject(item)) : []
}
