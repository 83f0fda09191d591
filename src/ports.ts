import type { AccessRequest } from './model/access.ts'
import type { FetchedChart, FetchedDependency, RemoteChart } from './model/chart-source.ts'
import type { ApiError } from './model/errors.ts'
import type { Emit, HeldUp } from './model/event.ts'
import type { Hint } from './model/hint.ts'
import type { JsonObject, KubeObject } from './model/object.ts'
import type { ApprovedPlan } from './model/plan.ts'
import type { Ref } from './model/ref.ts'
import type { ReusedValues, ValuesInput } from './model/release.ts'
import type { Rendered, RenderedDocument } from './model/rendered.ts'
import type { ServedKind } from './model/served.ts'

export type { AccessRequest, Emit, HeldUp, ServedKind }

export interface Discovery {
  readonly kinds: readonly ServedKind[]
  /** Group/versions whose discovery failed (an APIService whose backend is down), with the cause. */
  readonly failed: readonly { readonly groupVersion: string; readonly cause: string }[]
}

export interface ServerVersion {
  /** `v1.37.1`, with the vendor's suffix. */
  readonly gitVersion: string
}

/** Which objects: one kind, in one namespace or (absent) all, optionally by label or field selector. */
export interface ListQuery {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
}

export interface ApplyOptions {
  readonly force: boolean
  /** Gets to know of each refusal after which it is tried again. */
  readonly onRefused?: (error: ApiError) => void
}

export interface DeleteOptions {
  readonly propagation: 'Foreground' | 'Background' | 'Orphan'
  /** Precondition: the object that was looked at, not another of its name. */
  readonly uid?: string
}

/** Follows one kind in one namespace; shared between its users, seeded by a list. */
export interface Watching {
  /** Resolves when the first list is in; rejects with ApiError where the list is refused for good. */
  readonly ready: Promise<void>
  objects(): readonly KubeObject[]
  get(name: string): KubeObject | undefined
  /** The object as it was when it was deleted, where this watch has seen that. */
  lastSeen?(name: string): KubeObject | undefined
  /** Why it has ended for good after it was ready: the server refuses it. Whoever waits for a change waits in vain. */
  failure?(): unknown
  /** The refusal because of which the objects are listed again and again instead of watched. */
  polledBecause?(): ApiError | undefined
  /** Calls back after every change until the returned function is called. */
  subscribe(listener: () => void): () => void
  /** Gives the share back; the last one ends the watch. */
  close(): void
}

export interface LogQuery {
  readonly namespace: string
  readonly pod: string
  readonly container: string
  readonly tailLines?: number
  readonly previous?: boolean
  /** RFC 3339. */
  readonly sinceTime?: string
  readonly limitBytes?: number
}

/** Everything that cannot write. All methods throw ApiError; `signal` ends a request or a wait between tries. */
export interface Reader {
  /** URL of the API server, for identity and messages. */
  readonly server: string
  /** Namespace of the kubeconfig's context, else `default`. */
  readonly defaultNamespace: string
  version(signal?: AbortSignal): Promise<ServerVersion>
  /** Cached; `refresh` asks again. */
  discovery(options?: { readonly refresh?: boolean; readonly signal?: AbortSignal }): Promise<Discovery>
  get(ref: Ref, signal?: AbortSignal): Promise<KubeObject | undefined>
  list(query: ListQuery, signal?: AbortSignal): Promise<readonly KubeObject[]>
  /** Server-side apply with `dryRun=All`, field manager `helm`, strict field validation. */
  dryRunApply(object: KubeObject, options: ApplyOptions, signal?: AbortSignal): Promise<KubeObject>
  /** JSON patch (RFC 6902) with `dryRun=All`. */
  dryRunPatch(ref: Ref, operations: readonly JsonObject[], signal?: AbortSignal): Promise<KubeObject>
  watch(query: ListQuery): Watching
  log(query: LogQuery, signal?: AbortSignal): Promise<string>
  /** Follows a log line by line until the container ends or the signal fires. */
  followLog(query: LogQuery, onLine: (line: string) => void, signal: AbortSignal): Promise<void>
  mayI(requests: readonly AccessRequest[], signal?: AbortSignal): Promise<readonly boolean[]>
  /** Number of API requests made so far. */
  requestCount(): number
  /**
   * What the newest request failed with, where that concerns the cluster as a whole: it cannot be reached, does not serve, or
   * no longer takes the credentials. Undefined while requests are answered.
   */
  trouble(): ApiError | undefined
}

