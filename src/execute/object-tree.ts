import { isBuiltIn } from '../manifest/built-in-kinds.ts'
import { isApiError } from '../model/errors.ts'
import type { KubeObject } from '../model/object.ts'
import type { AwaitOperation } from '../model/plan.ts'
import type { ListQuery, Watching } from '../ports.ts'
import { relativeKindsOf } from '../readiness/relative-kinds.ts'
import { type Execution, emitEvent } from './execution.ts'
import { followObject } from './follow.ts'
import { awaitsCompletion } from './goal-readiness.ts'
import { ownedObjects } from './owned-objects.ts'

/** The awaited object and the objects below it, as watches show them. */
export interface ObjectTree {
  object(): KubeObject | undefined
  /** The newest state ever seen, also when the object is gone. */
  last(): KubeObject | undefined
  /** Throws where the watch of the object has ended for good. */
  throwIfEnded(): void
  /** What the object owns, directly or through others, as far as it may be listed. Opens watches when first asked. */
  relatives(object: KubeObject): Promise<readonly KubeObject[]>
  /** Pods among the relatives seen so far; the object itself where it is a Pod. */
  pods(): readonly KubeObject[]
  subscribe(listener: () => void): () => void
  close(): void
}

export async function openObjectTree(execution: Execution, operation: AwaitOperation): Promise<ObjectTree> {
  const { watches: pool, warned, input, halt } = execution
  const listeners = new Set<() => void>()
  const notify = (): void => {
    for (const listener of listeners) listener()
  }
  const followed = await followObject(pool, operation.ref, halt)
  const unsubscribes = [followed.subscribe(notify)]
  const watches: Watching[] = []
  let opening: Promise<void> | undefined

  async function openRelatives(object: KubeObject): Promise<void> {
    for (const { apiVersion, kind } of relativeKindsOf(object)) {
      const namespace = object.metadata.namespace
      const query = namespace === undefined ? { apiVersion, kind } : { apiVersion, kind, namespace }
      try {
        const watching = await pool.open(query, halt)
        watches.push(watching)
        unsubscribes.push(watching.subscribe(notify))
        unsubscribes.push(watching.subscribe(() => warnUnseen(query, watching.failure?.())))
      } catch (error) {
        if (!isApiError(error, 'Forbidden', 'NotServed')) throw error
        warnUnseen(query, error)
      }
    }
  }

  function warnUnseen({ kind, namespace }: ListQuery, error: unknown): void {
    if (!isApiError(error)) return
    const message = `${kind} objects in ${namespace ?? 'the cluster'} cannot be watched, so their problems are not seen: ${error.details.message}`
    if (!warned.has(message)) emitEvent(input, { type: 'warning', message })
    warned.add(message)
  }

  const owned = (object: KubeObject): readonly KubeObject[] => ownedObjects(object, watches)

  return {
    object: () => followed.object(),
    last: () => followed.last(),
    throwIfEnded: () => followed.throwIfEnded(),
    async relatives(object) {
      if (operation.until !== 'ready' && !awaitsCompletion(operation)) return []
      opening ??= openRelatives(object)
      await opening
      return owned(object)
    },
    pods() {
      const object = followed.object()
      if (object === undefined) return []
      return (isBuiltIn(object, 'Pod') ? [object] : owned(object)).filter((one) => isBuiltIn(one, 'Pod'))
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      for (const unsubscribe of unsubscribes) unsubscribe()
      followed.close()
    },
  }
}
