import type { Hint } from './hint.ts'
import type { ReadinessReason } from './readiness.ts'
import type { Ref } from './ref.ts'
import type { StageName } from './verb.ts'

export interface StatusRow {
  /** The command was carried out to its end. */
  readonly isDone: boolean
  /** What a plan says of a new revision has come true. */
  readonly wroteRevision?: true
}

/** Every status, in the order in which it counts for a run of several passes: what is not over, then the worst first. */
export const statuses = {
  /** Written only while a run lasts, so that a killed run does not leave a wrong status. */
  running: { isDone: false },
  cancelled: { isDone: false },
  /** Before `failed`: what went well here comes after the failure it answers. */
  'rolled-back': { isDone: true, wroteRevision: true },
  /** A first install that failed, of which nothing is left (input `atomic`). */
  'taken-down': { isDone: true },
  failed: { isDone: false },
  deployed: { isDone: true, wroteRevision: true },
  uninstalled: { isDone: true, wroteRevision: true },
  tested: { isDone: true },
  planned: { isDone: false },
  'no-changes': { isDone: true },
} as const satisfies { readonly [status: string]: StatusRow }

/** Output `status`. */
export type Status = keyof typeof statuses

export function statusRow(status: Status): StatusRow {
  return statuses[status]
}

/** Output `failure-reason`, a closed list. */
export type FailureReason =
  | 'invalid-input'
  | 'fetch-failed'
  | 'render-failed'
  | 'cluster-unreachable'
  | 'forbidden'
  | 'locked'
  | 'conflict'
  | 'immutable'
  | 'not-owned'
  | 'rejected'
  | 'plan-changed'
  | 'approval-missing'
  | 'crd-not-established'
  | 'hook-failed'
  | 'not-ready'
  | 'test-failed'
  | 'timeout'
  | 'cancelled'
  | 'internal'

/** How a pass ended. Exit code, summary, comment, outputs and record are all derived from it. */
export interface Outcome {
  readonly status: Status
  readonly failure?: Failure
}

/** The first error of a pass: what was being done, to what, in which stage, what was wrong, what to do next. */
export interface Failure {
  readonly reason: FailureReason
  /** What was being done, in the infinitive: `apply`, `wait for readiness`, `read the release record`. */
  readonly doing: string
  readonly ref?: Ref
  readonly stage?: StageName
  readonly weight?: number
  readonly operationId?: string
  /** Where a template could not be rendered: file as Helm names it (`shop/templates/web.yaml`), line from 1. */
  readonly place?: { readonly file: string; readonly line?: number }
  /** May hold foreign text (server messages); redacted and escaped where it is printed. */
  readonly message: string
  /** What to do next. Absent: what `reason` asks for. */
  readonly hint?: Hint
  /** Why the resource is not ready, where that was the failure. */
  readonly readiness?: ReadinessReason
  /** Further objects that were not ready or had failed at that moment. */
  readonly others?: readonly { readonly ref: Ref; readonly readiness: ReadinessReason }[]
}

/** Why a run is stopped from outside; the `reason` of its AbortSignal. */
export type StopReason = 'timeout' | 'cancelled' | 'lock-lost'
