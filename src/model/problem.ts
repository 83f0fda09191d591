import type { Hint } from './hint.ts'
import type { FailureReason } from './outcome.ts'
import type { Ref } from './ref.ts'

/** One finding about the user's input. All of a run are shown at once, before the first write. */
export interface Problem {
  readonly severity: 'error' | 'warning'
  /** What `failure-reason` becomes when this problem stops the run. */
  readonly reason: FailureReason
  readonly place: Place
  /** What is wrong, as one clause without a final stop. Never contains a value of a secret input. */
  readonly what: string
  readonly hint?: Hint
}

/** Where the finding is; every known part is given. `line` counts from 1. */
export interface Place {
  readonly input?: string
  readonly file?: string
  readonly line?: number
  readonly ref?: Ref
  readonly key?: string
}