/** Under which terms a view of a cluster sends its requests. */
export interface RequestTerms {
  /**
   * Asked right before each try of a write, when nothing but the network is left in between. Rejects where nothing may be
   * written any more. Its signal fires when a try that is under way may no longer be: that try is broken off.
   */
  readonly mayWrite?: (signal: AbortSignal | undefined) => Promise<AbortSignal>
  /** Gets to know of writes that are held up for 10 s and more: once per cause, and when it is over. */
  readonly onHeldUp?: (heldUp: HeldUp) => void
  /** Beside the queue of the other requests, on connections of its own. */
  readonly isUrgent?: boolean
}

/** A Reader that can write. Field manager is always `helm`. */
export interface Cluster extends Reader {
  /** The same cluster under these terms. */
  under(terms: RequestTerms): Cluster
  /** Server-side apply, strict field validation. */
  apply(object: KubeObject, options: ApplyOptions, signal?: AbortSignal): Promise<KubeObject>
  /** POST: fails with `AlreadyExists` where the object is there. */
  create(object: KubeObject, signal?: AbortSignal): Promise<KubeObject>
  /** PUT: fails with `Conflict` where `metadata.resourceVersion` is not the newest. */
  replace(object: KubeObject, signal?: AbortSignal): Promise<KubeObject>
  /** JSON patch (RFC 6902). */
  patch(ref: Ref, operations: readonly JsonObject[], signal?: AbortSignal): Promise<KubeObject>
  /** Resolves also where the object is already gone. Does not wait for absence. */
  delete(ref: Ref, options: DeleteOptions, signal?: AbortSignal): Promise<void>
}

export interface RenderRequest {
  /** Directory or `.tgz`. */
  readonly chartPath: string
  readonly release: string
  readonly namespace: string
  readonly revision: number
  readonly isUpgrade: boolean
  readonly values: ValuesInput
  /** What lies below the values. Absent: the chart's own alone. */
  readonly reuse?: ReusedValues
  /** Absent: the engine's own default, as `helm template` without a cluster. */
  readonly kubeVersion?: string
  /** Group/versions and group/version/Kinds of the cluster and of earlier releases of the run. */
  readonly apiVersions: readonly string[]
  /** Charts that go to those of `charts/`, and take the place of those of their name that Helm would replace. */
  readonly dependencies?: readonly FetchedDependency[]
  /** Absent: `lookup` gives an empty map. */
  readonly lookup?: Lookup
  readonly signal?: AbortSignal
}

/** Reads one object, or a list where `name` is empty (all namespaces where `namespace` is empty). */
export type Lookup = (
  apiVersion: string,
  kind: string,
  namespace: string,
  name: string,
) => Promise<JsonObject | undefined>

/** Helm's engine. Throws RenderError. */
export interface Renderer {
  render(request: RenderRequest): Promise<Rendered>
  /** Parses a stream of YAML documents as Go's YAML reader does; blank documents are dropped. */
  parse(text: string, file: string): Promise<readonly RenderedDocument[]>
  close(): Promise<void>
}

