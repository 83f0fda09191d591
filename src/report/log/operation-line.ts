import type { EventOf } from '../../model/event.ts'
import type { Evidence } from '../../model/evidence.ts'
import type { ApplyOperation, AwaitOperation, DeleteOperation, Operation } from '../../model/plan.ts'
import { formatRef } from '../../model/ref.ts'
import { unreachable } from '../../model/unreachable.ts'
import { failureSentence } from '../words/failure-sentence.ts'
import { type Phrase, phrase, plainText } from '../words/phrase.ts'
import { readinessPhrase } from '../words/readiness-text.ts'
import { reasonPhrase } from '../words/reason-text.ts'
import { goalWord } from '../words/row-text.ts'

/**
 * How one operation ended, as one line of the log: `Deployment/shop/web ready after 42 s (3 of 3 ready)`. Undefined where
 * there is nothing to report: an unchanged resource, a deletion whose condition did not hold.
 */
export function operationLine(
  operation: Operation,
  finished: EventOf<'operation-finished'>,
  context: { readonly took: string; readonly evidence: Evidence | undefined },
): string | undefined {
  const { took, evidence } = context
  const name = formatRef(operation.ref)
  const note: Phrase = finished.note === undefined ? [] : phrase`; ${finished.note}`
  switch (finished.result) {
    case 'succeeded': {
      const done = successPhrase(operation, finished, took)
      return done === undefined && note.length === 0
        ? undefined
        : plainText(phrase`${name} ${done ?? ['unchanged']}${note}`)
    }
    case 'failed': {
      const failure = finished.failure === undefined ? phrase`${name}` : failureSentence(finished.failure, evidence)
      const isIgnored = operation.kind === 'await' && operation.failure === 'ignore'
      return plainText(phrase`${[isIgnored ? 'failed, ignored' : 'FAILED']}: ${failure} (after ${[took]})${note}`)
    }
    case 'cancelled':
      return plainText(phrase`${name} stopped after ${[took]}${reasonAfterColon(finished)}`)
    case 'skipped':
      return undefined
    default:
      return unreachable(finished.result)
  }
}

function successPhrase(
  operation: Operation,
  finished: EventOf<'operation-finished'>,
  took: string,
): Phrase | undefined {
  switch (operation.kind) {
    case 'apply':
      return appliedPhrase(operation, took)
    case 'delete':
      return deletedPhrase(operation, took)
    case 'await':
      return awaitedPhrase(operation, finished, took)
    default:
      return unreachable(operation)
  }
}

function appliedPhrase(operation: ApplyOperation, took: string): Phrase | undefined {
  // The apply has shown what changed.
  const because =
    operation.reason.code === 'unknown-until-applied' ? [] : reasonPhrase(operation.reason, operation.impact?.fields)
  const why = because.length === 0 ? [] : phrase`: ${because}`
  switch (operation.change) {
    case 'create':
      return phrase`created${why}`
    case 'update':
      return phrase`updated${why}`
    case 'recreate':
      return phrase`recreated in ${[took]}${why}`
    case 'none':
      return undefined
    default:
      return unreachable(operation.change)
  }
}

function deletedPhrase(operation: DeleteOperation, took: string): Phrase {
  return phrase`deleted in ${[took]}: ${reasonPhrase(operation.reason)}`
}

function awaitedPhrase(operation: AwaitOperation, finished: EventOf<'operation-finished'>, took: string): Phrase {
  const goal = operation.until === 'properties' ? 'has the expected properties' : goalWord(operation.until)
  const { reason } = finished
  const detail = reason === undefined || reason.code === 'exists' ? [] : phrase` (${readinessPhrase(reason)})`
  return phrase`${[goal]} after ${[took]}${detail}`
}

function reasonAfterColon(finished: EventOf<'operation-finished'>): Phrase {
  return finished.reason === undefined ? [] : phrase`: ${readinessPhrase(finished.reason)}`
}
