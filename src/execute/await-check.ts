import { isBuiltIn } from '../manifest/built-in-kinds.ts'
import { defined } from '../model/defined.ts'
import type { KubeObject } from '../model/object.ts'
import type { AwaitOperation } from '../model/plan.ts'
import type { Readiness, ReadinessReason } from '../model/readiness.ts'
import { refKey } from '../model/ref.ts'
import type { Execution } from './execution.ts'
import { readinessForGoal } from './goal-readiness.ts'
import type { ObjectTree } from './object-tree.ts'
import { createProgressDeadline } from './progress-deadline.ts'
import { createReadinessFacts } from './readiness-facts.ts'
import { isStale } from './stale-object.ts'
import type { Look } from './wait.ts'

/** After this time without a sign of an object that should be there, it is asked for directly, in ms. */
const MISSING_MS = 2_000
/** How often discovery is asked for a CRD that is established but not served yet, in ms: it has no watch. */
const DISCOVERY_INTERVAL_MS = 1_000

/** The end of a wait: readiness, or that the object vanished before anybody saw how it ended. */
export type AwaitVerdict = Readiness | { readonly state: 'vanished'; readonly reason: ReadinessReason }

/** Looks at the awaited object through its tree, again and again, and says when the wait is over. */
export function createAwaitCheck(
  execution: Execution,
  operation: AwaitOperation,
  tree: ObjectTree,
): () => Promise<Look<AwaitVerdict>> {
  const { input, applied } = execution
  const deadline = createProgressDeadline(operation.tracking.noActivitySeconds)
  const facts = createReadinessFacts(execution, operation)
  const written = applied.get(refKey(operation.ref))
  let missingSinceMs: number | undefined

  async function judgeAbsent(): Promise<Look<AwaitVerdict>> {
    const waitsFor: ReadinessReason = { code: 'absent' }
    if (operation.isExternal === true) return { waitsFor }
    const nowMs = input.clock.now()
    missingSinceMs ??= nowMs
    const asksAtMs = missingSinceMs + MISSING_MS
    if (nowMs < asksAtMs && tree.last() === undefined) return { waitsFor, againAtMs: asksAtMs }
    missingSinceMs = nowMs
    if ((await input.cluster.get(operation.ref, execution.signal)) !== undefined) {
      return { waitsFor, againAtMs: nowMs + MISSING_MS }
    }
    return { done: (await judgeEnd(tree.last())) ?? { state: 'vanished', reason: waitsFor } }
  }

  /** A Job that is going or gone (TTL) is judged by the last status seen (docs/decisions/0020). */
  async function judgeEnd(last: KubeObject | undefined): Promise<Readiness | undefined> {
    if (last === undefined || !isBuiltIn(last, 'Job') || isStale(last, written)) return undefined
    const { deletionTimestamp: _going, ...metadata } = last.metadata
    const verdict = readinessForGoal(operation, { ...last, metadata }, [], await facts.of(last))
    return verdict.state === 'ready' || verdict.state === 'failed' ? verdict : undefined
  }

  return async () => {
    tree.throwIfEnded()
    const object = tree.object()
    if (object === undefined || isStale(object, written)) return judgeAbsent()
    missingSinceMs = undefined
    if (object.metadata.deletionTimestamp !== undefined) {
      const end = await judgeEnd(object)
      if (end !== undefined) return { done: end }
    }
    const relatives = await tree.relatives(object)
    const known = await facts.of(object)
    const version = [object, ...relatives].map(({ metadata }) => metadata.resourceVersion).join(' ')
    const { verdict, againAtMs } = deadline.verdictNow(
      readinessForGoal(operation, object, relatives, known),
      version,
      known.nowMs,
    )
    if (verdict.state !== 'progressing') return { done: verdict }
    const nextMs = verdict.reason.code === 'not-served' ? known.nowMs + DISCOVERY_INTERVAL_MS : againAtMs
    return { waitsFor: verdict.reason, ...defined({ againAtMs: nextMs }) }
  }
}