/** What Helm's own code decides about charts that are fetched. Throws RenderError. */
export interface ChartRules {
  /**
   * Index of the version that Helm takes for `wanted` (a version, a range, or empty for the newest); undefined where none
   * fits. Versions stand in the order of the index file or of the registry: it decides between equal ones.
   */
  choose(request: {
    readonly versions: readonly string[]
    readonly wanted: string
    /**
     * `index`: of a chart in an index file, as `--version` takes it. `requirement`, `lock`: the same of an index file for
     * an entry of `Chart.yaml` or of `Chart.lock`, by which Helm goes in other ways. `tags`: of a registry, for all of them.
     */
    readonly from: 'index' | 'requirement' | 'lock' | 'tags'
  }): Promise<number | undefined>
  /** What the chart, and each of the dependencies that is a directory, asks for. The root comes first. */
  requirements(request: {
    readonly chartPath: string
    readonly values: ValuesInput
    readonly dependencies: readonly FetchedDependency[]
  }): Promise<readonly ChartRequirements[]>
  /** Throws RenderError where Helm would not load the chart: links, paths that lead out, more than it may hold. */
  assertLoadable(chartPath: string): Promise<void>
  /** Whether `provenance` is signed by a key of the keyring and names this archive. */
  verify(request: {
    readonly archivePath: string
    /** Under which the archive was published, as it is signed, too; absent: that of its path. */
    readonly fileName?: string
    readonly provenance: string
    readonly keyringPath: string
  }): Promise<{ readonly signedBy: string }>
}

/** What one `Chart.yaml` asks for, and its `Chart.lock`. */
export interface ChartRequirements {
  readonly name: string
  /** Directory or `.tgz`. */
  readonly path: string
  /** As in `FetchedDependency`; undefined for the root itself. */
  readonly parent?: readonly string[]
  readonly required: readonly ChartRequirement[]
  /**
   * Absent where there is none. `fits`: its digest is that of the requirements, as Helm counts it; `@name` counts as the
   * address that the lock has for it, which may be another by now.
   */
  readonly lock?: {
    readonly fits: boolean
    readonly entries: readonly { readonly name: string; readonly version: string; readonly repository: string }[]
  }
}

export interface ChartRequirement {
  readonly name: string
  /** A version or a range. */
  readonly version: string
  /** As it is written: an address, `oci://`, `file://`, `@name`, `alias:name`, or empty. */
  readonly repository: string
  /** False where a condition or a tag switches it off. */
  readonly isEnabled: boolean
  /**
   * Of a chart of this name in `charts/`, or among the dependencies given, of those in the range if there are; absent
   * where there is none.
   */
  readonly presentVersion?: string
}

/** Charts and values files that are not in the workspace. Throws FetchError. */
export interface ChartSources {
  fetch(chart: RemoteChart): Promise<FetchedChart>
  /**
   * What the chart at `chartPath` and its dependencies lack. `notices`: what was taken for an unlocked range, and the like.
   * The error holds all that is wrong with the dependencies of this chart.
   */
  dependencies(request: {
    readonly chartPath: string
    readonly values: ValuesInput
    /** Top folder of the workspace, or of a copy of it, which `file://` may not leave; absent for a fetched chart. */
    readonly root?: string
  }): Promise<{ readonly dependencies: readonly FetchedDependency[]; readonly notices: readonly string[] }>
  /** Whether also a chart that lacks nothing needs a lock that fits. */
  readonly isLockRequired: boolean
  /** Address of the repository that `helm repo add` knows by this name; undefined where it knows none. */
  addressOf(repository: string): Promise<string | undefined>
  /** Text of a values file at `https://` (`http://` where the host is listed so in `registries`). */
  text(url: string): Promise<string>
}

/** How charts are fetched: the inputs `dependencies`, `verify`, `keyring`, `registries`, `chart-cache`. */
export interface FetchSettings {
  readonly dependencies: 'missing' | 'locked' | 'never'
  readonly verify: 'never' | 'if-present' | 'always'
  /** Path of the public keys, for `verify`. */
  readonly keyring: string | undefined
  readonly registries: readonly RegistryAccess[]
  /** Directory; undefined for one below the runner's tool cache. */
  readonly cache: string | undefined
}

/** One item of the input `registries`. */
export interface RegistryAccess {
  /** `registry.example` or `registry.example:5000`, in lower case. */
  readonly host: string
  readonly username?: string
  readonly password?: string
  /** A bearer token. */
  readonly token?: string
  /** PEM. */
  readonly authorities?: string
  readonly isPlainHttp: boolean
}

