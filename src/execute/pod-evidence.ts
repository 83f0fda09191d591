import { defined } from '../model/defined.ts'
import { messageOf } from '../model/errors.ts'
import type { ContainerEvidence, PodEvidence } from '../model/evidence.ts'
import {
  arrayAt,
  at,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  numberAt,
  stringAt,
} from '../model/object.ts'
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
  const statuses = [...arrayAt(pod, 'status', 'initContainerStatuses'), ...arrayAt(pod, 'status', 'containerStatuses')]
  const containers = await Promise.all(
    statuses.filter(isJsonObject).map(async (status): Promise<ContainerEvidence> => {
      const state = stateOf(status)
      return { ...state, ...(await logOf(cluster, pod, { ...context, status, container: state.name })) }
    }),
  )
  return { name: pod.metadata.name ?? '', phase: stringAt(pod, 'status', 'phase') ?? 'Unknown', containers }
}

function stateOf(status: JsonObject): Omit<ContainerEvidence, 'logTail' | 'isPreviousLog'> {
  const [state, detail] = stateIn(status.state)
  const [, last] = stateIn(status.lastState)
  const reason = stringAt(detail, 'reason')
  const message = stringAt(detail, 'message') ?? stringAt(last, 'message')
  const exitCode = numberAt(detail, 'exitCode') ?? numberAt(last, 'exitCode')
  return {
    name: stringAt(status, 'name') ?? '',
    state,
    restarts: numberAt(status, 'restartCount') ?? 0,
    ...defined({ reason, message, exitCode }),
  }
}

/** `waiting`, `running` or `terminated`, with what stands below. */
function stateIn(states: JsonValue | undefined): readonly [string, JsonValue | undefined] {
  const name = ['terminated', 'waiting', 'running'].find((one) => at(states, one) !== undefined)
  return name === undefined ? ['unknown', undefined] : [name, at(states, name)]
}

/** The log that explains the failure: of the run before, where the container restarted and has not failed again. */
async function logOf(
  cluster: Reader,
  pod: KubeObject,
  context: {
    readonly status: JsonObject
    readonly container: string
    readonly signal: AbortSignal
    readonly missing: string[]
  },
): Promise<Pick<ContainerEvidence, 'logTail' | 'isPreviousLog'>> {
  const { status, container, signal, missing } = context
  const [state] = stateIn(status.state)
  const isPreviousLog = (numberAt(status, 'restartCount') ?? 0) > 0 && state !== 'terminated'
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
