import type { FetchedPart } from './chart-source.ts'
import type { DeletePropagation, PropertyWait, Tracking } from './directives.ts'
import type { HandOver } from './handed-over.ts'
import type { Impact } from './impact.ts'
import type { JsonObject, KubeObject } from './object.ts'
import type { OpenSource } from './open-field.ts'
import type { Problem } from './problem.ts'
import type { Ref } from './ref.ts'
import type { StageName, Verb } from './verb.ts'

/** What a pass will do: plain JSON, the same for the same input. What its applies send is kept beside it. */
export interface Plan {
  readonly verb: Verb
  readonly release: string
  readonly namespace: string
  /** Revision that this plan writes when it is executed. */
  readonly revision: number
  readonly comparedBy: ComparedBy
  /** False where nothing would change and no hook runs: no revision is written (docs/decisions/0007). */
  readonly writesRevision: boolean
  /** Why a revision is written although no object changes; absent where one does, and where none is written. */
  readonly revisionBecause?: readonly RevisionCause[]
  readonly stages: readonly Stage[]
  /** Hooks of other events, and what only other verbs deploy, that are not as the revision before has them: recorded now, run by tests or a later verb. */
  readonly changedHooks?: readonly Ref[]
  /** Hooks of any event that the chart no longer has: no later verb runs them any more. */
  readonly goneHooks?: readonly Ref[]
  /** Of an uninstall with a record: what becomes of it. */
  readonly recordEnd?: RecordEnd
  /** The chart and dependencies that were fetched for it; absent where all of it lay in the workspace. */
  readonly fetched?: readonly FetchedPart[]
  /** What is left alone, and why. */
  readonly untouched: readonly Untouched[]
  readonly problems: readonly Problem[]
}

/** `uninstalled`: kept and marked so (input `keep-history`). */
export type RecordEnd = 'removed' | 'uninstalled'

/**
 * Why a revision is written although no object changes; a closed list, given in this order.
 * - `hooks-run`: hooks run, whether anything changes or not
 * - `first-revision`: there is none yet
 * - `last-not-deployed`: the newest revision failed, or the release was uninstalled
 * - `other-revision`: a rollback to a revision that is not the newest
 * - `chart-version`: name or version of the chart; `chart`: anything else in it
 * - `manifest`: documents of the release that no stage applies
 * - `test-hooks`, `hooks`: hooks of the verb `test`, and of any other
 */
export type RevisionCause =
  | 'hooks-run'
  | 'first-revision'
  | 'last-not-deployed'
  | 'other-revision'
  | 'chart-version'
  | 'chart'
  | 'values'
  | 'manifest'
  | 'hooks'
  | 'test-hooks'
  | 'notes'

/**
 * What the changes were found against: the API server's dry runs; the rendered fields alone, where the account may not
 * dry-run; or the render of the base branch, where there is no cluster.
 */
export type ComparedBy = 'dry-run' | 'rendered-fields' | 'base-render'

export interface Stage {
  readonly name: StageName
  readonly groups: readonly Group[]
}

/** All operations of one weight (or deletion phase). A rank starts when every operation of the rank before is done. */
export interface Group {
  readonly weight: number
  readonly deletionPhase?: number
  readonly ranks: readonly (readonly Operation[])[]
}

export type Operation = ApplyOperation | DeleteOperation | AwaitOperation

interface OperationBase {
  /** Unique in the plan and the same for the same input: `main/apply/apps/Deployment/shop/web`. */
  readonly id: string
  readonly ref: Ref
  /** Where the resource was written, for annotations; absent for objects known from records only. */
  readonly file?: string
  /** The hook event this operation belongs to: `pre-upgrade`. */
  readonly hook?: string
  /** A kind or namespace that an earlier release of the run brings decides what this becomes: a re-plan may differ here. */
  readonly dependsOnEarlier?: true
}

export type ChangeKind = 'create' | 'update' | 'recreate' | 'none'

