import { defined } from '../../model/defined.ts'
import type { Event, OperationResult } from '../../model/event.ts'
import type { Evidence } from '../../model/evidence.ts'
import type { Failure } from '../../model/outcome.ts'
import type { ReadinessReason } from '../../model/readiness.ts'

/** What the events say about one operation. */
export interface OperationState {
  readonly startedAtMs: number
  readonly finishedAtMs?: number
  readonly result?: OperationResult
  /** The last reason heard, whether it was progress or the end. */
  readonly reason?: ReadinessReason
  readonly failure?: Failure
  readonly note?: string
  readonly evidence?: Evidence
}

/** Folds events into one state per operation id. */
export function operationStates(events: readonly Event[]): ReadonlyMap<string, OperationState> {
  const states = new Map<string, OperationState>()
  for (const event of events) {
    if (!('id' in event)) continue
    const before = states.get(event.id) ?? { startedAtMs: event.atMs }
    states.set(event.id, next(before, event))
  }
  return states
}

function next(state: OperationState, event: Extract<Event, { id: string }>): OperationState {
  switch (event.type) {
    case 'progress':
      return { ...state, reason: event.reason }
    case 'evidence':
      return { ...state, evidence: event.evidence }
    case 'operation-finished':
      return {
        ...state,
        finishedAtMs: event.atMs,
        result: event.result,
        ...defined({ reason: event.reason, failure: event.failure, note: event.note }),
      }
    default:
      return state
  }
}
