import type { Emit, Event, OperationResult } from '../model/event.ts'
import type { KubeObject } from '../model/object.ts'
import type { Failure, StopReason } from '../model/outcome.ts'
import type { ApplyPayload, AwaitOperation, Operation, Plan } from '../model/plan.ts'
import type { ReadinessReason } from '../model/readiness.ts'
import { type Ref, refKey } from '../model/ref.ts'
import type { StageName } from '../model/verb.ts'
import type { Clock, Cluster } from '../ports.ts'
import type { DiscoveredKinds } from './discovered-kinds.ts'
import type { WatchPool } from './watch-pool.ts'

export interface ExecuteInput {
  readonly plan: Plan
  /** Of each apply operation, by operation id. */
  readonly payloads: ReadonlyMap<string, ApplyPayload>
  /** What planning saw, by `refKey`: an object that is another one by now is not deleted. */
  readonly live: ReadonlyMap<string, KubeObject>
  readonly forceConflicts: boolean
  readonly cluster: Cluster
  readonly clock: Clock
  readonly emit: Emit
  /** Ends the run; its reason is a StopReason. */
  readonly signal: AbortSignal
  /** Ends what still runs after a timeout as well (evidence, delete policies): cancelled, or the lock was lost. */
  readonly abandon?: AbortSignal
}

export interface ExecutionResult {
  readonly result: Exclude<OperationResult, 'skipped'>
  /** The first error; absent where all of the plan was done. */
  readonly failure?: Failure
  /** In the order of their starts. */
  readonly hookRuns: readonly HookRunResult[]
}

/** One run of a hook, as the release record keeps it. Times in ms since the epoch. */
export interface HookRunResult {
  readonly ref: Ref
  /** `pre-upgrade` */
  readonly event: string
  readonly startedAtMs: number
  readonly completedAtMs?: number
  readonly phase: 'Running' | 'Succeeded' | 'Failed'
}

/** What the operations of one execution share. */
export interface Execution {
  readonly input: ExecuteInput
  /** Ends requests: the run was stopped from outside. */
  readonly signal: AbortSignal
  /** Ends waits, and keeps writes from starting: the run was stopped, or something has failed. */
  readonly halt: AbortSignal
  /** Ends what may still run after a failure or a timeout: evidence and delete policies. */
  readonly cleanup: AbortSignal
  readonly discovered: DiscoveredKinds
  readonly watches: WatchPool
  /** Objects as the server answered their apply, by `refKey`. */
  readonly applied: Map<string, KubeObject>
  /** Why the waits that go on at this moment go on; those that a halt has ended stay. By operation id. */
  readonly waiting: Map<string, Waiting>
  /** Warnings that were emitted, each once. */
  readonly warned: Set<string>
}

export interface Waiting {
  readonly operation: Operation
  readonly reason: ReadinessReason
}

/** An operation and where it stands in its plan. */
export interface Step<O extends Operation = Operation> {
  readonly operation: O
  readonly stage: StageName
  readonly weight: number
}

/** How an operation ended that did not throw. */
export interface Done {
  readonly result: 'succeeded' | 'failed' | 'skipped'
  readonly reason?: ReadinessReason
  readonly failure?: Failure
  readonly note?: string
  /** Why it failed, where that is another operation's failure. */
  readonly because?: AwaitOperation
}

/** An event without its time. */
export type UntimedEvent = Event extends infer E ? (E extends Event ? Omit<E, 'atMs'> : never) : never

export function emitEvent(input: Pick<ExecuteInput, 'emit' | 'clock'>, fact: UntimedEvent): void {
  input.emit({ atMs: input.clock.now(), ...fact })
}

/** Says why an operation is still waited for. */
export function emitProgress(execution: Execution, operation: Operation, reason: ReadinessReason): void {
  execution.waiting.set(operation.id, { operation, reason })
  emitEvent(execution.input, { type: 'progress', id: operation.id, reason })
}

/** Uid that a deletion may hit: of the object that this execution made, else of the one that planning saw. */
export function knownUid(execution: Execution, ref: Ref): string | undefined {
  const key = refKey(ref)
  return (execution.applied.get(key) ?? execution.input.live.get(key))?.metadata.uid
}

/** Why the run was stopped from outside, or undefined. */
export function stopReason(signal: AbortSignal | undefined): StopReason | undefined {
  if (signal?.aborted !== true) return undefined
  return signal.reason === 'timeout' || signal.reason === 'lock-lost' ? signal.reason : 'cancelled'
}
