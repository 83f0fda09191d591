import { asKind, type ContainerStatus, containerStatuses } from '../model/api-object.ts'
import { defined } from '../model/defined.ts'
import { messageOf } from '../model/errors.ts'
import type { ContainerEvidence, PodEvidence } from '../model/evidence.ts'
import type { KubeObject } from '../model/object.ts'
import type { Reader } from '../ports.ts'

const LOG_LINES = 50
/** Of one container, in bytes. */
const LOG_LIMIT_BYTES = 64 * 1024
const LINE_LIMIT_CHARS = 2_000

/** Container states and log tails of one pod. What cannot be read goes to `missing`. */
export async function podEvidence(
  cluster: Reader,
  pod: KubeObject,
  context: { readonly signal: AbortSignal; readonly missing: string[] },
): Promise<PodEvidence> {
  const containers = await Promise.all(
    containerStatuses(pod).map(
      async (status): Promise<ContainerEvidence> => ({
        ...stateOf(status),
        ...(await logOf(cluster, pod, { ...context, status })),
      }),
    ),
  )
  return { name: pod.metadata.name ?? '', phase: asKind('Pod', pod).status?.phase ?? 'Unknown', containers }
}

function stateOf({
  name,
  state,
  lastState,
  restartCount,
}: ContainerStatus): Omit<ContainerEvidence, 'logTail' | 'isPreviousLog'> {
  const detail = state?.terminated ?? state?.waiting
  const last = lastState?.terminated
  const reason = detail?.reason
  const message = detail?.message ?? last?.message
  const exitCode = state?.terminated?.exitCode ?? last?.exitCode
  return { name, state: stateName(state), restarts: restartCount, ...defined({ reason, message, exitCode }) }
}

function stateName(state: ContainerStatus['state']): string {
  const names = ['terminated', 'waiting', 'running'] as const
  return names.find((name) => state?.[name] !== undefined) ?? 'unknown'
}

/** The log that explains the failure: of the run before, where the container restarted and has not failed again. */
async function logOf(
  cluster: Reader,
  pod: KubeObject,
  context: {
    readonly status: ContainerStatus
    readonly signal: AbortSignal
    readonly missing: string[]
  },
): Promise<Pick<ContainerEvidence, 'logTail' | 'isPreviousLog'>> {
  const { status, signal, missing } = context
  const container = status.name
  const state = stateName(status.state)
  const isPreviousLog = status.restartCount > 0 && state !== 'terminated'
  const hasRun = isPreviousLog || state === 'running' || state === 'terminated'
  if (!hasRun) return { logTail: [], isPreviousLog }
  const query = {
    namespace: pod.metadata.namespace ?? '',
    pod: pod.metadata.name ?? '',
    container,
    tailLines: LOG_LINES,
    limitBytes: LOG_LIMIT_BYTES,
    previous: isPreviousLog,
  }
  try {
    const text = await cluster.log(query, signal)
    const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
    const logTail = text === '' ? [] : lines.slice(-LOG_LINES).map((line) => line.slice(0, LINE_LIMIT_CHARS))
    return { logTail, isPreviousLog }
  } catch (error) {
    if (!signal.aborted) missing.push(`log of ${query.pod}/${container}: ${messageOf(error)}`)
    return { logTail: [], isPreviousLog }
  }
}
