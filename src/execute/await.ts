import type { Failure, FailureReason } from '../model/outcome.ts'
import type { AwaitOperation } from '../model/plan.ts'
import type { ReadinessReason } from '../model/readiness.ts'
import { type AwaitVerdict, createAwaitCheck } from './await-check.ts'
import { type Done, type Execution, emitProgress, type Step } from './execution.ts'
import { awaitsCompletion } from './goal-readiness.ts'
import { createHookLogs } from './hook-logs.ts'
import { openObjectTree } from './object-tree.ts'
import { failurePlace } from './operation-failure.ts'
import { waitUntil } from './wait.ts'

/** Waits until the object has reached the goal of the await, or has failed. Logs of hooks are shown meanwhile. */
export async function runAwait(execution: Execution, step: Step<AwaitOperation>): Promise<Done> {
  const { operation } = step
  const { halt, input } = execution
  const tree = await openObjectTree(execution, operation)
  const logs = awaitsCompletion(operation) ? createHookLogs(input, operation, halt) : undefined
  const check = createAwaitCheck(execution, operation, tree)
  try {
    const verdict = await waitUntil({
      clock: input.clock,
      signal: halt,
      subscribe: (listener) => tree.subscribe(listener),
      onProgress: (reason) => emitProgress(execution, operation, reason),
      look: async () => {
        const look = await check()
        logs?.follow(tree.pods())
        return look
      },
    })
    execution.waiting.delete(operation.id)
    return doneOf(step, verdict)
  } finally {
    await logs?.close()
    tree.close()
  }
}

function doneOf(step: Step<AwaitOperation>, verdict: AwaitVerdict): Done {
  const { reason } = verdict
  switch (verdict.state) {
    case 'ready':
      return { result: 'succeeded', reason }
    case 'unknown':
      return { result: 'succeeded', reason, note: 'readiness of this kind is unknown; the run continues' }
    case 'progressing':
    case 'failed':
      return failedAwait(step, reason)
    case 'vanished':
      return {
        result: 'failed',
        reason,
        failure: awaitFailure(step, reason, 'it was deleted before its result was seen'),
      }
  }
}

/** What is awaited will not reach its goal. */
export function failedAwait(step: Step<AwaitOperation>, reason: ReadinessReason): Done {
  return { result: 'failed', reason, failure: awaitFailure(step, reason, 'it will not become ready') }
}

function awaitFailure(step: Step<AwaitOperation>, readiness: ReadinessReason, ours: string): Failure {
  const message = 'message' in readiness && readiness.message !== undefined ? readiness.message : ours
  return { ...failurePlace(step), reason: failureReason(step), message, readiness }
}

function failureReason({ operation, stage }: Step<AwaitOperation>): FailureReason {
  if (stage === 'test') return 'test-failed'
  if (operation.until === 'established') return 'crd-not-established'
  return operation.hook === undefined || operation.isExternal === true ? 'not-ready' : 'hook-failed'
}
