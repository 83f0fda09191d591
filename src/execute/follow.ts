import { isApiError } from '../model/errors.ts'
import type { KubeObject } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import type { WatchPool } from './watch-pool.ts'

/** One object as a watch shows it. */
export interface Followed {
  object(): KubeObject | undefined
  /** The newest state ever seen, also when the object is gone. */
  last(): KubeObject | undefined
  /** Throws where the watch has ended for good: nothing will be seen any more. */
  throwIfEnded(): void
  subscribe(listener: () => void): () => void
  close(): void
}

/**
 * Follows one object through the watch of its kind and namespace, which all waits share. Where listing that is forbidden,
 * through a watch of this one name: a Role with `resourceNames` allows it. Throws ApiError where neither is allowed.
 */
export async function followObject(watches: WatchPool, ref: Ref, halt: AbortSignal): Promise<Followed> {
  const { apiVersion, kind, namespace, name } = ref
  const query = namespace === undefined ? { apiVersion, kind } : { apiVersion, kind, namespace }
  const watching = await watches.open(query, halt).catch((error: unknown) => {
    if (!isApiError(error, 'Forbidden')) throw error
    return watches.open({ ...query, fieldSelector: `metadata.name=${name}` }, halt)
  })
  let last = watching.get(name)
  // At every change, not at every look: an object may end and vanish within the same moment.
  const unsubscribe = watching.subscribe(() => {
    last = watching.get(name) ?? watching.lastSeen?.(name) ?? last
  })
  return {
    object: () => watching.get(name),
    last: () => last,
    throwIfEnded() {
      const failure = watching.failure?.()
      if (failure !== undefined) throw failure
    },
    subscribe: (listener) => watching.subscribe(listener),
    close: unsubscribe,
  }
}
