import type { Evidence, PodEvidence } from './evidence.ts'
import type { Failure, Outcome } from './outcome.ts'
import type { ReadinessReason } from './readiness.ts'
import type { Ref } from './ref.ts'
import type { StageName } from './verb.ts'

/** A fact emitted while a plan is executed or a record written. `atMs`: ms since the epoch, from the injected clock. */
export type Event = { readonly atMs: number } & (
  | { readonly type: 'stage-started'; readonly stage: StageName }
  | { readonly type: 'stage-finished'; readonly stage: StageName; readonly result: OperationResult }
  | { readonly type: 'group-started'; readonly stage: StageName; readonly group: number }
  | {
      readonly type: 'group-finished'
      readonly stage: StageName
      readonly group: number
      readonly result: OperationResult
    }
  | { readonly type: 'operation-started'; readonly id: string }
  /** Why an await still waits; emitted when the reason changes and at least every 30 s. */
  | { readonly type: 'progress'; readonly id: string; readonly reason: ReadinessReason }
  | {
      readonly type: 'operation-finished'
      readonly id: string
      readonly result: OperationResult
      readonly reason?: ReadinessReason
      readonly failure?: Failure
      /** Set where an apply changed nothing although the plan announced a change, or the reverse. */
      readonly note?: string
    }
  | {
      readonly type: 'log'
      readonly id: string
      readonly pod: string
      readonly container: string
      readonly line: string
    }
  /** The log of a hook that ended as its `helm.sh/hook-output-log-policy` names. */
  | {
      readonly type: 'hook-logs'
      readonly id: string
      readonly pods: readonly PodEvidence[]
      readonly missing: readonly string[]
    }
  | { readonly type: 'evidence'; readonly id: string; readonly evidence: Evidence }
  | { readonly type: 'record'; readonly revision: number; readonly status: string }
  | {
      readonly type: 'lock'
      readonly state: 'acquired' | 'taken-over' | 'waiting' | 'released' | 'lost'
      readonly holder: string
    }
  | ({ readonly type: 'held-up' } & HeldUp)
  | { readonly type: 'namespace-created'; readonly namespace: string }
  | { readonly type: 'warning'; readonly ref?: Ref; readonly message: string }
  | { readonly type: 'finished'; readonly outcome: Outcome }
)

/** Writes that fail with what passes by itself, such as a webhook that is still starting, and are tried again. */
export interface HeldUp {
  /** `over`: the last write that waited for this cause has gone through. */
  readonly state: 'waiting' | 'over'
  /** One of the writes: `apply Deployment/shop/web`. */
  readonly doing: string
  /** What it fails with. */
  readonly cause: string
  /** Since when, in ms since the epoch. */
  readonly sinceMs: number
}

export type EventOf<T extends Event['type']> = Extract<Event, { readonly type: T }>

/** `skipped`: its condition did not hold (`onlyIf`), or the run had stopped before. */
export type OperationResult = 'succeeded' | 'failed' | 'skipped' | 'cancelled'

export type Emit = (event: Event) => void
