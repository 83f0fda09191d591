import type { ApiError } from '../model/errors.ts'
import type { KubeObject } from '../model/object.ts'
import type { Clock, ListQuery, Watching } from '../ports.ts'
import { type Objects, reflect, type WatchSource } from './reflector.ts'

export interface Watches {
  /** One stream for all who follow the same objects. */
  watch(query: ListQuery): Watching
  /** Ends all streams and waits for them. */
  close(): Promise<void>
}

export interface WatchesInput {
  readonly open: (query: ListQuery) => WatchSource
  readonly clock: Clock
  readonly random: () => number
}

export function createWatches(input: WatchesInput): Watches {
  const shared = new Map<string, Shared>()
  const running = new Set<Promise<void>>()

  function start(key: string, query: ListQuery): Shared {
    const share = openShare(query, input, () => {
      if (shared.get(key) === share) shared.delete(key)
    })
    shared.set(key, share)
    running.add(share.ended)
    void share.ended.finally(() => running.delete(share.ended))
    return share
  }

  return {
    watch(query) {
      const key = queryKey(query)
      return openHandle(shared.get(key) ?? start(key, query))
    },
    async close() {
      for (const share of [...shared.values()]) share.end()
      await Promise.all(running)
    },
  }
}

interface Shared {
  readonly ready: Promise<void>
  /** Resolves when nothing runs any more; never rejects. */
  readonly ended: Promise<void>
  readonly listeners: Set<() => void>
  objects(): readonly KubeObject[]
  get(name: string): KubeObject | undefined
  lastSeen(name: string): KubeObject | undefined
  failure(): unknown
  polledBecause(): ApiError | undefined
  users: number
  end(): void
}

function openShare(query: ListQuery, input: WatchesInput, onEnd: () => void): Shared {
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  const stop = new AbortController()
  const objects: Objects = new Map()
  const deleted: Objects = new Map()
  const listeners = new Set<() => void>()
  let snapshot: readonly KubeObject[] | undefined
  let failure: unknown
  let polledBecause: ApiError | undefined

  const changed = () => {
    snapshot = undefined
    for (const listener of [...listeners]) listener()
  }
  const onReady = () => {
    snapshot = undefined
    resolve()
  }
  const end = () => {
    onEnd()
    stop.abort(new Error('the watch was closed'))
  }
  // A caller that does not wait for `ready` must not end the process by an unhandled rejection.
  ready.catch(() => undefined)
  const { clock, random } = input
  const ended = reflect(objects, {
    source: input.open(query),
    clock,
    random,
    signal: stop.signal,
    deleted,
    onReady,
    onChange: changed,
    onPolling(refusal) {
      polledBecause ??= refusal
      changed()
    },
  }).catch((error: unknown) => {
    onEnd()
    failure = error
    reject(error)
    changed()
  })
  return {
    ready,
    ended,
    listeners,
    users: 0,
    end,
    objects() {
      snapshot ??= [...objects.values()]
      return snapshot
    },
    get: (name) => findByName(objects, name, query),
    lastSeen: (name) => findByName(deleted, name, query),
    failure: () => failure,
    polledBecause: () => polledBecause,
  }
}

function findByName(objects: Objects, name: string, query: ListQuery): KubeObject | undefined {
  const found = objects.get(`${query.namespace ?? ''}/${name}`) ?? objects.get(`/${name}`)
  if (found !== undefined || query.namespace !== undefined) return found
  return objects.values().find((object) => object.metadata.name === name)
}

function openHandle(share: Shared): Watching {
  share.users += 1
  const own = new Set<() => void>()
  let isOpen = true
  return {
    ready: share.ready,
    objects: () => share.objects(),
    get: (name) => share.get(name),
    lastSeen: (name) => share.lastSeen(name),
    failure: () => share.failure(),
    polledBecause: () => share.polledBecause(),
    subscribe(listener) {
      // One entry per call: the same function may be given twice.
      const entry = () => listener()
      own.add(entry)
      share.listeners.add(entry)
      return () => {
        own.delete(entry)
        share.listeners.delete(entry)
      }
    },
    close() {
      if (!isOpen) return
      isOpen = false
      for (const entry of own) share.listeners.delete(entry)
      share.users -= 1
      if (share.users === 0) share.end()
    },
  }
}

function queryKey(query: ListQuery): string {
  const { apiVersion, kind, namespace, labelSelector, fieldSelector } = query
  return JSON.stringify([apiVersion, kind, namespace, labelSelector, fieldSelector])
}
