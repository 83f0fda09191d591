import { hintOfRefusal, reasonOfRefusal, refusalOf } from '../model/api-refusal.ts'
import { type ApiError, isApiError, messageOf } from '../model/errors.ts'
import type { Failure, StopReason } from '../model/outcome.ts'
import type { RefusalKind } from '../model/refusal.ts'
import type { Reader } from '../ports.ts'
import type { Step } from './execution.ts'
import { actionOf } from './operation-action.ts'

/** What a failure says beside its cause: what was being done, to what, and where in the plan. */
export type FailurePlace = Pick<Failure, 'doing' | 'ref' | 'stage' | 'weight' | 'operationId'>

export function failurePlace({ operation, stage, weight }: Step): FailurePlace {
  return { doing: actionOf(operation), ref: operation.ref, stage, weight, operationId: operation.id }
}

/** What was thrown, as a failure with its reason and what to do next. */
export function failureOfError(error: unknown, place: FailurePlace): Failure {
  if (!isApiError(error)) return { ...place, reason: 'internal', message: messageOf(error) }
  const refusal = refusalOf(error)
  return {
    ...place,
    reason: reasonOfRefusal(refusal.kind),
    message: refusalText(error, refusal.kind),
    hint: hintOfRefusal('refused-operation', refusal),
  }
}

/**
 * Why a run could not go on until it was stopped: a request that was failing when its time was over, or a cluster that
 * nothing reached any more. A lock is also lost where the credentials have expired, so that it could not be renewed.
 */
export function troubleAtStop(
  stop: StopReason,
  cluster: Pick<Reader, 'trouble'>,
  thrown?: unknown,
): ApiError | undefined {
  if (stop === 'cancelled') return undefined
  if (stop === 'timeout' && isApiError(thrown)) return thrown
  const trouble = cluster.trouble()
  const isCause = stop === 'timeout' || trouble?.details.status === 401
  return isCause ? trouble : undefined
}

/** The failure of a run that was stopped from outside at this place. */
export function stoppedFailure(stop: StopReason, place: FailurePlace): Failure {
  switch (stop) {
    case 'timeout':
      return {
        ...place,
        reason: 'timeout',
        message: 'the run timed out',
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

/** Conflicts name manager and field (docs/decisions/0006). */
function refusalText({ details }: ApiError, kind: RefusalKind): string {
  if (kind !== 'conflict') return details.message
  const conflicts = details.causes.filter(({ reason }) => reason === 'FieldManagerConflict')
  return conflicts.map(({ field, message }) => `${message}: ${field}`).join('; ')
}
