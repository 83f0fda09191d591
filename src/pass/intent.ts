import type { Resource } from '../model/directives.ts'
import type { Status } from '../model/outcome.ts'
import type { Plan, RecordEnd, RevisionCause } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import type { History, StoredRevision } from '../model/release.ts'
import type { ChartInfo } from '../model/rendered.ts'
import type { Verb } from '../model/verb.ts'
import type { RecordContent } from '../record/made-on.ts'
import type { RecordPorts } from '../record/writer.ts'

/** What a verb wants of a release. Everything else is the same for all verbs: one planner, one executor. */
export interface Intent {
  readonly verb: Verb
  readonly revision: number
  readonly desired: readonly Resource[]
  readonly previous: readonly Resource[]
  /** Hooks of the revision that is deployed now; absent where there is none to compare with. */
  readonly previousHooks?: readonly Resource[]
  /** Hooks of failed revisions after it. */
  readonly failedHooks?: readonly Resource[]
  readonly problems: readonly Problem[]
  /** See PlanInput. */
  readonly revisionCauses: readonly RevisionCause[]
  /** See Plan. */
  readonly recordEnd?: RecordEnd
  readonly chart?: ChartInfo
  /** Of what `previous` was rendered from, where no record names it. */
  readonly previousChart?: ChartInfo
  readonly notes?: string
  /** What the new revision will hold. */
  readonly content?: RecordContent
  readonly record: RecordSteps
}

/** How the record is written around the stages. Order of writes: docs/decisions/0007. */
export interface RecordSteps {
  /** Of a plan that writes a revision: throws DeployError `rejected` where its record would not fit. Absent: it always does. */
  requireFit?(history: History): void
  /**
   * Before the first change; undefined where this plan needs no record, and the pass then ends with `no-changes`. A verb
   * that makes no revision gives the deployed one. `history` has been repaired.
   */
  begin(ports: RecordPorts, plan: Plan, history: History): Promise<StoredRevision | undefined>
  succeed(ports: RecordPorts, begun: StoredRevision, history: History): Promise<void>
  /** `message` has been redacted. */
  fail(ports: RecordPorts, begun: StoredRevision, message: string): Promise<void>
  /** Status of a pass that succeeded. */
  readonly status: Status
}
