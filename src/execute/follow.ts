import { isApiError } from '../model/errors.ts'
import type { KubeObject } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import type { ListQuery, Reader, Watching } from '../ports.ts'
import { unlessHalted } from './execution.ts'

/** One object as a watch shows it. */
export interface Followed {
  object(): KubeObject | undefined
  /** The newest state ever seen, also when the object is gone. */
  last(): KubeObject | undefined
  subscribe(listener: () => void): () => void
  close(): void
}

/**
 * Follows one object through the watch of its kind and namespace, which all waits share. Where listing that is forbidden,
 * through a watch of this one name: a Role with `resourceNames` allows it. Throws ApiError where neither is allowed.
 */
export async function followObject(reader: Reader, ref: Ref, halt: AbortSignal): Promise<Followed> {
  const query = queryOf(ref)
  const watching = await openWatch(reader, query, halt).catch((error: unknown) => {
    if (!isApiError(error, 'Forbidden')) throw error
    return openWatch(reader, { ...query, fieldSelector: `metadata.name=${ref.name}` }, halt)
  })
  let last = watching.get(ref.name)
  // At every change, not at every look: an object may end and vanish within the same moment.
  const unsubscribe = watching.subscribe(() => {
    last = watching.get(ref.name) ?? watching.lastSeen?.(ref.name) ?? last
  })
  return {
    object: () => watching.get(ref.name),
    last: () => last,
    subscribe: (listener) => watching.subscribe(listener),
    close: () => {
      unsubscribe()
      watching.close()
    },
  }
}

/** A watch whose first list is in. It is closed where that fails or the halt comes first. */
export async function openWatch(reader: Reader, query: ListQuery, halt: AbortSignal): Promise<Watching> {
  const watching = reader.watch(query)
  try {
    await unlessHalted(watching.ready, halt)
    return watching
  } catch (error) {
    watching.close()
    throw error
  }
}

function queryOf(ref: Ref): ListQuery {
  const { apiVersion, kind, namespace } = ref
  return namespace === undefined ? { apiVersion, kind } : { apiVersion, kind, namespace }
}
