import { unlessAborted } from '../concurrency/unless-aborted.ts'
import type { ListQuery, Reader, Watching } from '../ports.ts'

/** Watches of one execution: each is opened once and stays open, so that the next group has no need to list again. */
export interface WatchPool {
  /** A watch whose first list is in; whoever asks unsubscribes, and the pool closes it. Throws ApiError. */
  open(query: ListQuery, halt: AbortSignal): Promise<Watching>
  close(): void
}

export function createWatchPool(reader: Reader): WatchPool {
  const watches = new Map<string, Watching>()

  return {
    async open(query, halt) {
      const { apiVersion, kind, namespace, fieldSelector } = query
      const key = JSON.stringify([apiVersion, kind, namespace, fieldSelector])
      const watching = watches.get(key) ?? reader.watch(query)
      watches.set(key, watching)
      try {
        await unlessAborted(watching.ready, halt)
        return watching
      } catch (error) {
        // Refused for good; where the halt came first it is closed with all others.
        if (!halt.aborted && watches.delete(key)) watching.close()
        throw error
      }
    },
    close() {
      for (const watching of watches.values()) watching.close()
      watches.clear()
    },
  }
}
