import { type ApiError, isApiError, messageOf } from '../model/errors.ts'
import type { Failure, FailureReason, StopReason } from '../model/outcome.ts'
import { doingOf } from './doing.ts'
import type { Step } from './execution.ts'

/** What a failure tells beside its cause: what was being done, to what, and where in the plan. */
export type Place = Pick<Failure, 'doing' | 'ref' | 'stage' | 'weight' | 'operationId'>

export function placeOf({ operation, stage, weight }: Step): Place {
  return { doing: doingOf(operation), ref: operation.ref, stage, weight, operationId: operation.id }
}

/** What was thrown, as a failure with its reason and what to do next. */
export function failureOf(error: unknown, place: Place): Failure {
  if (!isApiError(error)) return { ...place, reason: 'internal', message: messageOf(error) }
  return { ...place, message: error.details.message, ...verdictOf(error) }
}

/** The failure of a run that was stopped from outside at this place. */
export function stoppedFailure(stop: StopReason, place: Place): Failure {
  switch (stop) {
    case 'timeout':
      return {
        ...place,
        reason: 'timeout',
        message: 'the time of the run is over',
        hint: { kind: 'operation-timed-out' },
      }
    case 'lock-lost':
      return {
        ...place,
        reason: 'locked',
        message: 'the lock of the release was lost, so nothing more was written',
        hint: { kind: 'operation-lost-lock' },
      }
    case 'cancelled':
      return {
        ...place,
        reason: 'cancelled',
        message: 'the run was cancelled',
        hint: { kind: 'operation-cancelled' },
      }
  }
}

interface Verdict {
  readonly reason: FailureReason
  readonly message?: string
  readonly hint?: string
}

/** Server messages that tell apart what HTTP status and reason do not. Wording: Kubernetes' own. */
const IMMUTABLE =
  /field is immutable|may not be changed|is immutable after creation|updates to .+ are forbidden|cannot change /i
const QUOTA = /exceeded quota/i
const WEBHOOK_DENIED =
  /admission webhook ".*" denied|denied the request|violates PodSecurity|ValidatingAdmissionPolicy/i
const WEBHOOK_DOWN = /failed calling webhook|conversion webhook for/i
const TERMINATING = /because it is being terminated/i

function verdictOf(error: ApiError): Verdict {
  const { reason, status, message } = error.details
  if (QUOTA.test(message)) return { reason: 'rejected', hint: 'raise the quota of the namespace, or ask for less' }
  if (WEBHOOK_DOWN.test(message)) {
    return { reason: 'rejected', hint: 'see that the webhook named in the message runs and answers' }
  }
  if (WEBHOOK_DENIED.test(message)) {
    return { reason: 'rejected', hint: 'change the resource so that the admission policy accepts it' }
  }
  if (TERMINATING.test(message)) {
    return { reason: 'rejected', hint: 'wait until the namespace is gone, then run again' }
  }
  if (reason === 'Conflict' || reason === 'AlreadyExists') return conflictOf(error)
  if (reason === 'Invalid') return invalidOf(error)
  if (reason === 'Forbidden') {
    return { reason: 'forbidden', hint: 'give the account of the kubeconfig the right that the message names' }
  }
  if (reason === 'Unauthorized' || status === 401) {
    return { reason: 'forbidden', hint: 'renew the credentials of the kubeconfig: the API server does not accept them' }
  }
  if (reason === 'NotServed') {
    return {
      reason: 'rejected',
      hint: 'install the CRD of this kind first, or use an apiVersion that the cluster serves',
    }
  }
  if (reason === 'NotFound') {
    return { reason: 'rejected', hint: 'see that the namespace exists and that the cluster serves this kind' }
  }
  if (status === 0 || status >= 500 || status === 429) {
    return { reason: 'cluster-unreachable', hint: 'see that the API server answers, then run again' }
  }
  return { reason: 'rejected' }
}

/**
 * Conflicts of fields name manager and field (docs/decisions/0006); all others mean that the object is another one now.
 */
function conflictOf(error: ApiError): Verdict {
  const fields = error.details.causes.filter((cause) => cause.reason === 'FieldManagerConflict')
  if (fields.length === 0) {
    return { reason: 'conflict', hint: 'somebody else changed the object meanwhile: run again' }
  }
  return {
    reason: 'conflict',
    message: fields.map((cause) => `${cause.message}: ${cause.field}`).join('; '),
    hint: 'set the input force-conflicts to true to take these fields over, or take them out of the chart',
  }
}

function invalidOf(error: ApiError): Verdict {
  const { causes, message } = error.details
  const isImmutable = [message, ...causes.map((cause) => cause.message)].some((text) => IMMUTABLE.test(text))
  if (!isImmutable) return { reason: 'rejected', hint: 'correct the fields that the message names' }
  return {
    reason: 'immutable',
    hint: 'set the annotation werf.io/delete-policy: before-creation-if-immutable to have it recreated',
  }
}
