import type { Evidence } from '../model/evidence.ts'
import type { Hint } from '../model/hint.ts'
import type { Failure, FailureReason } from '../model/outcome.ts'
import type { ReadinessReason } from '../model/readiness.ts'
import { formatRef } from '../model/ref.ts'
import { unreachable } from '../model/unreachable.ts'
import { type Phrase, phrase, words } from './phrase.ts'
import { afterColon, podDetails, podProblem, readinessPhrase, shortened } from './readiness.ts'

/**
 * The one sentence of a failure, the same in log, annotation, summary, comment and record:
 * `Deployment/shop/web did not become ready: 1 of 3 pods is crashing (container app, CrashLoopBackOff, exit 1)`.
 */
export function failureSentence(failure: Failure, evidence?: Evidence): Phrase {
  const cause = causePhrase(failure, evidence)
  return cause.length === 0 ? headOf(failure) : phrase`${headOf(failure)}: ${cause}`
}

/** What to do next. */
export function hintOf(failure: Failure): Hint | string {
  return failure.hint ?? defaultHint(failure.reason)
}

/** ` at stage main, weight 10`, or nothing where the failure has no stage. */
export function stageText(failure: Failure): string {
  if (failure.stage === undefined) return ''
  return ` at stage ${failure.stage}${failure.weight === undefined ? '' : `, weight ${failure.weight}`}`
}

function headOf(failure: Failure): Phrase {
  const { ref, reason } = failure
  if (reason === 'plan-changed') return phrase`the plan is not the one that was approved`
  if (reason === 'approval-missing') return phrase`this plan has not been approved`
  if (ref === undefined) {
    if (reason === 'timeout') return phrase`time ran out, during: ${words(failure.doing)}`
    if (reason === 'cancelled') return phrase`cancelled, during: ${words(failure.doing)}`
    return phrase`could not ${words(failure.doing)}`
  }
  const name = formatRef(ref)
  switch (reason) {
    case 'not-ready':
      return phrase`${name} did not become ready`
    case 'timeout':
      return phrase`${name} was not ready when the time ran out`
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
function causePhrase(failure: Failure, evidence: Evidence | undefined): Phrase {
  const { readiness, message } = failure
  if (readiness === undefined) return message === '' ? [] : phrase`${shortened(message)}`
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

function defaultHint(reason: FailureReason): string {
  switch (reason) {
    case 'invalid-input':
      return 'correct the input that is named and run again'
    case 'render-failed':
      return 'correct the chart or its values; helm template with the same values shows what Helm makes of them'
    case 'cluster-unreachable':
      return 'check that the runner reaches the API server of the kubeconfig'
    case 'forbidden':
      return 'give the account of the kubeconfig the missing right'
    case 'locked':
      return 'wait for the other run, then run again'
    case 'conflict':
      return 'set force-conflicts to true, or leave the field to its owner'
    case 'immutable':
      return 'annotate the resource with werf.io/delete-policy: before-creation-if-immutable'
    case 'not-owned':
      return 'set take-ownership to true, or remove the object'
    case 'rejected':
      return 'correct what the API server names and run again'
    case 'plan-changed':
      return 'plan again on the pull request, look at what is new, then deploy that plan'
    case 'approval-missing':
      return 'run command: plan on the pull request, so that its comment shows what would be deployed, then deploy'
    case 'crd-not-established':
      return 'correct the names or the schema of the CRD'
    case 'hook-failed':
      return 'correct what the hook complains about and run again; its log is above'
    case 'not-ready':
      return 'correct what keeps it from being ready and run again: the deploy goes on from here'
    case 'test-failed':
      return 'look at the log of the test; the release itself stays deployed'
    case 'timeout':
      return 'look at what was not ready, or raise timeout; a new run goes on from here'
    case 'cancelled':
      return 'run again: the deploy goes on from here; nothing was rolled back'
    case 'internal':
      return 'this is a mistake of the action: please report it with the log'
    default:
      return unreachable(reason)
  }
}
