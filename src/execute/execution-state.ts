import type { Failure } from '../model/outcome.ts'
import type { Operation, Stage } from '../model/plan.ts'
import { type Ref, refKey } from '../model/ref.ts'
import type { StageName } from '../model/verb.ts'
import type { Done, Execution, HookRunResult, Step, Waiting } from './execution.ts'

/** One stage of an execution on its way. */
export interface StageRun {
  readonly execution: Execution
  readonly state: ExecutionState
  readonly stage: Stage
  /** Objects with an await in this stage, by `refKey`: their apply is not the end of them. */
  readonly awaited: ReadonlySet<string>
}

/** What has happened so far: the first failure, how targets ended, and the runs of hooks. */
export interface ExecutionState {
  /** Fires with the first failure that stops the run. */
  readonly failed: AbortSignal
  failure(): Failure | undefined
  /** Stops the run; only the first failure counts. */
  fail(failure: Failure, execution: Execution): void
  /** A failure that ends the run at the end of its stage (`fail-mode` last). */
  failLater(failure: Failure): void
  /** What an operation was failing with when the run was stopped: that says more than that the time was over. */
  failedAtStop(failure: Failure): void
  /** Of this operation, else of the first that has one. */
  atStop(operationId: string): Failure | undefined
  /** Turns the failures that waited for the end of the stage into the failure of the run. */
  endStage(execution: Execution): void
  outcome(stage: StageName, ref: Ref): TargetOutcome | undefined
  started(step: Step, atMs: number): void
  finished(step: Step, done: Done, context: { readonly isAwaited: boolean; readonly atMs: number }): void
  hookRuns(): readonly HookRunResult[]
  /** Targets whose logs and events have been read, by `refKey`. */
  readonly evidenceRead: Set<string>
}

/** `applied`: its await is still to come. `refused`: the apply itself failed, so what is there is not ours to delete. */
export type TargetOutcome = 'applied' | 'succeeded' | 'failed' | 'refused'

export function createExecutionState(): ExecutionState {
  const stop = new AbortController()
  const outcomes = new Map<string, TargetOutcome>()
  const later: Failure[] = []
  const runs: HookRunResult[] = []
  let first: Failure | undefined
  const atStop: Failure[] = []

  function fail(failure: Failure, execution: Execution): void {
    if (first !== undefined) return
    const others = [...othersOf(failure, execution.waiting), ...later.flatMap(asOther)]
    first = others.length === 0 ? failure : { ...failure, others }
    stop.abort(new Error('another operation failed'))
  }

  /** The newest run of this hook: an object may serve several events, and be awaited before its own run starts. */
  function endRun(operation: Operation, phase: HookRunResult['phase'], atMs: number): void {
    const index = runs.findLastIndex(
      (run) => run.event === operation.hook && run.phase === 'Running' && refKey(run.ref) === refKey(operation.ref),
    )
    const run = runs[index]
    if (run !== undefined) runs[index] = { ...run, phase, completedAtMs: atMs }
  }

  return {
    failed: stop.signal,
    evidenceRead: new Set(),
    failure: () => first,
    fail,
    failLater: (failure) => void later.push(failure),
    failedAtStop: (failure) => void atStop.push(failure),
    atStop: (operationId) => atStop.find((failure) => failure.operationId === operationId) ?? atStop[0],
    endStage(execution) {
      const failure = later.shift()
      if (failure !== undefined) fail(failure, execution)
    },
    outcome: (stage, ref) => outcomes.get(targetKey(stage, ref)),
    started({ operation }, atMs) {
      if (operation.kind !== 'apply' || operation.hook === undefined) return
      runs.push({ ref: operation.ref, event: operation.hook, startedAtMs: atMs, phase: 'Running' })
    },
    finished({ operation, stage }, { result }, { isAwaited, atMs }) {
      if (operation.kind === 'delete' || result === 'skipped') return
      const isApply = operation.kind === 'apply'
      const isOver = result === 'failed' || !isApply || !isAwaited
      const failed = isApply ? 'refused' : 'failed'
      outcomes.set(targetKey(stage, operation.ref), result === 'failed' ? failed : isOver ? 'succeeded' : 'applied')
      if (operation.hook !== undefined && isOver) {
        endRun(operation, result === 'failed' ? 'Failed' : 'Succeeded', atMs)
      }
    },
    hookRuns: () => [...runs],
  }
}

function othersOf(failure: Failure, waiting: ReadonlyMap<string, Waiting>): NonNullable<Failure['others']> {
  return [...waiting.values()]
    .filter(({ operation }) => operation.id !== failure.operationId)
    .map(({ operation, reason }) => ({ ref: operation.ref, readiness: reason }))
}

function asOther({ ref, readiness }: Failure): NonNullable<Failure['others']> {
  return ref === undefined || readiness === undefined ? [] : [{ ref, readiness }]
}

function targetKey(stage: StageName, ref: Ref): string {
  return `${stage} ${refKey(ref)}`
}
