import type { Evidence } from '../../model/evidence.ts'
import type { Failure } from '../../model/outcome.ts'
import type { ReadinessReason } from '../../model/readiness.ts'
import { formatRef } from '../../model/ref.ts'
import { hintText } from './hint-text.ts'
import { type Phrase, phrase, words } from './phrase.ts'
import { afterColon, podDetails, podProblem, readinessPhrase, shortMessage } from './readiness-text.ts'
import { reasonHint } from './reason-hint.ts'

/**
 * The one sentence of a failure, the same in log, annotation, summary, comment and record:
 * `Deployment/shop/web did not become ready: 1 of 3 pods is crashing (container app, CrashLoopBackOff, exit 1)`.
 */
export function failureSentence(failure: Failure, evidence?: Evidence): Phrase {
  const cause = failureCause(failure, evidence)
  return cause.length === 0 ? headOf(failure) : phrase`${headOf(failure)}: ${cause}`
}

/** What to do next: the hint of the failure, else what its reason asks for. */
export function failureHint({ hint, reason }: Failure): string {
  return hint === undefined ? reasonHint(reason) : hintText(hint)
}

/** ` at stage main, weight 10`, or nothing where the failure has no stage. */
export function stageText(failure: Failure): string {
  if (failure.stage === undefined) return ''
  return ` at stage ${failure.stage}${failure.weight === undefined ? '' : `, weight ${failure.weight}`}`
}

function headOf(failure: Failure): Phrase {
  const { ref, reason } = failure
  if (reason === 'plan-changed') return phrase`the plan has changed since its approval`
  if (reason === 'approval-missing') return phrase`this plan has not been approved`
  if (ref === undefined) {
    if (reason === 'timeout') return phrase`timed out during: ${words(failure.doing)}`
    if (reason === 'cancelled') return phrase`cancelled during: ${words(failure.doing)}`
    return phrase`could not ${words(failure.doing)}`
  }
  const name = formatRef(ref)
  switch (reason) {
    case 'not-ready':
      return phrase`${name} did not become ready`
    case 'timeout':
      return phrase`${name} was not ready before the timeout`
    case 'crd-not-established':
      return phrase`${name} was not established`
    case 'hook-failed':
      return phrase`hook ${name} failed`
    case 'test-failed':
      return phrase`test ${name} failed`
    case 'cancelled':
      return phrase`cancelled while ${name} was in progress`
    default:
      // What the cluster adapter was doing names the object already.
      return failure.doing.endsWith(name)
        ? phrase`could not ${words(failure.doing)}`
        : phrase`could not ${words(failure.doing)} ${name}`
  }
}

/** Readiness says more than the message that was made from it; a message of the server stands for itself. */
function failureCause(failure: Failure, evidence: Evidence | undefined): Phrase {
  const { readiness, message } = failure
  if (readiness === undefined) return message === '' ? [] : phrase`${shortMessage(message)}`
  return countedPods(readiness, evidence) ?? readinessPhrase(readiness)
}

/** `1 of 3 pods is crashing (...)`, where the evidence lists the pods of the resource. */
function countedPods(reason: ReadinessReason, evidence: Evidence | undefined): Phrase | undefined {
  if (reason.code !== 'pod' || evidence === undefined || evidence.pods.length < 2) return undefined
  const same = evidence.pods.filter((pod) =>
    pod.containers.some((container) => container.reason === reason.problem || container.state === reason.problem),
  )
  if (same.length === 0) return undefined
  const problem = podProblem(reason.problem, same.length > 1)
  return [
    `${same.length} of ${evidence.pods.length} pods ${problem}`,
    ...podDetails(reason),
    ...afterColon(reason.message),
  ]
}
