import { ApiError } from '../../src/model/errors.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import { formatRef, type Ref } from '../../src/model/ref.ts'
import type { AccessRequest, Cluster, Discovery, ListQuery, LogQuery } from '../../src/ports.ts'
import type { FakeClock } from './fake-clock.ts'
import { fakeLogs } from './fake-logs.ts'
import { applied, matchesQuery, patched, refOf } from './fake-objects.ts'
import { type FakeStore, fakeStore } from './fake-store.ts'
import { underTerms } from './fake-terms.ts'
import { fakeView } from './fake-watch.ts'

/** An API server in memory, driven by a fake clock. It knows no controllers: tests script what they would do. */
export interface FakeCluster extends Cluster {
  /** Every request in order, refused ones among them. */
  readonly requests: readonly FakeRequest[]
  /** The writing requests, one text each: `apply Deployment/shop/web`. */
  writes(): readonly string[]
  /** Writes as another client would; no request is recorded. */
  put(object: KubeObject): KubeObject
  remove(ref: Ref): void
  object(ref: Ref): KubeObject | undefined
  setStatus(ref: Ref, status: JsonObject): void
  /** What happens in the cluster, `afterMs` later, each time a matching object is applied or created. */
  whenApplied(match: Match, afterMs: number, happen: (object: KubeObject) => void): void
  /** As `whenApplied`, and the object's status becomes this. */
  statusWhenApplied(match: Match, afterMs: number, status: JsonObject | ((object: KubeObject) => JsonObject)): void
  /** Deleted objects of this match stay, marked as terminating, until `afterMs` later. Infinity: for good. */
  delayDeletion(match: Match, afterMs: number, finalizer?: string): void
  /** Matching requests fail with this error, the given number of times (for good where absent). */
  failWhen(match: RequestMatch, error: ApiError, times?: number): void
  /** Matching applies are refused once a second until their signal fires. */
  holdUp(match: Match, error: ApiError): void
  /** Matching requests take this long. */
  slowWhen(match: RequestMatch, ms: number): void
  /** Watches see changes this much later than they happen. 0 by default. */
  setWatchDelay(ms: number): void
  setDiscovery(discovery: Discovery): void
  /** What `mayI` answers; everything is allowed by default. */
  setAccess(allows: (request: AccessRequest) => boolean): void
  /** Adds lines to a container's log; followers get them at once. */
  addLog(pod: string, container: string, ...lines: readonly string[]): void
  endLog(pod: string, container: string): void
  setPreviousLog(pod: string, container: string, text: string): void
  openWatches(): number
  /** What happens to the watches of a kind that are open: they end for good, or become lists. */
  refuseWatches(kind: string, how: 'failed' | 'polled', error: ApiError): void
  /** What `trouble` answers. */
  setTrouble(error: ApiError | undefined): void
  openFollowers(): number
}

export interface FakeRequest {
  readonly verb: RequestVerb
  readonly atMs: number
  readonly ref?: Ref
  readonly query?: ListQuery
  /** The body, for verbs that send one. */
  readonly object?: KubeObject
}

export type RequestVerb =
  | 'version'
  | 'discovery'
  | 'get'
  | 'list'
  | 'watch'
  | 'dry-run'
  | 'dry-run-patch'
  | 'apply'
  | 'create'
  | 'replace'
  | 'patch'
  | 'delete'
  | 'log'
  | 'follow-log'
  | 'may-i'

export interface Match {
  readonly kind?: string
  readonly name?: string
}

export interface RequestMatch extends Match {
  readonly verb?: RequestVerb
  /** Refuses lists and watches of a whole namespace, not those of one name. */
  readonly withoutFieldSelector?: boolean
}

const WRITES: readonly RequestVerb[] = ['apply', 'create', 'replace', 'patch', 'delete']

