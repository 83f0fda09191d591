import { isApiError } from '../model/errors.ts'
import type { KubeObject } from '../model/object.ts'
import { type Ref, refKey } from '../model/ref.ts'
import type { Reader } from '../ports.ts'

/** From this many objects of one kind and namespace on, one LIST is cheaper than a GET for each. */
const LIST_FROM_OBJECTS = 3

export interface LiveObjects {
  readonly live: ReadonlyMap<string, KubeObject>
  readonly unreadable: ReadonlyMap<string, string>
}

/** Reads all of these objects: one LIST per kind and namespace, or single GETs where only a few are wanted. */
export async function readLive(reader: Reader, refs: readonly Ref[], signal?: AbortSignal): Promise<LiveObjects> {
  const live = new Map<string, KubeObject>()
  const unreadable = new Map<string, string>()
  const wanted = new Map(refs.map((ref) => [refKey(ref), ref]))

  const getEach = async (members: readonly Ref[]) => {
    await Promise.all(
      members.map(async (ref) => {
        try {
          const object = await reader.get(ref, signal)
          if (object !== undefined) live.set(refKey(ref), object)
        } catch (error) {
          if (isApiError(error, 'NotServed')) return
          if (!isApiError(error, 'Forbidden')) throw error
          unreadable.set(refKey(ref), error.details.message)
        }
      }),
    )
  }

  const readGroup = async (members: readonly Ref[]) => {
    const [first] = members
    if (first === undefined) return
    if (members.length < LIST_FROM_OBJECTS) return getEach(members)
    const { apiVersion, kind, namespace } = first
    try {
      const query = namespace === undefined ? { apiVersion, kind } : { apiVersion, kind, namespace }
      for (const object of await reader.list(query, signal)) {
        const name = object.metadata.name ?? ''
        const key = refKey(namespace === undefined ? { apiVersion, kind, name } : { apiVersion, kind, namespace, name })
        if (wanted.has(key)) live.set(key, { ...object, apiVersion, kind })
      }
    } catch (error) {
      if (isApiError(error, 'NotServed')) return
      // The right to list may be missing where the right to read single objects is not.
      if (!isApiError(error, 'Forbidden')) throw error
      await getEach(members)
    }
  }

  await Promise.all([...byKindAndNamespace([...wanted.values()]).values()].map(readGroup))
  return { live, unreadable }
}

function byKindAndNamespace(refs: readonly Ref[]): ReadonlyMap<string, readonly Ref[]> {
  const groups = new Map<string, Ref[]>()
  for (const ref of refs) {
    const key = `${ref.apiVersion}/${ref.kind}/${ref.namespace ?? ''}`
    const members = groups.get(key)
    if (members === undefined) groups.set(key, [ref])
    else members.push(ref)
  }
  return groups
}