/**
 * The CI runner: log, summary, outputs, state of the post step. Text passes unchanged: only `run/safe-runner.ts` hands it
 * over.
 */
export interface Runner {
  /** Text of an input as it was written; empty where it is not given. */
  input(name: string): string
  info(line: string): void
  /** Annotations, at most ten per type reach the page. */
  annotate(level: 'error' | 'warning' | 'notice', message: string, place?: AnnotationPlace): void
  debug(line: string): void
  startGroup(title: string): void
  endGroup(): void
  output(name: string, value: string): void
  /** Replaces the whole summary; does nothing where the runner offers none. */
  summary(markdown: string): Promise<void>
  saveState(name: string, value: string): void
  state(name: string): string | undefined
  mask(value: string): void
  /** Writes a file that later steps can read, in the runner's temporary folder; gives its path. */
  keepFile(name: string, text: string): Promise<string>
}

export interface AnnotationPlace {
  readonly title?: string
  readonly file?: string
  readonly startLine?: number
}

/**
 * The pull request behind the run. Methods throw CommentError; where the deploy does not depend on the answer, the caller
 * turns that into a warning.
 */
export interface PullRequest {
  /** Undefined where this run belongs to no pull request. Asked once; later calls give the same answer. */
  find(): Promise<FoundPullRequest | undefined>
  /** The head of the pull request at this moment: a run of an older head leaves the comment alone. */
  headNow(pullRequest: FoundPullRequest): Promise<string>
  /**
   * Our open comments with this key (marker not `isClosed`), the oldest first. Searches all pages; only comments by the
   * token's own login count.
   */
  openComments(pullRequest: FoundPullRequest, key: string): Promise<readonly FoundComment[]>
  /** Creates the comment, or updates the open one in place; see `CommentWrite`. Undefined: nothing was written. */
  writeComment(pullRequest: FoundPullRequest, write: CommentWrite): Promise<FoundComment | undefined>
  /** Whether anybody but the token's own login has edited the comment (GraphQL `editor`). Unknown counts as edited. */
  isEditedByOthers(comment: FoundComment): Promise<boolean>
  /** Whether this user may write to the repository (permission API): who asks for a deploy in a comment must. */
  mayWrite(login: string): Promise<boolean>
  /** Merge base of head and base of the pull request (compare API). */
  mergeBase(pullRequest: FoundPullRequest): Promise<string>
  /** The repository's files at a commit as a `.tar.gz`, whose entries stand below one top folder. */
  archive(commitSha: string): Promise<Uint8Array>
}

/** One write of the sticky comment. Races converge: the lowest id stays, duplicates go, the later reading wins. */
export interface CommentWrite {
  readonly key: string
  /** `new`: older open comments with this key are closed and minimized, and a new one is created (`comment-mode: always-new`). */
  readonly mode: 'update' | 'new'
  /** False: only a comment that exists is updated. */
  readonly mayCreate: boolean
  /** Whether ours replaces a comment with this marker; asked again about the comment that is there after the write. */
  readonly isNewerThan: (existing: CommentMarker) => boolean
  /** What goes over `existing`, or into a new comment. Undefined: nothing is written. */
  readonly content: (existing: FoundComment | undefined) => CommentContent | undefined
}

export type CommentContent =
  /** `text` fits into this size, whatever the marker needs beside it. */
  | {
      readonly kind: 'whole'
      readonly marker: CommentMarker
      /** Signs the plans of the marker, as far as they fit, and the text. Absent: a signature that it has is kept. */
      readonly sign?: (signed: Pick<FoundComment, 'marker' | 'text'>) => string
      readonly text: (limitBytes: number) => string
    }
  /** The existing comment keeps its marker. */
  | { readonly kind: 'text'; readonly text: string }

/**
 * What a comment of ours says to later runs, in a hidden first line that only the adapter reads and writes; the visible text
 * is never read back. Source: docs/sources.md#github-comments.
 */
