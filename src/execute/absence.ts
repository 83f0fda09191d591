import type { Operation } from '../model/plan.ts'
import type { ReadinessReason } from '../model/readiness.ts'
import { type Execution, emitProgress } from './execution.ts'
import { followObject } from './follow.ts'
import { waitUntil } from './wait.ts'

/**
 * Deletes the operation's object where it is the one with this uid, and waits until it is gone. An object of the same
 * name with another uid counts as gone: it is not the one that was deleted.
 */
export async function deleteAndAwaitAbsence(execution: Execution, operation: Operation, uid: string): Promise<void> {
  const { halt, signal, input } = execution
  const { cluster, clock } = input
  const { ref } = operation
  const propagation = (operation.kind === 'await' ? undefined : operation.propagation) ?? 'Background'

  const isGone = async (): Promise<boolean> => (await cluster.get(ref, signal))?.metadata.uid !== uid

  halt.throwIfAborted()
  await cluster.delete(ref, { propagation, uid }, signal)
  if (await isGone()) return

  const followed = await followObject(execution.watches, ref, halt)
  try {
    await waitUntil({
      clock,
      signal: halt,
      subscribe: (listener) => followed.subscribe(listener),
      onProgress: (reason) => emitProgress(execution, operation, reason),
      look: async () => {
        followed.throwIfEnded()
        const object = followed.object()
        const isSeen = object?.metadata.uid === uid
        // A watch may lag behind: what it no longer shows is asked for once more.
        if (!isSeen && (await isGone())) return { done: undefined }
        return { waitsFor: deleting(object?.metadata.finalizers) }
      },
    })
    execution.waiting.delete(operation.id)
  } finally {
    followed.close()
  }
}

function deleting(finalizers: readonly string[] | undefined): ReadinessReason {
  return { code: 'deleting', finalizers: finalizers ?? [] }
}
