import type { KubeObject } from '../model/object.ts'
import type { Failure, FailureReason } from '../model/outcome.ts'
import type { AwaitOperation } from '../model/plan.ts'
import type { Readiness, ReadinessReason } from '../model/readiness.ts'
import { refKey } from '../model/ref.ts'
import { type Done, type Execution, type Step, tellProgress } from './execution.ts'
import { createFacts } from './facts.ts'
import { placeOf } from './failure.ts'
import { isOlder } from './freshness.ts'
import { createHookLogs } from './hook-logs.ts'
import { createPatience } from './patience.ts'
import { verdictOf } from './verdict.ts'
import { openView, type View } from './view.ts'
import { type Look, waitUntil } from './wait.ts'

/** After this time without a sign of an object that was applied, it is asked for directly, in ms. */
const MISSING_MS = 2_000
/** How often discovery is asked for a CRD that is established but not served yet, in ms: it has no watch. */
const DISCOVERY_INTERVAL_MS = 1_000

/** Waits until the object has reached the goal of the await, or has failed. */
export async function runAwait(execution: Execution, step: Step<AwaitOperation>): Promise<Done> {
  const { operation } = step
  const view = await openView(execution, operation)
  const followsLogs = operation.until === 'complete'
  const logs = createHookLogs(execution.input, operation, execution.halt)
  const judge = createJudge(execution, operation, view)
  try {
    const verdict = await waitUntil({
      clock: execution.input.clock,
      signal: execution.halt,
      subscribe: (listener) => view.subscribe(listener),
      onProgress: (reason) => tellProgress(execution, operation, reason),
      look: async () => {
        const look = await judge()
        if (followsLogs) logs.follow(view.pods())
        return look
      },
    })
    execution.waiting.delete(operation.id)
    return doneOf(step, verdict)
  } finally {
    await logs.close()
    view.close()
  }
}

/** The end of a wait: readiness, or that the object vanished before anybody saw how it ended. */
type Verdict = Readiness | { readonly state: 'vanished'; readonly reason: ReadinessReason }

function createJudge(execution: Execution, operation: AwaitOperation, view: View): () => Promise<Look<Verdict>> {
  const { input, applied } = execution
  const { ref } = operation
  const patience = createPatience(operation.tracking.noActivitySeconds)
  const facts = createFacts(execution, operation)
  const expected = applied.get(refKey(ref))
  let lastSeen: KubeObject | undefined
  let missingSinceMs: number | undefined

  async function judgeAbsent(): Promise<Look<Verdict>> {
    const waitsFor: ReadinessReason = { code: 'absent' }
    if (operation.isExternal === true) return { waitsFor }
    const nowMs = input.clock.now()
    missingSinceMs ??= nowMs
    if (nowMs < missingSinceMs + MISSING_MS) return { waitsFor, againAtMs: missingSinceMs + MISSING_MS }
    missingSinceMs = nowMs
    const found = await input.cluster.get(ref, execution.signal)
    if (found !== undefined && !isOlder(found, expected)) return { waitsFor, againAtMs: nowMs + MISSING_MS }
    // A Job that vanishes is judged by the last status seen (design decision 5): it is over, so it is no longer running.
    if (lastSeen !== undefined && operation.until === 'complete') {
      const last = verdictOf(operation, lastSeen, [], await facts.of(lastSeen))
      if (last.state === 'ready' || last.state === 'failed') return { done: last }
    }
    return { done: { state: 'vanished', reason: waitsFor } }
  }

  return async () => {
    const object = view.object()
    if (object === undefined || isOlder(object, expected)) return judgeAbsent()
    missingSinceMs = undefined
    lastSeen = object
    const relatives = await view.relatives(object)
    const known = await facts.of(object)
    const version = [object, ...relatives].map(({ metadata }) => metadata.resourceVersion).join(' ')
    const { verdict, againAtMs } = patience.judge(verdictOf(operation, object, relatives, known), version, known.nowMs)
    if (verdict.state !== 'progressing') return { done: verdict }
    const asksDiscovery = verdict.reason.code === 'not-served'
    const nextMs = asksDiscovery ? known.nowMs + DISCOVERY_INTERVAL_MS : againAtMs
    return { waitsFor: verdict.reason, ...(nextMs === undefined ? {} : { againAtMs: nextMs }) }
  }
}

function doneOf(step: Step<AwaitOperation>, verdict: Verdict): Done {
  const { reason } = verdict
  switch (verdict.state) {
    case 'ready':
      return { result: 'succeeded', reason }
    case 'unknown':
      return { result: 'succeeded', reason, note: 'readiness of this kind is not known; the run goes on' }
    case 'progressing':
    case 'failed':
      return { result: 'failed', reason, failure: failureOf(step, reason, 'it will not get there by itself') }
    case 'vanished':
      return { result: 'failed', reason, failure: failureOf(step, reason, 'it was gone before its result was seen') }
  }
}

function failureOf(step: Step<AwaitOperation>, readiness: ReadinessReason, message: string): Failure {
  const foreign = 'message' in readiness && readiness.message !== undefined ? readiness.message : message
  return { ...placeOf(step), reason: failureReason(step), message: foreign, readiness }
}

function failureReason({ operation, stage }: Step<AwaitOperation>): FailureReason {
  if (stage === 'test') return 'test-failed'
  if (operation.until === 'established') return 'crd-not-established'
  return operation.hook === undefined ? 'not-ready' : 'hook-failed'
}