export function fakeCluster(clock: FakeClock): FakeCluster {
  const store = fakeStore(() => clock.now())
  const logs = fakeLogs()
  const requests: FakeRequest[] = []
  const reactions: { match: Match; afterMs: number; happen: (object: KubeObject) => void }[] = []
  const deletions: { match: Match; afterMs: number; finalizer: string }[] = []
  const faults: { match: RequestMatch; error: ApiError; left: number }[] = []
  const heldUp: { match: Match; error: ApiError }[] = []
  const delays: { match: RequestMatch; ms: number }[] = []
  let watchDelayMs = 0
  let trouble: ApiError | undefined
  const view = fakeView(store, (show) => (watchDelayMs === 0 ? show() : clock.schedule(watchDelayMs, show)))
  let discovery: Discovery = { kinds: [], failed: [] }
  let allows: (request: AccessRequest) => boolean = () => true

  /** Every request passes here: it is recorded, takes its time and may be refused. */
  async function request(entry: Omit<FakeRequest, 'atMs'>, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    requests.push({ ...entry, atMs: clock.now() })
    const delay = delays.find(({ match }) => matchesRequest(entry, match))
    if (delay !== undefined) await clock.sleep(delay.ms, signal)
    await Promise.resolve()
    signal?.throwIfAborted()
    const fault = faults.find((candidate) => candidate.left > 0 && matchesRequest(entry, candidate.match))
    if (fault === undefined) return
    fault.left -= 1
    throw fault.error
  }

  function written(object: KubeObject): KubeObject {
    for (const { match, afterMs, happen } of reactions) {
      if (matches(refOf(object), match)) clock.schedule(afterMs, () => happen(store.get(refOf(object)) ?? object))
    }
    return object
  }

  function apply(object: KubeObject, force: boolean): KubeObject {
    const result = applied(store.get(refOf(object)), object, force)
    const [first] = result.conflicts
    if (first === undefined) return result.object
    throw apiError('Conflict', {
      ref: refOf(object),
      message: `Apply failed with ${result.conflicts.length} conflict: conflict with "${first.manager}": ${first.field}`,
      causes: result.conflicts.map(({ manager, field }) => ({
        reason: 'FieldManagerConflict',
        field,
        message: `conflict with "${manager}"`,
      })),
    })
  }

  const cluster: FakeCluster = {
    server: 'https://cluster.example',
    defaultNamespace: 'default',
    requests,
    under: (terms) => underTerms(cluster, terms),
    writes: () =>
      requests
        .filter(({ verb }) => WRITES.includes(verb))
        .map(({ verb, ref }) => (ref ? `${verb} ${formatRef(ref)}` : verb)),
    requestCount: () => requests.length,
    trouble: () => trouble,
    setTrouble(error) {
      trouble = error
    },
    refuseWatches: view.refuse,
    put: (object) => store.put(object),
    remove: (ref) => store.drop(ref),
    object: (ref) => store.get(ref),
    setStatus(ref, status) {
      const live = store.get(ref)
      if (live !== undefined) store.put({ ...live, status })
    },
    whenApplied: (match, afterMs, happen) => void reactions.push({ match, afterMs, happen }),
    statusWhenApplied(match, afterMs, status) {
      cluster.whenApplied(match, afterMs, (object) =>
        cluster.setStatus(refOf(object), typeof status === 'function' ? status(object) : status),
      )
    },
    delayDeletion: (match, afterMs, finalizer = 'example.com/busy') =>
      void deletions.push({ match, afterMs, finalizer }),
    failWhen: (match, error, times = Number.POSITIVE_INFINITY) => void faults.push({ match, error, left: times }),
    holdUp: (match, error) => void heldUp.push({ match, error }),
    slowWhen: (match, ms) => void delays.push({ match, ms }),
    setWatchDelay(ms) {
      watchDelayMs = ms
    },
    setDiscovery(value) {
      discovery = value
    },
    setAccess(value) {
      allows = value
    },
    addLog: logs.add,
    endLog: logs.end,
    setPreviousLog: logs.setPrevious,
    openWatches: view.open,
    openFollowers: logs.followers,

    async version(signal) {
      await request({ verb: 'version' }, signal)
      return { gitVersion: 'v1.34.0' }
    },
    async discovery(options) {
      await request({ verb: 'discovery' }, options?.signal)
      return discovery
    },
    async get(ref, signal) {
      await request({ verb: 'get', ref }, signal)
      return store.get(ref)
    },
    async list(query, signal) {
      await request({ verb: 'list', query }, signal)
      return store.all().filter((object) => matchesQuery(object, query))
    },
    async dryRunApply(object, options, signal) {
      await request({ verb: 'dry-run', ref: refOf(object), object }, signal)
      return apply(object, options.force)
    },
    async dryRunPatch(ref, operations, signal) {
      await request({ verb: 'dry-run-patch', ref }, signal)
      const live = store.get(ref)
      if (live === undefined) throw apiError('NotFound', { ref })
      return patch(live, operations)
    },
    async log(query, signal) {
      await request({ verb: 'log', ref: podOf(query) }, signal)
      return logs.read(query)
    },
    async followLog(query, onLine, signal) {
      await request({ verb: 'follow-log', ref: podOf(query) }, signal)
      await logs.follow(query, onLine, signal)
    },
    async mayI(asked, signal) {
      await request({ verb: 'may-i' }, signal)
      return asked.map((one) => allows(one))
    },
    watch: (query) => view.watch(query, request({ verb: 'watch', query })),

    async apply(object, options, signal) {
      await request({ verb: 'apply', ref: refOf(object), object }, signal)
      const held = heldUp.find(({ match }) => matches(refOf(object), match))
      while (held !== undefined) {
        options.onRefused?.(held.error)
        await clock.sleep(1_000, signal)
      }
      return written(store.put(apply(object, options.force)))
    },
    async create(object, signal) {
      const ref = refOf(object)
      await request({ verb: 'create', ref, object }, signal)
      if (store.get(ref) !== undefined) throw apiError('AlreadyExists', { ref, status: 409 })
      return written(store.put(object))
    },
    async replace(object, signal) {
      const ref = refOf(object)
      await request({ verb: 'replace', ref, object }, signal)
      const live = store.get(ref)
      if (live === undefined) throw apiError('NotFound', { ref })
      const version = object.metadata.resourceVersion
      if (version !== undefined && version !== live.metadata.resourceVersion) throw apiError('Conflict', { ref })
      return store.put(object)
    },
    async patch(ref, operations, signal) {
      await request({ verb: 'patch', ref }, signal)
      const live = store.get(ref)
      if (live === undefined) throw apiError('NotFound', { ref })
      const result = patch(live, operations)
      if (result.metadata.resourceVersion !== live.metadata.resourceVersion) throw apiError('Conflict', { ref })
      return store.put(result)
    },
    async delete(ref, options, signal) {
      await request({ verb: 'delete', ref }, signal)
      const live = store.get(ref)
      if (live === undefined) return
      if (options.uid !== undefined && options.uid !== live.metadata.uid) {
        throw apiError('Conflict', { ref, message: 'Precondition failed: UID in precondition does not match' })
      }
      const slow = deletions.find(({ match }) => matches(ref, match))
      if (slow === undefined) {
        removeWithDependents(store, live, options.propagation === 'Orphan')
        return
      }
      const deletionTimestamp = live.metadata.deletionTimestamp ?? new Date(clock.now()).toISOString()
      store.put({ ...live, metadata: { ...live.metadata, deletionTimestamp, finalizers: [slow.finalizer] } })
      if (slow.afterMs === Number.POSITIVE_INFINITY) return
      clock.schedule(slow.afterMs, () => removeWithDependents(store, live, options.propagation === 'Orphan'))
    },
  }
  return cluster
}

