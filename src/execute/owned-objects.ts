import { arrayAt, type KubeObject, stringAt } from '../model/object.ts'
import type { Watching } from '../ports.ts'

type Index = ReadonlyMap<string, readonly KubeObject[]>

/** A watch gives the same list until something changes, so all who wait on it share one index of it. */
const indexes = new WeakMap<readonly KubeObject[], Index>()

/** What the object owns, directly or through others, in the order of the watches: owners before what they own. */
export function ownedObjects(object: KubeObject, watches: readonly Watching[]): readonly KubeObject[] {
  const uids = new Set([object.metadata.uid ?? ''])
  const found: KubeObject[] = []
  for (const watching of watches) {
    const index = indexOf(watching.objects())
    for (const owned of [...uids].flatMap((uid) => index.get(uid) ?? [])) {
      found.push(owned)
      uids.add(owned.metadata.uid ?? '')
    }
  }
  return found
}

/** Objects by the uids of their owners; linear in the number of objects. */
function indexOf(objects: readonly KubeObject[]): Index {
  const known = indexes.get(objects)
  if (known !== undefined) return known
  const index = new Map<string, KubeObject[]>()
  for (const object of objects) {
    for (const owner of arrayAt(object, 'metadata', 'ownerReferences')) {
      const uid = stringAt(owner, 'uid') ?? ''
      const owned = index.get(uid)
      if (owned === undefined) index.set(uid, [object])
      else owned.push(object)
    }
  }
  indexes.set(objects, index)
  return index
}
