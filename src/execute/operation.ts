import { defined } from '../model/defined.ts'
import type { OperationResult } from '../model/event.ts'
import type { Evidence } from '../model/evidence.ts'
import type { Failure } from '../model/outcome.ts'
import type { Operation } from '../model/plan.ts'
import type { ReadinessReason } from '../model/readiness.ts'
import { refKey } from '../model/ref.ts'
import { unreachable } from '../model/unreachable.ts'
import { runApply } from './apply.ts'
import { runAwait } from './await.ts'
import { runDelete } from './delete.ts'
import { type Done, type Execution, emitEvent, type Step, stopReason } from './execution.ts'
import type { StageRun } from './execution-state.ts'
import { gatherEvidence } from './gather-evidence.ts'
import { failureOfError, failurePlace, stoppedFailure, troubleAtStop } from './operation-failure.ts'
import { emitOutputLogs } from './output-logs.ts'

/** Of so many objects is evidence read beside the one that stops the run: a timeout may hit hundreds at once. */
const EVIDENCE_OBJECTS = 5

/** Runs one operation and returns how it ended. Its failure stops the run where the operation says so. */
export async function runOperation(run: StageRun, step: Step): Promise<OperationResult> {
  const { execution, state } = run
  const { input } = execution
  const { operation } = step
  emitEvent(input, { type: 'operation-started', id: operation.id })
  state.started(step, input.clock.now())
  const ended = await runToItsEnd(execution, step)
  if (ended.result !== 'cancelled') {
    state.finished(step, ended, { isAwaited: run.awaited.has(refKey(operation.ref)), atMs: input.clock.now() })
  }
  const failure = countedFailure(operation, ended)
  if (failure !== undefined && stopReason(input.signal) === undefined) {
    if (operation.kind === 'await' && operation.failure === 'last') state.failLater(failure)
    else state.fail(failure, execution)
  }
  const isStopped = stopReason(input.signal) !== undefined
  if (isStopped && ended.result === 'failed' && ended.failure !== undefined && ended.failure.reason !== 'timeout') {
    state.failedAtStop(ended.failure)
  }
  const { result, reason, note } = ended
  // Before the result is emitted, so that it can name the cause; the run has stopped already.
  const culprit = ended.result === 'failed' ? (ended.because ?? operation) : operation
  const isFirst = state.failure()?.operationId === culprit.id
  const isWorthEvidence = culprit.kind === 'await' && result === 'failed'
  const mayReadEvidence = isWorthEvidence && (isFirst || state.evidenceRead.size < EVIDENCE_OBJECTS)
  const evidence = mayReadEvidence ? await readEvidence(run, culprit) : undefined
  await emitOutputLogs(execution, operation, { result, evidence })
  emitEvent(input, {
    type: 'operation-finished',
    id: operation.id,
    result,
    ...defined({ reason, failure, note }),
  })
  return result
}

/** Reads logs and events of the operation's object, before anything may delete it. Never fails. */
export async function readEvidence(
  { execution, state }: StageRun,
  operation: Operation,
): Promise<Evidence | undefined> {
  const { input, cleanup } = execution
  if (cleanup.aborted) return undefined
  state.evidenceRead.add(refKey(operation.ref))
  const evidence = await gatherEvidence(input, operation.ref, cleanup)
  emitEvent(input, { type: 'evidence', id: operation.id, evidence })
  return evidence
}

type Ended = Done | { readonly result: 'cancelled'; readonly reason?: ReadinessReason; readonly note?: string }

async function runToItsEnd(execution: Execution, step: Step): Promise<Ended> {
  try {
    return await dispatch(execution, step)
  } catch (error) {
    const { operation } = step
    const readiness = execution.waiting.get(operation.id)?.reason
    const why = readiness === undefined ? {} : { reason: readiness }
    const stop = stopReason(execution.signal)
    const trouble = stop === undefined ? undefined : troubleAtStop(stop, execution.input.cluster, error)
    if (stop === 'timeout' || trouble !== undefined) {
      const failure =
        trouble === undefined
          ? stoppedFailure('timeout', failurePlace(step))
          : failureOfError(trouble, failurePlace(step))
      return { result: 'failed', ...why, failure: readiness === undefined ? failure : { ...failure, readiness } }
    }
    if (stop !== undefined || (execution.halt.aborted && error === execution.halt.reason))
      return { result: 'cancelled', ...why }
    return { result: 'failed', ...why, failure: failureOfError(error, failurePlace(step)) }
  }
}

function dispatch(execution: Execution, { operation, ...place }: Step): Promise<Done> {
  switch (operation.kind) {
    case 'apply':
      return runApply(execution, { operation, ...place })
    case 'delete':
      return runDelete(execution, { operation, ...place })
    case 'await':
      return runAwait(execution, { operation, ...place })
    default:
      return unreachable(operation)
  }
}

/** The failure, unless the annotations say that this one does not count (`fail-mode` ignore). */
function countedFailure(operation: Operation, ended: Ended): Failure | undefined {
  if (ended.result !== 'failed') return undefined
  const isTimeout = ended.failure?.reason === 'timeout'
  if (operation.kind === 'await' && operation.failure === 'ignore' && !isTimeout) return undefined
  return ended.failure
}
