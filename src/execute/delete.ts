import { isBuiltIn } from '../manifest/built-in-kinds.ts'
import { isApiError } from '../model/errors.ts'
import type { Failure } from '../model/outcome.ts'
import type { DeleteOperation } from '../model/plan.ts'
import { refKey } from '../model/ref.ts'
import { deleteAndAwaitAbsence } from './absence.ts'
import { type Done, type Execution, knownUid, type Step } from './execution.ts'
import { failurePlace } from './operation-failure.ts'

/**
 * Deletes the object and waits until it is gone; what is gone already is a success. Refuses an object that is another one
 * than planning or this execution saw under that name.
 */
export async function runDelete(execution: Execution, step: Step<DeleteOperation>): Promise<Done> {
  const { operation } = step
  const { ref } = operation
  // No policy of any kind ever deletes a CRD (docs/decisions/0018).
  const isPolicy = operation.onlyIf !== undefined || operation.reason.code === 'delete-policy'
  if (isPolicy && isBuiltIn(ref, 'CustomResourceDefinition'))
    return { result: 'skipped', note: 'no policy deletes a CRD' }

  const known = knownUid(execution, ref)
  try {
    const uid = known ?? (await execution.input.cluster.get(ref, execution.signal))?.metadata.uid
    if (uid === undefined) return { result: 'succeeded', note: 'was already gone' }
    await deleteAndAwaitAbsence(execution, operation, uid)
  } catch (error) {
    // With its CRD, or with the API version of an older Kubernetes, all objects of a kind are gone.
    if (isApiError(error, 'NotServed')) return { result: 'succeeded', note: 'its kind is no longer served' }
    if (!isApiError(error, 'Conflict')) throw error
    const message = `the object is not the one in the plan (uid ${known ?? 'unknown'}): it was recreated meanwhile`
    const failure: Failure = {
      ...failurePlace(step),
      reason: 'conflict',
      message,
      hint: { kind: 'plan-for-new-object' },
    }
    return { result: 'failed', failure }
  }
  execution.applied.delete(refKey(ref))
  return { result: 'succeeded' }
}