export interface ApplyOperation extends OperationBase {
  readonly kind: 'apply'
  readonly change: ChangeKind
  readonly reason: Reason
  /** Masked and without bookkeeping (status, managedFields), for the reader of the plan. */
  readonly before?: JsonObject
  readonly after?: JsonObject
  /** What the change means to a reviewer; absent where nothing changes. */
  readonly impact?: Impact
  /** Of an object that is created: the one that is pruned, or the hook that the chart no longer has, whose place it takes. */
  readonly renamedFrom?: RenamedFrom
  /** For `recreate`: how the old object is deleted. Its absence is part of the operation. */
  readonly propagation?: DeletePropagation
  /** JSON pointers whose values come out otherwise each time the chart is rendered: shown; in the fingerprint by their shape. */
  readonly varies?: readonly string[]
  /** Texts that hold what only the cluster says of objects of earlier releases of the run, and of which (docs/decisions/0045). */
  readonly open?: readonly OpenInPlan[]
  /** The account may not dry-run this object: rendered fields were compared with the live ones. */
  readonly isWithoutDryRun?: true
  /**
   * Name of the CRD that this plan makes or changes before: the object was judged by its schema, but for formats and CEL
   * rules (docs/decisions/0037).
   */
  readonly newSchema?: string
  /** An annotation asks that nothing waits for this object, where its kind would be waited for. */
  readonly isNotAwaited?: true
}

export interface OpenInPlan {
  /** JSON pointer. */
  readonly path: string
  /** In the order of the text; none: a checksum that follows from such values. `value`: what the cluster says now, where it may be shown. */
  readonly of: readonly (OpenSource & { readonly value?: string })[]
  /** With the names of the values in it; absent where it is hidden, or long. */
  readonly text?: string
  /** The cluster has said all of it. */
  readonly isKnown?: true
}

/** An object that comes back under another name (docs/decisions/0039). */
export interface RenamedFrom {
  readonly ref: Ref
  /** Nothing else of it differs but labels that name the chart's version, and the names of others that are renamed. */
  readonly isSame?: true
  /** As the chart wrote it, masked, under the names of now; absent where nothing differs. */
  readonly object?: JsonObject
  /** Labels of its pods that have another value, because it holds the name: who selects them from outside loses them. */
  readonly podLabels?: readonly PodLabel[]
}

/** Values are absent where they are masked; `after` also where the label is gone. */
export interface PodLabel {
  readonly key: string
  readonly before?: string
  readonly after?: string
}

/** What an apply operation sends. It may hold secret values: never printed. */
export interface ApplyPayload {
  /** With ownership marks already in it. */
  readonly body: KubeObject
  /** What manager `helm` takes over first; absent: nothing (docs/decisions/0006). */
  readonly handOver?: HandOver
}

export interface DeleteOperation extends OperationBase {
  readonly kind: 'delete'
  readonly reason: Reason
  /** Runs only when the await (or, without one, the apply) of the same `ref` in this stage ended so. */
  readonly onlyIf?: 'succeeded' | 'failed'
  readonly propagation: DeletePropagation
  /** What the object holds, masked; absent for a deletion by policy. */
  readonly before?: JsonObject
  /** Absent for a deletion by policy. */
  readonly impact?: Impact
}

export interface AwaitOperation extends OperationBase {
  readonly kind: 'await'
  readonly until: AwaitGoal
  /** What a failure does: stop the run, go on, or fail the run at the end of the stage. */
  readonly failure: 'stop' | 'ignore' | 'last'
  readonly tracking: Tracking
  /** Set where the resource is outside the release. */
  readonly isExternal?: boolean
  /** What an earlier run left behind is waited for, to be replaced. */
  readonly isOfEarlierRun?: true
  readonly properties?: readonly PropertyWait[]
  /** Results after which the log of the hook's pods is printed again, as a whole. */
  readonly outputLogsOn?: readonly ('succeeded' | 'failed')[]
}

/** `complete`: Job or Pod ran to its end; `failed`: it did, and failed, as it should. `readable`: a GET succeeds. */
export type AwaitGoal = 'ready' | 'complete' | 'failed' | 'established' | 'readable' | 'properties'