/** An answer of the API server, as the adapter translates it. */
export function apiError(reason: string, details: Partial<ApiError['details']> = {}): ApiError {
  const known: { readonly [reason: string]: number } = { NotFound: 404, Conflict: 409, Invalid: 422, Forbidden: 403 }
  return new ApiError({
    doing: 'request',
    status: known[reason] ?? 500,
    reason,
    message: reason,
    causes: [],
    ...details,
  })
}

function patch(live: KubeObject, operations: readonly JsonObject[]): KubeObject {
  try {
    return patched(live, operations)
  } catch (cause) {
    throw apiError('Invalid', { ref: refOf(live), message: String(cause) })
  }
}

/** What the garbage collector does, at once: dependents go with their owner. */
function removeWithDependents(store: FakeStore, owner: KubeObject, keepsDependents: boolean): void {
  store.drop(refOf(owner))
  if (keepsDependents) return
  for (const object of store.all()) {
    const isOwned = object.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) ?? false
    if (isOwned) removeWithDependents(store, object, false)
  }
}

function matches(ref: Pick<Ref, 'kind' | 'name'>, match: Match): boolean {
  return (match.kind ?? ref.kind) === ref.kind && (match.name ?? ref.name) === ref.name
}

function matchesRequest(entry: Omit<FakeRequest, 'atMs'>, match: RequestMatch): boolean {
  if (match.verb !== undefined && match.verb !== entry.verb) return false
  if (match.withoutFieldSelector === true && entry.query?.fieldSelector !== undefined) return false
  const target = entry.ref ?? (entry.query && { kind: entry.query.kind, name: match.name ?? '' })
  return target === undefined ? match.kind === undefined : matches(target, match)
}

function podOf(query: LogQuery): Ref {
  return { apiVersion: 'v1', kind: 'Pod', namespace: query.namespace, name: query.pod }
}