export interface CommentMarker {
  /** Identity of the comment: hash of cluster or label, namespace, releases and pull request. */
  readonly key: string
  readonly headSha?: string
  readonly runId?: number
  readonly runAttempt?: number
  /** When the cluster was read for the plan that is shown, ms since the epoch. */
  readonly readAtMs?: number
  /** Its plan was deployed, or another comment has taken its place: nobody updates it any more. */
  readonly isClosed?: boolean
  /** The plans that the comment shows, in the order of the run; absent where one of them is blocked or without a cluster. */
  readonly plans?: readonly ApprovedPlan[]
  /** When the cluster was read for `plans`, ms since the epoch: kept with them, and signed. */
  readonly plannedAtMs?: number
  /** Of `plans`, by a run with `approval-key`. */
  readonly signature?: string
}

export interface FoundPullRequest {
  readonly number: number
  readonly headSha: string
  /** `owner/name` of the head's repository; absent where it was deleted. */
  readonly headRepository?: string
  readonly baseSha: string
  /** Commit that stands for the pull request merged into its base; absent where GitHub knows none (yet). */
  readonly mergeSha?: string
  readonly isOpen: boolean
  /** By the head's repository, never by the checkout; unknown counts as fork. */
  readonly isFork: boolean
  readonly isDependabot: boolean
}

export interface FoundComment {
  readonly id: number
  /** For GraphQL. */
  readonly nodeId: string
  readonly url: string
  /** The whole comment as GitHub has it: as long as it is the same, nobody has written in between. */
  readonly body: string
  readonly marker: CommentMarker
  /** What people see: the body below the marker's line, with `\n` at the end of each line. */
  readonly text: string
}

/** A copy of the workspace as it was at another commit. */
export interface BaseTree {
  /** Absent where the input `base-path` names a folder that git knows nothing of. */
  readonly commitSha?: string
  /** Absolute path of the folder. */
  readonly folder: string
  /** Removes the copy. */
  close(): Promise<void>
}

/** The workspace. Paths are relative to it or absolute; nothing outside of it is read unless the input names it. */
export interface Files {
  read(path: string): Promise<string>
  exists(path: string): Promise<'file' | 'directory' | 'none'>
  /** Regular files matching a glob, or below a directory at any depth but for hidden ones; sorted by path. */
  list(pattern: string): Promise<readonly string[]>
  /** Text of a file in the top folder of a `.tgz`, as `Chart.yaml` of a packaged chart; undefined where it has none. */
  readPacked(path: string, name: string): Promise<string | undefined>
  /**
   * The path that `text` means where relative ones start in `folder`: relative to the workspace, as names in reports are, or
   * absolute where it lies outside. A relative one never leads out.
   */
  pathFrom(folder: string, text: string): string
  /** Absolute path, for what reads files by itself: the render engine. Says nothing of whether there is anything. */
  locate(path: string): string
}

/** A values file that SOPS has encrypted. */
export interface SopsFile {
  readonly text: string
  /** What stands under `sops`, every scalar as text. Foreign. */
  readonly metadata: JsonObject
}

/** `fault`: what keeps it from being decrypted, as one clause without a value of it. */
export type Decrypted = { readonly text: string } | { readonly fault: string; readonly hint: Hint }

export interface Decrypter {
  decrypt(file: SopsFile): Promise<Decrypted>
  /** A value of a decrypted file: it is never printed. */
  hide(value: string): void
}

export interface Clock {
  /** Ms since the epoch. */
  now(): number
  /** Rejects with the signal's reason when it fires first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/**
 * The one place that knows secret values. Grows while a run reads kubeconfig, Secrets and renders. Every text that leaves
 * passes `redact`, in whatever value a secret turns up.
 */
export interface Secrets {
  /** Values that are too short to be secret (docs/decisions/0010) and words that every log contains are ignored. */
  add(value: string): void
  /** A value that a template could read, and so put anywhere: no name holds it either (docs/decisions/0044). */
  addLookedUp(value: string): void
  redact(text: string): string
  /** The name of a thing without looked-up values, each told apart by a number: `web-***`, `web-***2`. */
  redactNames(text: string): string
}
