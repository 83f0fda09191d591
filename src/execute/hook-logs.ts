import { startDeadline } from '../concurrency/deadline.ts'
import { unlessAborted } from '../concurrency/unless-aborted.ts'
import { containerStatuses } from '../model/api-object.ts'
import { messageOf } from '../model/errors.ts'
import type { KubeObject } from '../model/object.ts'
import type { AwaitOperation } from '../model/plan.ts'
import { type ExecuteInput, emitEvent } from './execution.ts'
import { isContainerShown, lineFilter } from './log-filter.ts'

/** Limits of what one container may print into the run's log; the pod keeps the rest. */
const LINES = 2_000
const LIMIT_CHARS = 256 * 1024
const LINE_LIMIT_CHARS = 4_096
/** Pods of one hook that are followed: the attempts of a Job that is tried again. */
const PODS = 5
/** How long the end of the logs of a finished hook is waited for, in ms. */
const DRAIN_MS = 2_000

/** Prints the logs of a hook's pods while they run. */
export interface HookLogs {
  /** Follows every container of these pods that has started and is not followed yet. */
  follow(pods: readonly KubeObject[]): void
  /** Waits a moment for the last lines, then ends what still follows. */
  close(): Promise<void>
}

export function createHookLogs(input: ExecuteInput, operation: AwaitOperation, halt: AbortSignal): HookLogs {
  const followers = new Map<string, Promise<void>>()
  const pods = new Set<string>()
  const most = Math.min(PODS, operation.tracking.logs.replicas ?? PODS)
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, halt])
  let hasWarned = false

  function warn(message: string): void {
    emitEvent(input, { type: 'warning', ref: operation.ref, message })
  }

  async function follow(namespace: string, pod: string, container: string): Promise<void> {
    const full = new AbortController()
    const isShown = lineFilter(operation.tracking.logs, container)
    let lines = 0
    let chars = 0
    const onLine = (text: string): void => {
      if (full.signal.aborted || signal.aborted) return
      const line = text.slice(0, LINE_LIMIT_CHARS)
      if (!isShown(line)) return
      lines += 1
      chars += line.length
      emitEvent(input, { type: 'log', id: operation.id, pod, container, line })
      if (lines < LINES && chars < LIMIT_CHARS) return
      full.abort()
      warn(`the log of ${pod}/${container} is longer; only its first ${lines} lines are shown here`)
    }
    try {
      await input.cluster.followLog({ namespace, pod, container }, onLine, AbortSignal.any([signal, full.signal]))
    } catch (error) {
      // A log that cannot be read must not fail the hook; one word about it is enough.
      if (signal.aborted || full.signal.aborted || hasWarned) return
      hasWarned = true
      warn(`the log of ${pod}/${container} cannot be followed: ${messageOf(error)}`)
    }
  }

  return {
    follow(found) {
      for (const pod of found) {
        const { namespace = '', name = '', uid = '' } = pod.metadata
        if (!pods.has(uid) && pods.size === most) continue
        pods.add(uid)
        for (const container of startedContainers(pod, operation)) {
          const key = `${uid}/${container}`
          if (!followers.has(key)) followers.set(key, follow(namespace, name, container))
        }
      }
    },
    async close() {
      const deadline = startDeadline(input.clock, DRAIN_MS)
      const all = Promise.all(followers.values())
      await unlessAborted(all, AbortSignal.any([halt, deadline.signal])).catch(() => {
        // The time is over, or the run was halted: both end the wait.
      })
      stop.abort()
      await Promise.all([all, deadline.close()])
    },
  }
}

/** Containers with a log, without those that the directives leave out. Init containers first. */
function startedContainers(pod: KubeObject, operation: AwaitOperation): readonly string[] {
  return containerStatuses(pod)
    .filter(({ state }) => state?.running !== undefined || state?.terminated !== undefined)
    .map(({ name }) => name)
    .filter((name) => isContainerShown(operation.tracking.logs, name))
}
