import { type ApiError, isApiError } from '../model/errors.ts'
import { parseJson } from '../model/json.ts'
import { type JsonValue, type KubeObject, numberAt, stringAt } from '../model/object.ts'
import type { Clock } from '../ports.ts'
import { type Listing, withListedKind } from './list-pages.ts'

const FIRST_DELAY_MS = 200
const LONGEST_DELAY_MS = 10_000
/** A stream that ends sooner counts as a failure, or a server that closes at once would be asked without pause. */
const SHORT_STREAM_MS = 1_000
/** Streams in a row without an event: then the version of the list may be the reason, and a new list helps. */
const LIST_AGAIN_AFTER = 3
/** How often objects are listed where they may be listed but not watched, in ms; less often while nothing changes. */
const POLL_MS = 2_000
const QUIET_POLL_MS = 5_000
const QUIET_AFTER_POLLS = 15
/** How often such objects are tried to be watched again, in ms: an API server that has just started knows no roles yet. */
const WATCH_AGAIN_MS = 60_000
/** After this time of refusals in a row, in ms, nobody is waiting for the objects any more: the refusal is told. */
const REFUSED_MS = 20_000

/** Deleted objects that are remembered: a Job whose end and deletion arrive together must still be judged. */
const DELETED_LIMIT = 200

/** Where objects come from. */
export interface WatchSource {
  readonly apiVersion: string
  readonly kind: string
  list(signal: AbortSignal): Promise<Listing>
  /** Lines of JSON, as many at a time as have arrived. */
  watch(resourceVersion: string, signal: AbortSignal): Promise<AsyncIterable<readonly string[]>>
}

export interface ReflectorInput {
  readonly source: WatchSource
  readonly clock: Clock
  readonly random: () => number
  readonly signal: AbortSignal
  /** The first list is in. */
  readonly onReady: () => void
  /** Gets each object as it was when it was deleted; the oldest are dropped. */
  readonly deleted?: Objects
  /** Some objects changed; called once for all that arrived together. */
  readonly onChange: () => void
  /** Watching is refused, so that the objects are listed again and again. */
  readonly onPolling?: (refusal: ApiError) => void
}

export type Objects = Map<string, KubeObject>

/**
 * Keeps `objects` equal to what the server has, until the signal fires: lists, watches from there, continues after breaks
 * from the last version seen, lists again where that version is gone or watching is refused. Rejects where the first list
 * fails, and where lists are refused for `REFUSED_MS`: credentials have expired, or rights were taken away.
 * Source: docs/sources.md#client-go-requests.
 */
