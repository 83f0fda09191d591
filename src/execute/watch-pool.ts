import { unlessAborted } from '../concurrency/unless-aborted.ts'
import type { ApiError } from '../model/errors.ts'
import type { ListQuery, Reader, Watching } from '../ports.ts'

/** Watches of one execution: each is opened once and stays open, so that the next group has no need to list again. */
export interface WatchPool {
  /** A watch whose first list is in; whoever asks unsubscribes, and the pool closes it. Throws ApiError. */
  open(query: ListQuery, halt: AbortSignal): Promise<Watching>
  close(): void
}

/** `onPolling`: objects of this query are listed again and again, because watching them is refused; called once. */
export function createWatchPool(
  reader: Pick<Reader, 'watch'>,
  onPolling: (query: ListQuery, refusal: ApiError) => void,
): WatchPool {
  const watches = new Map<string, Pooled>()

  function start(key: string, query: ListQuery): Pooled {
    const watching = reader.watch(query)
    const unsubscribe = watching.subscribe(() => {
      const refusal = watching.polledBecause?.()
      if (refusal === undefined) return
      unsubscribe()
      onPolling(query, refusal)
    })
    const close = () => {
      unsubscribe()
      watching.close()
    }
    const pooled = { watching, close }
    watches.set(key, pooled)
    return pooled
  }

  /** The reason of one that has ended may have passed. */
  function pooledAs(key: string): Pooled | undefined {
    const known = watches.get(key)
    if (known?.watching.failure?.() === undefined) return known
    watches.delete(key)
    known.close()
    return undefined
  }

  return {
    async open(query, halt) {
      const { apiVersion, kind, namespace, fieldSelector } = query
      const key = JSON.stringify([apiVersion, kind, namespace, fieldSelector])
      const { watching, close } = pooledAs(key) ?? start(key, query)
      try {
        await unlessAborted(watching.ready, halt)
        return watching
      } catch (error) {
        // Refused for good; where the halt came first it is closed with all others.
        if (!halt.aborted && watches.delete(key)) close()
        throw error
      }
    },
    close() {
      for (const { close } of watches.values()) close()
      watches.clear()
    },
  }
}

interface Pooled {
  readonly watching: Watching
  readonly close: () => void
}
