import type { ChartOrigin, FetchedDependency } from './chart-source.ts'
import type { RenderedDocument } from './document.ts'
import type { JsonObject } from './object.ts'
import type { Ref } from './ref.ts'

/** Helm's release statuses. Source: docs/sources.md#helm-release-storage. */
export type ReleaseStatus =
  | 'unknown'
  | 'deployed'
  | 'uninstalled'
  | 'superseded'
  | 'failed'
  | 'uninstalling'
  | 'pending-install'
  | 'pending-upgrade'
  | 'pending-rollback'

/** Helm's release record, field by field as Helm writes its JSON. Source: docs/sources.md#helm-release-storage. */
export interface ReleaseRecord extends JsonObject {
  readonly name: string
  readonly info: ReleaseInfo
  /** As the render engine gives it; only `metadata` is ever read. */
  readonly chart: JsonObject
  readonly config: JsonObject
  readonly manifest: string
  readonly hooks: readonly ReleaseHook[]
  readonly version: number
  readonly namespace: string
  readonly apply_method?: string
}

export interface ReleaseInfo extends JsonObject {
  readonly first_deployed?: string
  readonly last_deployed?: string
  readonly deleted?: string
  readonly description?: string
  readonly status: ReleaseStatus
  readonly notes?: string
  readonly rollback_revision?: number
}

export interface ReleaseHook extends JsonObject {
  readonly name: string
  readonly kind: string
  readonly path: string
  readonly manifest: string
  readonly events: readonly string[]
  readonly weight?: number
  readonly delete_policies?: readonly string[]
  readonly output_log_policies?: readonly string[]
  readonly last_run?: HookRun
}

export interface HookRun extends JsonObject {
  readonly started_at?: string
  readonly completed_at?: string
  readonly phase: 'Unknown' | 'Running' | 'Succeeded' | 'Failed' | ''
}

/** One stored revision with what is needed to write it back: the Secret's resourceVersion. */
export interface StoredRevision {
  readonly record: ReleaseRecord
  readonly secretName: string
  readonly resourceVersion: string
  /** Of the Secret; a deletion names it, so that it can be repeated. */
  readonly uid?: string
  readonly labels: { readonly [key: string]: string }
}

/** Labels of a record that Helm sets itself; all others are the user's and stay. */
export const systemLabels: ReadonlySet<string> = new Set([
  'name',
  'owner',
  'status',
  'version',
  'createdAt',
  'modifiedAt',
])

/** All revisions of one release, oldest first. */
export interface History {
  readonly revisions: readonly StoredRevision[]
  /** Secrets that look like records and are none of this release, with the cause. */
  readonly unreadable: readonly UnreadableRecord[]
}

export interface UnreadableRecord {
  readonly secretName: string
  readonly cause: string
  /** What the record inside says, where it can be unpacked: Helm sorts by that, whatever the Secret is called. */
  readonly revision?: number
}

/** One chart or one set of manifests to deploy under a release name, as the inputs ask for it. */
export interface ReleaseSpec {
  readonly release: string
  /** Absent: the namespace of the kubeconfig's context, else `default`. */
  readonly namespace?: string
  readonly weight: number
  readonly source: ReleaseSource
  /** Replaces options of the run for this release: `helmUpgradeFlags` of its HelmChart document. */
  readonly options?: Partial<ReleaseOptions>
}

/** How a release is deployed. */
export interface ReleaseOptions {
  readonly createNamespace: boolean
  readonly takeOwnership: boolean
  readonly forceConflicts: boolean
  /** False: a resource counts as ready once it is applied. */
  readonly wait: boolean
  /** Revisions that are kept; 0 for all. */
  readonly historyMax: number
  /** `undo`: a failed upgrade goes back as with `rollback`, a failed first install is taken down (input `atomic`). */
  readonly onFailure: 'stop' | 'rollback' | 'undo'
  /** What of the deployed revision's values counts (docs/sources.md#helm-upgrade). */
  readonly reuseValues: 'none' | 'reuse' | 'reset-then-reuse'
  /** For a run: its whole time. For one release: its share of that. */
  readonly timeoutSeconds: number
  /** Whether the objects of `crds/` are applied. */
  readonly withCrds: boolean
  /** Whether hooks run. */
  readonly withHooks: boolean
  /** Of the revision that a deploy writes, once it is deployed; absent: what was done, as Helm words it. */
  readonly description?: string
  /** Labels of the record beside those that it has; `null` takes one away. */
  readonly labels?: { readonly [key: string]: string }
}

export type ReleaseSource =
  | {
      readonly kind: 'chart'
      /** Directory or `.tgz`; of a fetched chart, where it lies on this machine. */
      readonly path: string
      readonly values: ValuesInput
      /** Absent for a chart of the workspace. */
      readonly origin?: ChartOrigin
      /** What its `charts/` lacks. */
      readonly dependencies?: readonly FetchedDependency[]
    }
  /** Plain manifests of the workspace, in the order of the input; `file` of each is its path in the workspace. */
  | { readonly kind: 'manifests'; readonly documents: readonly RenderedDocument[] }
  /** Rollback, uninstall and test work from the record alone. */
  | { readonly kind: 'record' }

/** A document of the inputs that is not deployed. */
export interface LeftOut {
  readonly ref: Ref
  /** `kots-only`: read by KOTS only. `excluded`: `exclude` of a HelmChart document. */
  readonly reason: 'kots-only' | 'excluded'
}

/** Values in the six forms of Helm, merged in Helm's order: files, json, plain, string, file, literal. */
export interface ValuesInput {
  /** In order; the inline `values` input is the last. `label` names it in errors. */
  readonly files: readonly { readonly label: string; readonly text: string }[]
  readonly set: readonly string[]
  readonly setString: readonly string[]
  readonly setJson: readonly string[]
  readonly setFile: readonly string[]
  readonly setLiteral: readonly string[]
}

/** What the deployed revision was rendered from (input `reuse-values`). */
export interface ReusedValues {
  /** Its defaults take the place of the chart's own. */
  readonly keepsDefaults: boolean
  readonly chartName: string
  readonly chartValues: JsonObject
  /** The values that were given to it. */
  readonly config: JsonObject
}

export const noValues: ValuesInput = { files: [], set: [], setString: [], setJson: [], setFile: [], setLiteral: [] }
