import { at, type KubeObject } from '../../src/model/object.ts'
import { type Ref, refKey } from '../../src/model/ref.ts'
import { refOf, sameJson } from './fake-objects.ts'

/** The objects of the fake API server, with the bookkeeping that a real one does on every write. */
export interface FakeStore {
  get(ref: Ref): KubeObject | undefined
  all(): readonly KubeObject[]
  /** Stores the object: uid and resourceVersion are filled in, the generation rises where more than status changed. */
  put(object: KubeObject): KubeObject
  drop(ref: Ref): void
  /** Calls back after every change until the returned function is called. */
  onChange(listener: (object: KubeObject, isGone: boolean) => void): () => void
}

export function fakeStore(nowMs: () => number): FakeStore {
  const objects = new Map<string, KubeObject>()
  const listeners = new Set<(object: KubeObject, isGone: boolean) => void>()
  let version = 100
  let uids = 0

  function announce(object: KubeObject, isGone: boolean): void {
    for (const listener of [...listeners]) listener(object, isGone)
  }

  return {
    get: (ref) => objects.get(refKey(ref)),
    all: () => [...objects.values()],
    put(object) {
      const key = refKey(refOf(object))
      const live = objects.get(key)
      if (live !== undefined && sameJson(comparable(live), comparable(object))) return live
      version += 1
      if (live === undefined) uids += 1
      const stored: KubeObject = {
        ...object,
        metadata: {
          ...object.metadata,
          uid: live?.metadata.uid ?? object.metadata.uid ?? `uid-${uids}`,
          creationTimestamp: live?.metadata.creationTimestamp ?? new Date(nowMs()).toISOString(),
          generation: generation(live, object),
          resourceVersion: String(version),
        },
      }
      objects.set(key, stored)
      announce(stored, false)
      return stored
    },
    drop(ref) {
      const live = objects.get(refKey(ref))
      if (live === undefined) return
      objects.delete(refKey(ref))
      announce(live, true)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function generation(live: KubeObject | undefined, object: KubeObject): number {
  if (live === undefined) return 1
  const before = live.metadata.generation ?? 1
  const isSame =
    sameJson(content(live), content(object)) &&
    at(live, 'metadata', 'deletionTimestamp') === at(object, 'metadata', 'deletionTimestamp')
  return isSame ? before : before + 1
}

/** Everything but metadata and status. */
function content(object: KubeObject): KubeObject {
  const { status: _status, ...rest } = object
  return { ...rest, apiVersion: object.apiVersion, kind: object.kind, metadata: {} }
}

/** Everything but what the server fills in. */
function comparable(object: KubeObject): KubeObject {
  const {
    uid: _uid,
    resourceVersion: _version,
    generation: _generation,
    creationTimestamp: _created,
    ...metadata
  } = object.metadata
  return { ...object, metadata }
}