export async function reflect(objects: Objects, input: ReflectorInput): Promise<void> {
  const { source, clock, signal } = input
  let version = await relist()
  input.onReady()
  let failures = 0
  let polls = 0
  let watchAgainAtMs = 0
  let refusedSinceMs: number | undefined

  while (!signal.aborted) {
    const startedMs = clock.now()
    const before = version
    const end = startedMs < watchAgainAtMs ? 'refused' : await follow()
    if (signal.aborted) return
    if (end === 'refused' && startedMs >= watchAgainAtMs) watchAgainAtMs = clock.now() + WATCH_AGAIN_MS
    const isFine = version !== before || (end === 'closed' && clock.now() - startedMs >= SHORT_STREAM_MS)
    failures = isFine ? 0 : failures + 1
    polls = end === 'refused' && version === before ? polls + 1 : 0
    try {
      if (end === 'refused') await clock.sleep(polls > QUIET_AFTER_POLLS ? QUIET_POLL_MS : POLL_MS, signal)
      else if (failures > 0) await clock.sleep(delayMs(failures, input.random()), signal)
      if (end !== 'expired' && end !== 'refused' && end !== 'unauthorized' && failures < LIST_AGAIN_AFTER) continue
      version = await relist()
      refusedSinceMs = undefined
      input.onChange()
    } catch (error) {
      // Aborted: the loop ends. Else the list failed after all its own tries: the next round tries again.
      if (signal.aborted) return
      if (!isRefusal(error)) continue
      refusedSinceMs ??= clock.now()
      if (clock.now() - refusedSinceMs >= REFUSED_MS) throw error
    }
  }

  async function relist(): Promise<string> {
    const listing = await source.list(signal)
    objects.clear()
    for (const object of listing.objects) objects.set(objectKey(object), withoutManagedFields(object))
    return listing.resourceVersion
  }

  async function follow(): Promise<StreamEnd> {
    try {
      for await (const lines of await source.watch(version, signal)) {
        const end = takeLines(lines)
        if (end !== undefined) return end
      }
      return 'closed'
    } catch (error) {
      if (isApiError(error, 'Expired', 'Gone')) return 'expired'
      if (isApiError(error, 'Unauthorized')) return 'unauthorized'
      if (!isApiError(error, 'Forbidden', 'MethodNotAllowed')) return 'broken'
      input.onPolling?.(error)
      return 'refused'
    }
  }

  function rememberDeleted(object: KubeObject): void {
    const key = objectKey(object)
    objects.delete(key)
    const { deleted } = input
    if (deleted === undefined) return
    deleted.delete(key)
    deleted.set(key, withoutManagedFields(object))
    for (const oldest of deleted.keys()) {
      if (deleted.size <= DELETED_LIMIT) break
      deleted.delete(oldest)
    }
  }

  function takeLines(lines: readonly string[]): StreamEnd | undefined {
    let end: StreamEnd | undefined
    let isChanged = false
    for (const line of lines) {
      if (line === '') continue
      const event = parseEvent(line, source)
      if (event.type === 'end') {
        end = event.end
        break
      }
      version = event.version
      if (event.type === 'bookmark') continue
      isChanged = true
      if (event.type === 'deleted') rememberDeleted(event.object)
      else objects.set(objectKey(event.object), withoutManagedFields(event.object))
    }
    if (isChanged) input.onChange()
    return end
  }
}

/**
 * `expired`: the version to go on from is gone. `refused`: watching is not allowed. `unauthorized`: the credentials are no
 * longer taken. `broken`: it broke off, or is no JSON.
 */
type StreamEnd = 'closed' | 'expired' | 'refused' | 'unauthorized' | 'broken'

/** An answer that another try will not change soon; throttling passes, and so does a version that is gone. */
function isRefusal(error: unknown): boolean {
  if (!isApiError(error)) return false
  const { status } = error.details
  return status >= 400 && status < 500 && status !== 410 && status !== 429
}

type WatchEvent =
  | { readonly type: 'stored' | 'deleted'; readonly object: KubeObject; readonly version: string }
  | { readonly type: 'bookmark'; readonly version: string }
  | { readonly type: 'end'; readonly end: StreamEnd }

/** A line that is not an event ends the stream; the server sends again what followed the last version seen. */
function parseEvent(line: string, source: WatchSource): WatchEvent {
  let event: JsonValue
  try {
    event = parseJson(line)
  } catch {
    return { type: 'end', end: 'broken' }
  }
  const type = stringAt(event, 'type')
  if (type === 'ERROR') return { type: 'end', end: numberAt(event, 'object', 'code') === 410 ? 'expired' : 'broken' }
  const version = stringAt(event, 'object', 'metadata', 'resourceVersion')
  const object = withListedKind(
    typeof event === 'object' && event !== null && 'object' in event ? event.object : undefined,
    source,
  )
  if (version === undefined || object === undefined) return { type: 'end', end: 'broken' }
  if (type === 'BOOKMARK') return { type: 'bookmark', version }
  if (type === 'ADDED' || type === 'MODIFIED') return { type: 'stored', object, version }
  if (type === 'DELETED') return { type: 'deleted', object, version }
  return { type: 'end', end: 'broken' }
}

function delayMs(failures: number, random: number): number {
  return Math.round(random * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1)))
}

function objectKey(object: KubeObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`
}

/** Managed fields are half of an object and say nothing about its readiness. */
function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}
