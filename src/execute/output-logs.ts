import type { OperationResult } from '../model/event.ts'
import type { Evidence, PodEvidence } from '../model/evidence.ts'
import type { AwaitOperation, Operation } from '../model/plan.ts'
import { type Execution, emitEvent } from './execution.ts'
import { gatherLogs } from './gather-evidence.ts'
import { awaitsCompletion } from './goal-readiness.ts'
import { isContainerShown, lineFilter } from './log-filter.ts'

/**
 * Tells the log of a hook that ended as its `helm.sh/hook-output-log-policy` names, before anything may delete its pods:
 * as much of it as evidence has, without what the directives leave out. Never fails.
 */
export async function emitOutputLogs(
  { input, cleanup }: Pick<Execution, 'input' | 'cleanup'>,
  operation: Operation,
  { result, evidence }: { readonly result: OperationResult; readonly evidence: Evidence | undefined },
): Promise<void> {
  if (operation.kind !== 'await' || !asksFor(operation, result) || cleanup.aborted) return
  const { pods, missing } = evidence ?? (await gatherLogs(input, operation.ref, cleanup))
  emitEvent(input, {
    type: 'hook-logs',
    id: operation.id,
    pods: pods.slice(0, operation.tracking.logs.replicas).map((pod) => shownOf(pod, operation)),
    missing: pods.length === 0 && missing.length === 0 ? ['its pods: already deleted'] : missing,
  })
}

/** Only Jobs and Pods end, and have a log of which that is the end. */
function asksFor(operation: AwaitOperation, result: OperationResult): boolean {
  const { outputLogsOn = [], tracking } = operation
  return (
    outputLogsOn.some((one) => one === result) &&
    awaitsCompletion(operation) &&
    !tracking.logs.skip &&
    tracking.logs.replicas !== 0
  )
}

function shownOf(pod: PodEvidence, { tracking: { logs } }: AwaitOperation): PodEvidence {
  const containers = pod.containers
    .filter(({ name }) => isContainerShown(logs, name))
    .map((container) => ({ ...container, logTail: container.logTail.filter(lineFilter(logs, container.name)) }))
  return { ...pod, containers }
}
