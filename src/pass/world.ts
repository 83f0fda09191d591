import type { History } from '../model/release.ts'
import type { Planned } from '../plan/make-plan.ts'
import type { PlanInput, PlanOptions } from '../plan/plan-input.ts'
import type { Cluster, Lookup, Secrets } from '../ports.ts'
import type { Intent } from './intent.ts'
import type { Capabilities, Setting } from './setting.ts'
import type { Task } from './task.ts'

/** What releases are planned against: a cluster, or the render of a base commit. */
export interface World {
  /** Namespace of a release that names none. */
  readonly defaultNamespace: string
  /**
   * Where plans are carried out. Absent: there are only plans; they read no cluster, and none of them can be approved.
   */
  readonly cluster?: Cluster
  /** What `compare` does, in the infinitive; the first words of a failure. */
  readonly comparison: string
  /** Answers `lookup` of charts. Absent: it finds nothing. */
  readonly lookup?: (secrets: Secrets, signal: AbortSignal) => Lookup
  /** API requests made so far. */
  requestCount(): number
  capabilities(signal: AbortSignal): Promise<Capabilities>
  hasNamespace(name: string, signal: AbortSignal): Promise<boolean>
  /** The revisions of a release. */
  history(release: ReleasePlace, signal: AbortSignal): Promise<History>
  /** What the task wants, and what was deployed before. Renders. */
  intent(task: Task, setting: Setting): Promise<Intent>
  /** What the planner compares the intent with. */
  compare(intent: Intent, setting: Setting): Promise<Comparison>
  /** The plan as it is shown. */
  complete(planned: Planned, intent: Intent, setting: Setting): Promise<Planned>
}

export interface ReleasePlace {
  readonly release: string
  readonly namespace: string
}

export interface Comparison extends Pick<PlanInput, 'observed' | 'previous' | 'served' | 'comparedBy'> {
  /** Overrides of the options that the inputs ask for. */
  readonly options?: Partial<PlanOptions>
}
