import type { Event } from './event.ts'
import type { Outcome } from './outcome.ts'
import type { Fingerprint, Plan } from './plan.ts'
import type { Problem } from './problem.ts'
import type { ChartInfo } from './rendered.ts'
import type { Command } from './verb.ts'

/** One release through the flow with one verb. Everything a report needs, and nothing of the cluster. */
export interface PassResult {
  readonly command: Command
  readonly release: string
  readonly namespace: string
  /** Absent where the pass failed before it had a plan. */
  readonly plan?: Plan
  readonly fingerprint?: Fingerprint
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

/** Facts about the run that every report shows. */
export interface RunInfo {
  /** Address of the API server or the context's name, for people. */
  readonly cluster: string
  readonly commitSha?: string
  readonly runUrl?: string
  readonly runNumber?: number
  readonly runAttempt?: number
  readonly runId?: number
  readonly actionVersion: string
}
