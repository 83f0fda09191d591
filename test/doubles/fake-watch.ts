import type { ApiError } from '../../src/model/errors.ts'
import type { KubeObject } from '../../src/model/object.ts'
import { refKey } from '../../src/model/ref.ts'
import type { ListQuery, Watching } from '../../src/ports.ts'
import { matchesQuery, refOf } from './fake-objects.ts'
import type { FakeStore } from './fake-store.ts'

/** What watches see of the store: everything, some time later, and all that happened in between at once. */
export interface FakeView {
  watch(query: ListQuery, request: Promise<void>): Watching
  /** Watches that have not been closed. */
  open(): number
  /** All watches of the kind, from now on: `failed` have ended for good, `polled` are lists. */
  refuse(kind: string, how: 'failed' | 'polled', error: ApiError): void
}

/** `later` runs its argument when watches get to see what happened now. */
export function fakeView(store: FakeStore, later: (show: () => void) => void): FakeView {
  const visible = new Map<string, KubeObject>()
  const gone = new Map<string, KubeObject>()
  const listeners = new Set<(changed: readonly KubeObject[]) => void>()
  let arrived: { readonly object: KubeObject; readonly isGone: boolean }[] = []
  const refusals = new Map<string, ApiError>()
  const shaken = new Set<() => void>()
  let watches = 0

  store.onChange((object, isGone) => {
    later(() => {
      if (arrived.length === 0) queueMicrotask(show)
      arrived.push({ object, isGone })
    })
  })

  function show(): void {
    const changes = arrived
    arrived = []
    for (const { object, isGone } of changes) {
      const key = refKey(refOf(object))
      if (isGone) visible.delete(key)
      else visible.set(key, object)
      if (isGone) gone.set(key, object)
    }
    for (const listener of [...listeners]) listener(changes.map(({ object }) => object))
  }

  function watch(query: ListQuery, request: Promise<void>): Watching {
    const own = new Set<() => void>()
    const objects = (of: ReadonlyMap<string, KubeObject>) =>
      [...of.values()].filter((object) => matchesQuery(object, query))
    const named = (of: ReadonlyMap<string, KubeObject>, name: string) =>
      objects(of).find((object) => object.metadata.name === name)
    const notify = (changed: readonly KubeObject[]): void => {
      if (!changed.some((object) => matchesQuery(object, query))) return
      for (const listener of [...own]) listener()
    }
    let isOpen = true
    let isSeeded = false
    const ready = request.then(() => {
      isSeeded = true
    })
    ready.catch(() => {
      // Reported to whoever awaits `ready`; a watch that nobody awaited must not end the test run.
    })
    watches += 1
    listeners.add(notify)
    return {
      ready,
      objects: () => (isSeeded ? objects(visible) : []),
      get: (name) => (isSeeded ? named(visible, name) : undefined),
      lastSeen: (name) => (isSeeded ? named(gone, name) : undefined),
      failure: () => refusals.get(`failed ${query.kind}`),
      polledBecause: () => refusals.get(`polled ${query.kind}`),
      subscribe(listener) {
        const entry = (): void => listener()
        own.add(entry)
        shaken.add(entry)
        return () => {
          own.delete(entry)
          shaken.delete(entry)
        }
      },
      close() {
        if (!isOpen) throw new Error('watch closed twice')
        if (own.size > 0) throw new Error('watch closed while somebody still listens')
        isOpen = false
        watches -= 1
        listeners.delete(notify)
      },
    }
  }

  return {
    watch,
    open: () => watches,
    refuse(kind, how, error) {
      refusals.set(`${how} ${kind}`, error)
      for (const listener of [...shaken]) listener()
    },
  }
}
