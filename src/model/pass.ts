import { type CommandRow, commands } from './command.ts'
import type { Event } from './event.ts'
import type { Outcome } from './outcome.ts'
import type { Fingerprint, Plan, PlanDifference } from './plan.ts'
import type { Problem } from './problem.ts'
import type { ChartInfo } from './rendered.ts'

/** What happened to one release with one verb. Everything a report needs, and nothing of the cluster. */
export interface PassResult {
  /** `plan` for each of the three plans. */
  readonly command: 'plan' | CommandRow['task']
  readonly release: string
  readonly namespace: string
  /** Absent where the pass failed before it had a plan. */
  readonly plan?: Plan
  readonly fingerprint?: Fingerprint
  /** When the cluster was read for the plan, ms since the epoch: of two comments the later reading wins. */
  readonly readAtMs?: number
  /** Of a deploy that was stopped with `plan-changed`: what is not as it was approved. */
  readonly differences?: readonly PlanDifference[]
  readonly chart?: ChartInfo
  /** Chart of the revision before, where there was one. */
  readonly previousChart?: ChartInfo
  readonly previousRevision?: number
  readonly problems: readonly Problem[]
  readonly events: readonly Event[]
  readonly outcome: Outcome
  /** Rendered NOTES.txt, foreign text. */
  readonly notes?: string
  readonly startedAtMs: number
  readonly finishedAtMs: number
  /** API requests made. */
  readonly requests: number
}

/** Whether the pass only planned. */
export function isPlan({ command }: Pick<PassResult, 'command'>): boolean {
  return !commands[command].writes
}

/** Facts about the run that every report shows. */
export interface RunInfo {
  /** Host of the API server; empty where there is no cluster. */
  readonly cluster: string
  /** Input `label`: names the cluster in the identity and the title of the comment. */
  readonly label?: string
  /** Input `approval` is `comment`: the comment says that a deploy runs only if the plan is still this one. */
  readonly needsApproval?: true
  /** On pull requests the head, not the merge commit that is checked out. */
  readonly commitSha?: string
  readonly runUrl?: string
  readonly runNumber?: number
  readonly runAttempt?: number
  readonly runId?: number
  readonly actionVersion: string
}
