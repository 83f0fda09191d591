import type { Stage } from '../model/plan.ts'
import { refKey } from '../model/ref.ts'
import { stageOperations } from '../model/stage-operations.ts'
import { createCleanupSignal } from './cleanup-signal.ts'
import { createDiscoveredKinds } from './discovered-kinds.ts'
import { type ExecuteInput, type Execution, type ExecutionResult, emitEvent, stopReason } from './execution.ts'
import { createExecutionState } from './execution-state.ts'
import { runStage } from './stage.ts'
import { createWatchPool } from './watch-pool.ts'

/**
 * Walks a plan: stages, groups and ranks one after the other, the members of a rank in parallel. Decides nothing about
 * order and speaks only in events. Never rejects for what the cluster says: the first error is the result's failure. When
 * it returns, every watch is closed and nothing of it runs on.
 */
export async function execute(input: ExecuteInput): Promise<ExecutionResult> {
  const { signal } = input
  const cleanup = createCleanupSignal(input)
  const state = createExecutionState()
  const execution: Execution = {
    input,
    signal,
    halt: AbortSignal.any([signal, state.failed]),
    cleanup: cleanup.signal,
    discovered: createDiscoveredKinds(input.cluster, signal),
    applied: new Map(),
    watches: createWatchPool(input.cluster, ({ kind, namespace }, refusal) => {
      const where = namespace ?? 'the cluster'
      const message = `${kind} objects in ${where} may not be watched, so they are listed every few seconds: ${refusal.details.message}`
      emitEvent(input, { type: 'warning', message })
    }),
    waiting: new Map(),
    warned: new Set(),
  }
  try {
    for (const stage of input.plan.stages) {
      await runStage({ execution, state, stage, awaited: awaitedIn(stage) })
      if (state.failure() !== undefined) break
    }
  } finally {
    execution.watches.close()
    await cleanup.close()
  }
  const failure = state.failure()
  const hookRuns = state.hookRuns()
  if (failure === undefined) return { result: 'succeeded', hookRuns }
  return {
    result: stopReason(signal) === 'cancelled' && failure.reason === 'cancelled' ? 'cancelled' : 'failed',
    failure,
    hookRuns,
  }
}

function awaitedIn(stage: Stage): ReadonlySet<string> {
  const operations = stageOperations(stage)
  return new Set(operations.filter(({ kind }) => kind === 'await').map(({ ref }) => refKey(ref)))
}