/** Why a change is made; a closed list. Paths are JSON pointers. */
export type Reason =
  | { readonly code: 'new' }
  | { readonly code: 'unchanged' }
  | { readonly code: 'chart-changed'; readonly paths: readonly string[] }
  | { readonly code: 'drift'; readonly drift: readonly Drift[] }
  | { readonly code: 'both'; readonly paths: readonly string[]; readonly drift: readonly Drift[] }
  | { readonly code: 'immutable'; readonly paths: readonly string[] }
  | { readonly code: 'delete-policy' }
  | {
      readonly code: 'unknown-until-applied'
      readonly because:
        | 'kind-not-served'
        | 'namespace-missing'
        | 'dry-run-refused'
        | 'webhook-down'
        | 'schema-changes'
        | 'judged-by-earlier'
    }
  | { readonly code: 'pruned' }
  | { readonly code: 'uninstalled' }

/** A field that somebody else changed. */
export interface Drift {
  readonly manager: string
  readonly path: string
}

export interface Untouched {
  readonly ref: Ref
  readonly reason: UntouchedReason
  readonly detail?: string
  /**
   * As the revision before has it, masked. It and `after` are there where the chart changed a definition that no stage applies; each is
   * absent where there is none.
   */
  readonly before?: JsonObject
  readonly after?: JsonObject
  /** What that change means; absent where there is no `after`. */
  readonly impact?: Impact
}

/**
 * `...-hook`: `detail` lists the events that the hook runs on. `other-hook-random-name`: it is the same but for its name, which
 * comes out otherwise at each render. `adopted`: a first install took it over, failed and is taken down. `unused-annotation`: it lists the keys of other tools that were seen and not used.
 */
export type UntouchedReason =
  | 'kept'
  | 'not-for-this-verb'
  | 'other-hook'
  | 'hooks-off'
  | 'other-hook-random-name'
  | 'changed-hook'
  | 'new-hook'
  | 'gone-hook'
  | 'not-owned'
  | 'adopted'
  | 'excluded'
  | 'skip-policy'
  | 'unused-annotation'
  | 'prune-disabled'

/**
 * Output `plan-hash`, and a short digest per operation for printing what differs between two plans. Awaits count in the
 * hash only.
 */
export interface Fingerprint {
  /** SHA-256, hexadecimal. */
  readonly hash: string
  /** A deploy is compared in the way in which the plan was made that it is compared with. */
  readonly comparedBy: ComparedBy
  /** By operation id, in the order of the plan. */
  readonly digests: { readonly [operationId: string]: string }
  /**
   * Other digests under which the same end state may have been approved: as rendered while the cluster could not be asked
   * yet, and as a recreation whose first half is done.
   */
  readonly earlierDigests?: { readonly [operationId: string]: readonly string[] }
  /** The state of the release's history that the plan is made on. */
  readonly madeOn?: string
}

/** A plan that somebody has seen and approved, as the marker of a comment or an earlier forecast holds it. */
export interface ApprovedPlan {
  readonly release: string
  readonly namespace: string
  readonly hash: string
  readonly comparedBy: ComparedBy
  /** Absent where they did not fit. */
  readonly digests?: { readonly [operationId: string]: string }
  /** In the place of `digests` where those did not fit: one per stage name. */
  readonly stageDigests?: { readonly [stage: string]: string }
  /** Of a signed plan: it is good for this state of the release's history only. */
  readonly madeOn?: string
}

/** A field that may differ between the approved plan and the deploy (input `approval-ignore`); it is still shown. */
export interface IgnoredField {
  /** Absent: objects of every kind. */
  readonly kind?: string
  readonly name?: string
  /** Steps of the JSON pointer, unescaped; `*` stands for any one step. */
  readonly steps: readonly string[]
}

/** How one operation, or one stage, of a plan differs from the approved plan. `gone`: approved, and not in this plan. */
export interface PlanDifference {
  readonly kind: 'not-approved' | 'otherwise' | 'gone'
  /** Operation id, or the name of a stage. */
  readonly id: string
  /** Absent for what is gone and for stages. */
  readonly operation?: Operation
}
