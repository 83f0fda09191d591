import { defined } from '../model/defined.ts'
import type { OperationResult } from '../model/event.ts'
import type { Failure, StopReason } from '../model/outcome.ts'
import type { DeleteOperation, Group, Operation } from '../model/plan.ts'
import { refKey } from '../model/ref.ts'
import { emitEvent, type Step, stopReason } from './execution.ts'
import type { StageRun } from './execution-state.ts'
import { readEvidence, runOperation } from './operation.ts'
import { failureOfError, failurePlace, stoppedFailure, troubleAtStop } from './operation-failure.ts'
import { hasPods } from './pods.ts'

/**
 * Runs the groups of a stage and their ranks one after the other. Once something has failed nothing further is started:
 * only those deletes of this stage still run whose `onlyIf` fits how their target ended (docs/decisions/0009).
 */
export async function runStage(run: StageRun): Promise<void> {
  const { execution, state, stage } = run
  emitEvent(execution.input, { type: 'stage-started', stage: stage.name })
  for (const [index, group] of stage.groups.entries()) await runGroup(run, group, index)
  state.endStage(execution)
  emitEvent(execution.input, { type: 'stage-finished', stage: stage.name, result: stageResult(run) })
}

async function runGroup(run: StageRun, group: Group, index: number): Promise<void> {
  const { execution, stage } = run
  const place = { stage: stage.name, group: index }
  const isStarted = !hasEnded(run)
  if (isStarted) emitEvent(execution.input, { type: 'group-started', ...place })
  for (const rank of group.ranks) {
    const steps = rank.map((operation) => ({ operation, stage: stage.name, weight: group.weight }))
    const runOne = hasEnded(run) ? runAfterwards : runOrSkip
    const results = await Promise.all(steps.map((step) => runOne(run, step)))
    noticeStop(
      run,
      steps.filter((_step, index) => results[index] !== 'succeeded'),
    )
  }
  if (isStarted) emitEvent(execution.input, { type: 'group-finished', ...place, result: stageResult(run) })
}

async function runOrSkip(run: StageRun, step: Step): Promise<OperationResult> {
  const { operation } = step
  return operation.kind === 'delete' && !fits(run, operation) ? skip(run, operation) : runOperation(run, step)
}

/** After a failure: what a delete policy names, when its logs and events have been read (docs/decisions/0005). */
async function runAfterwards(run: StageRun, step: Step): Promise<OperationResult> {
  const { operation } = step
  const { execution, state } = run
  const mayRun = operation.kind === 'delete' && operation.onlyIf !== undefined && fits(run, operation)
  if (!mayRun || execution.cleanup.aborted) return skip(run, operation)
  const { cleanup } = execution
  if (hasPods(operation.ref) && !state.evidenceRead.has(refKey(operation.ref))) await readEvidence(run, operation)
  const afterwards = { ...execution, signal: cleanup, halt: cleanup }
  return runOperation({ ...run, execution: afterwards }, step)
}

function fits({ state, stage }: StageRun, operation: DeleteOperation): boolean {
  return operation.onlyIf === undefined || state.outcome(stage.name, operation.ref) === operation.onlyIf
}

function skip({ execution }: StageRun, operation: Operation): 'skipped' {
  emitEvent(execution.input, { type: 'operation-finished', id: operation.id, result: 'skipped' })
  return 'skipped'
}

/** Makes a stop from outside the failure of the run: of what it hit first in the plan's order, waits before requests. */
function noticeStop({ execution, state }: StageRun, hit: readonly Step[]): void {
  const stop = stopReason(execution.input.signal)
  const first = hit.find(({ operation }) => execution.waiting.has(operation.id)) ?? hit[0]
  if (stop === undefined || first === undefined || state.failure() !== undefined) return
  state.fail(state.atStop(first.operation.id) ?? stoppedBy(execution, first, stop), execution)
}

function stoppedBy({ input, waiting }: StageRun['execution'], step: Step, stop: StopReason): Failure {
  const trouble = troubleAtStop(stop, input.cluster)
  const place = failurePlace(step)
  const failure = trouble === undefined ? stoppedFailure(stop, place) : failureOfError(trouble, place)
  return { ...failure, ...defined({ readiness: waiting.get(step.operation.id)?.reason }) }
}

function hasEnded({ execution, state }: StageRun): boolean {
  return state.failure() !== undefined || execution.input.signal.aborted
}

function stageResult({ execution, state }: StageRun): Exclude<OperationResult, 'skipped'> {
  if (state.failure() === undefined) return 'succeeded'
  return stopReason(execution.input.signal) === 'cancelled' ? 'cancelled' : 'failed'
}
