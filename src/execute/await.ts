import type { Failure, FailureReason } from '../model/outcome.ts'
import type { AwaitOperation } from '../model/plan.ts'
import type { ReadinessReason } from '../model/readiness.ts'
import { runsToItsEnd } from './await-verdict.ts'
import { type Done, type Execution, type Step, tellProgress } from './execution.ts'
import { createHookLogs } from './hook-logs.ts'
import { createJudge, type Verdict } from './judge.ts'
import { placeOf } from './operation-failure.ts'
import { openView } from './view.ts'
import { waitUntil } from './wait.ts'

/** Waits until the object has reached the goal of the await, or has failed. Logs of hooks are shown meanwhile. */
export async function runAwait(execution: Execution, step: Step<AwaitOperation>): Promise<Done> {
  const { operation } = step
  const { halt, input } = execution
  const view = await openView(execution, operation)
  const logs = runsToItsEnd(operation) ? createHookLogs(input, operation, halt) : undefined
  const judge = createJudge(execution, operation, view)
  try {
    const verdict = await waitUntil({
      clock: input.clock,
      signal: halt,
      subscribe: (listener) => view.subscribe(listener),
      onProgress: (reason) => tellProgress(execution, operation, reason),
      look: async () => {
        const look = await judge()
        logs?.follow(view.pods())
        return look
      },
    })
    execution.waiting.delete(operation.id)
    return doneOf(step, verdict)
  } finally {
    await logs?.close()
    view.close()
  }
}

function doneOf(step: Step<AwaitOperation>, verdict: Verdict): Done {
  const { reason } = verdict
  switch (verdict.state) {
    case 'ready':
      return { result: 'succeeded', reason }
    case 'unknown':
      return { result: 'succeeded', reason, note: 'readiness of this kind is unknown; the run continues' }
    case 'progressing':
    case 'failed':
      return { result: 'failed', reason, failure: failureOf(step, reason, 'it will not become ready') }
    case 'vanished':
      return { result: 'failed', reason, failure: failureOf(step, reason, 'it was deleted before its result was seen') }
  }
}

function failureOf(step: Step<AwaitOperation>, readiness: ReadinessReason, ours: string): Failure {
  const message = 'message' in readiness && readiness.message !== undefined ? readiness.message : ours
  return { ...placeOf(step), reason: failureReason(step), message, readiness }
}

function failureReason({ operation, stage }: Step<AwaitOperation>): FailureReason {
  if (stage === 'test') return 'test-failed'
  if (operation.until === 'established') return 'crd-not-established'
  return operation.hook === undefined || operation.isExternal === true ? 'not-ready' : 'hook-failed'
}
