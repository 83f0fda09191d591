import type { OperationResult } from '../model/event.ts'
import type { Evidence, PodEvidence } from '../model/evidence.ts'
import type { AwaitOperation, Operation } from '../model/plan.ts'
import { runsToItsEnd } from './await-verdict.ts'
import { type Execution, tell } from './execution.ts'
import { gatherLogs } from './gather-evidence.ts'
import { isContainerShown, lineFilter } from './log-filter.ts'

/**
 * Tells the log of a hook that ended as its `helm.sh/hook-output-log-policy` names, before anything may delete its pods:
 * as much of it as evidence has, without what the directives leave out. Never fails.
 */
export async function tellOutputLogs(
  { input, aftermath }: Pick<Execution, 'input' | 'aftermath'>,
  operation: Operation,
  { result, evidence }: { readonly result: OperationResult; readonly evidence: Evidence | undefined },
): Promise<void> {
  if (operation.kind !== 'await' || !asksFor(operation, result) || aftermath.aborted) return
  const { pods, missing } = evidence ?? (await gatherLogs(input, operation.ref, aftermath))
  tell(input, {
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
    runsToItsEnd(operation) &&
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
