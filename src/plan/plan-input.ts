import type { FetchedPart } from '../model/chart-source.ts'
import type { Resource } from '../model/directives.ts'
import type { KubeObject } from '../model/object.ts'
import type { Observed } from '../model/observed.ts'
import type { ComparedBy, RecordEnd, RevisionCause, Untouched } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import type { Ref } from '../model/ref.ts'
import type { ServedKind } from '../model/served.ts'
import type { Verb } from '../model/verb.ts'

export interface ComingChange {
  readonly ref: Ref
  /** As it will be; absent: it is deleted. */
  readonly object?: KubeObject
}

export interface PlanInput {
  readonly verb: Verb
  readonly release: string
  readonly namespace: string
  readonly revision: number
  /** What the release is to hold: a new render, an old revision, or nothing. */
  readonly desired: readonly Resource[]
  /** What the last deployed revision and failed ones after it held. */
  readonly previous: readonly Resource[]
  /** The hooks of the last deployed revision, to find those that the chart changed. Absent where they are not known. */
  readonly previousHooks?: readonly Resource[]
  /** The hooks of failed revisions after it. */
  readonly failedHooks?: readonly Resource[]
  readonly observed: Observed
  readonly served: readonly ServedKind[]
  /** Kinds (`group/Kind`) that earlier releases of the run will serve. */
  readonly comingKinds: readonly string[]
  /** The same kinds, as discovery will name them. */
  readonly comingTypes?: readonly ServedKind[]
  /** Namespaces that earlier releases of the run will make. */
  readonly comingNamespaces?: readonly string[]
  /** What earlier releases of the run apply. */
  readonly comingObjects?: readonly Ref[]
  /** What earlier releases of the run write or delete, in their order. */
  readonly comingChanges?: readonly ComingChange[]
  /** Absent: `dry-run`, or `rendered-fields` where an answer in `observed` was given without one. */
  readonly comparedBy?: ComparedBy
  readonly options: PlanOptions
  /** What the newest revision has otherwise: each is a reason to write one. None where it is deployed and the same. */
  readonly revisionCauses: readonly RevisionCause[]
  /** See Plan. */
  readonly recordEnd?: RecordEnd
  /** See Plan. */
  readonly fetched?: readonly FetchedPart[]
  /** What the inputs leave out of every release; listed in the plan. */
  readonly leftOut: readonly Untouched[]
  /** Ids of operations are printed and kept in comments: without looked-up values. Absent: there are none. */
  readonly hideNames?: (text: string) => string
  /** Problems found before; they become problems of the plan. */
  readonly problems: readonly Problem[]
}

export interface PlanOptions {
  /** False: resources of `main` count as ready once applied. Hooks, external dependencies and barriers still block. */
  readonly wait: boolean
  readonly prune: boolean
  readonly takeOwnership: boolean
  readonly createNamespace: boolean
}
