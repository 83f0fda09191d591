import { isBuiltIn } from '../manifest/built-in-kinds.ts'
import { FIELD_MANAGER } from '../manifest/field-managers.ts'
import { handOverPatch } from '../manifest/hand-over.ts'
import { refusalOf } from '../model/api-refusal.ts'
import { type ApiError, isApiError, messageOf } from '../model/errors.ts'
import type { HandOver } from '../model/handed-over.ts'
import type { KubeObject } from '../model/object.ts'
import type { ApplyOperation, ApplyPayload } from '../model/plan.ts'
import { formatRef, refKey } from '../model/ref.ts'
import type { RefusalKind } from '../model/refusal.ts'
import { deleteAndAwaitAbsence } from './absence.ts'
import { failedAwait } from './await.ts'
import type { Done, Execution, Step } from './execution.ts'
import { followWebhookBackends, type WebhookBackends } from './webhook-backends.ts'

/** How often the hand-over of managed fields is tried when somebody else writes the object meanwhile. */
const HAND_OVER_TRIES = 4
/** Controllers and caches follow within a second, as a rule. */
const JUDGED_ANEW_WITHIN_MS = 15_000
const JUDGED_ANEW_EVERY_MS = 500

/** Server-side apply of the operation's body, after deleting the old object where it is to be recreated. */
export async function runApply(execution: Execution, step: Step<ApplyOperation>): Promise<Done> {
  const { operation } = step
  const { input, halt } = execution
  if (operation.change === 'none') return { result: 'succeeded' }
  const payload = input.payloads.get(operation.id)
  if (payload === undefined) throw new Error(`the plan has no payload for ${operation.id}`)

  if (operation.change === 'recreate') await removeOld(execution, operation)
  if (payload.handOver !== undefined) await takeOver(execution, operation, payload.handOver)
  halt.throwIfAborted()
  const backends = followWebhookBackends(execution, `apply ${formatRef(operation.ref)}`)
  try {
    const object = await judged(execution, operation, () => applied(execution, payload, backends))
    const before = input.live.get(refKey(operation.ref))
    execution.applied.set(refKey(operation.ref), object)
    return { result: 'succeeded', ...noteOf(operation, before, object) }
  } catch (error) {
    const failed = backends.failed()
    if (failed === undefined) throw error
    return { ...failedAwait({ ...step, operation: failed.operation }, failed.reason), because: failed.operation }
  } finally {
    await backends.close()
  }
}

/** Absence is awaited before the new object is made (docs/decisions/0005). A CRD is updated in place instead. */
async function removeOld(execution: Execution, operation: ApplyOperation): Promise<void> {
  if (isBuiltIn(operation.ref, 'CustomResourceDefinition')) return
  const old = await execution.input.cluster.get(operation.ref, execution.signal)
  const uid = old?.metadata.uid
  if (uid !== undefined) await deleteAndAwaitAbsence(execution, operation, uid)
}

/**
 * Makes manager `helm` the applier of what Helm 3 wrote, else fields that left the chart would stay for good and `helm`
 * would conflict with itself, and of the defaults that are in the way (docs/decisions/0006).
 */
async function takeOver(execution: Execution, operation: ApplyOperation, handOver: HandOver): Promise<void> {
  const { cluster } = execution.input
  for (let attempt = 1; ; attempt += 1) {
    const live = await cluster.get(operation.ref, execution.signal)
    const patch = live === undefined ? undefined : handOverPatch(live, handOver)
    if (patch === undefined) return
    execution.halt.throwIfAborted()
    try {
      await cluster.patch(operation.ref, patch, execution.signal)
      return
    } catch (error) {
      // The patch holds the resourceVersion: somebody else was quicker, so look again.
      if (attempt === HAND_OVER_TRIES || !isApiError(error, 'Conflict')) throw error
    }
  }
}

/**
 * A hand-over does not always last: where the API server writes a value otherwise than it reads it (`512Mi` in the
 * metrics of an autoscaler), it takes the patch for a change of that value by `helm`. The dry run is forced as well.
 */
async function applied(
  { input, halt }: Execution,
  { body, handOver }: ApplyPayload,
  { signal, refusedBy: onRefused }: WebhookBackends,
): Promise<KubeObject> {
  try {
    return await input.cluster.apply(body, { force: input.forceConflicts, onRefused }, signal)
  } catch (error) {
    if (handOver === undefined || !isConflictWithHelm(error)) throw error
    halt.throwIfAborted()
    return await input.cluster.apply(body, { force: true, onRefused }, signal)
  }
}

/**
 * The API server learns of the objects that it judges by a moment after they were written: admission reads them from a
 * watch, a quota counts once its controller has seen it, and a changed CRD counts once its new schema is loaded.
 */
async function judged(
  { input, halt, signal }: Execution,
  { newSchema, reason }: ApplyOperation,
  apply: () => Promise<KubeObject>,
): Promise<KubeObject> {
  const isByEarlier = reason.code === 'unknown-until-applied' && reason.because === 'judged-by-earlier'
  const startedAtMs = input.clock.now()
  for (;;) {
    try {
      return await apply()
    } catch (error) {
      const isOver = input.clock.now() - startedAtMs >= JUDGED_ANEW_WITHIN_MS
      if (isOver || !isApiError(error)) throw error
      const mayPass = isByEarlier && MAY_BE_JUDGED_ANEW.has(refusalOf(error).kind)
      if (!mayPass && !(newSchema !== undefined && isOfSchema(error))) throw error
    }
    await input.clock.sleep(JUDGED_ANEW_EVERY_MS, signal)
    halt.throwIfAborted()
  }
}

const MAY_BE_JUDGED_ANEW: ReadonlySet<RefusalKind> = new Set([
  'admission-denied',
  'escalation',
  'not-found',
  'quota',
  'webhook-denied',
])

/** Refused by a schema, which may be the one that the CRD had before. */
function isOfSchema(error: ApiError): boolean {
  return refusalOf(error).kind === 'invalid' || /field not declared in schema|unknown field/.test(messageOf(error))
}

function isConflictWithHelm(error: unknown): boolean {
  if (!isApiError(error)) return false
  const refusal = refusalOf(error)
  return refusal.kind === 'conflict' && refusal.conflicts.every(({ manager }) => manager === FIELD_MANAGER)
}

function noteOf(operation: ApplyOperation, before: KubeObject | undefined, after: KubeObject): Pick<Done, 'note'> {
  const isSame =
    before?.metadata.resourceVersion !== undefined && before.metadata.resourceVersion === after.metadata.resourceVersion
  if (operation.change === 'update' && isSame) return { note: 'nothing changed, although an update was planned' }
  const isOther = before !== undefined && before.metadata.uid === after.metadata.uid
  if (operation.change === 'create' && isOther) return { note: 'already existed and was updated' }
  return {}
}
