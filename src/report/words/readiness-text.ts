import type { ReadinessReason, ReplicaCount } from '../../model/readiness.ts'
import { unreachable } from '../../model/unreachable.ts'
import { nameList, type Phrase, phrase } from './phrase.ts'

/** Longest message of a controller or kubelet inside a sentence, in characters. */
const MAX_MESSAGE_CHARS = 300

/** Why a resource is in its state: `1 of 3 replicas updated`, `pod web-1 is crashing (container app, exit 1, ...)`. */
export function readinessPhrase(reason: ReadinessReason): Phrase {
  switch (reason.code) {
    case 'replicas':
      return replicasPhrase(reason.what, reason.have, reason.want)
    case 'condition':
      return phrase`condition ${reason.type} is ${reason.status}${inBrackets(reason.reason)}${afterColon(reason.message)}`
    case 'field':
      return phrase`${reason.path} is ${reason.value}${afterColon(reason.message)}`
    case 'generation':
      return phrase`its controller has observed generation ${reason.observed} of ${reason.want}`
    case 'pod':
      return phrase`pod ${reason.pod} ${[podProblem(reason.problem)]}${podDetails(reason)}${afterColon(reason.message)}`
    case 'address-missing':
      return phrase`no address yet`
    case 'unbound':
      return phrase`not bound, phase ${reason.phase}`
    case 'waits-for-first-consumer':
      return phrase`will be bound when a pod uses it`
    case 'names-not-accepted':
      return phrase`its names are not accepted${afterColon(reason.message)}`
    case 'not-served':
      return phrase`its kind is not served yet`
    case 'absent':
      return phrase`it does not exist`
    case 'deleting':
      return reason.finalizers.length === 0
        ? phrase`it is being deleted`
        : phrase`it is being deleted, blocked by ${nameList(reason.finalizers)}`
    case 'no-status':
      return phrase`it has no status`
    case 'suspended':
      return phrase`it is suspended`
    case 'no-failure':
      return phrase`it succeeded, but its hook expects a failure`
    case 'exists':
      return phrase`it exists`
    case 'property':
      return phrase`${reason.path} is ${reason.have ?? 'not set'}, not ${reason.want}`
    default:
      return unreachable(reason)
  }
}

/** What is wrong with a pod, as a verb; Kubernetes' own word follows in brackets. */
export function podProblem(problem: string, isPlural = false): string {
  const be = isPlural ? 'are' : 'is'
  switch (problem) {
    case 'CrashLoopBackOff':
      return `${be} crashing`
    case 'ImagePullBackOff':
    case 'ErrImagePull':
    case 'InvalidImageName':
    case 'ErrImageNeverPull':
      return 'cannot pull an image'
    case 'CreateContainerConfigError':
    case 'CreateContainerError':
    case 'RunContainerError':
      return 'cannot start a container'
    case 'Unschedulable':
      return 'cannot be scheduled'
    case 'OOMKilled':
      return 'ran out of memory'
    case 'Evicted':
      return isPlural ? 'were evicted' : 'was evicted'
    default:
      return isPlural ? 'have failed' : 'has failed'
  }
}

/** ` (container app, CrashLoopBackOff, exit 1, 4 restarts)`. */
export function podDetails(reason: Extract<ReadinessReason, { code: 'pod' }>): Phrase {
  const container: Phrase = reason.container === undefined ? [] : phrase`container ${reason.container}, `
  const exit: Phrase = reason.exitCode === undefined ? [] : phrase`, exit ${reason.exitCode}`
  const restarts: Phrase = (reason.restarts ?? 0) === 0 ? [] : [`, ${plural(reason.restarts ?? 0, 'restart')}`]
  return phrase` (${container}${reason.problem}${exit}${restarts})`
}

export function plural(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}

export function afterColon(message: string | undefined): Phrase {
  const text = shortMessage(message ?? '')
  return text === '' ? [] : phrase`: ${text}`
}

/** One line, blanks collapsed, cut at a fixed length. */
export function shortMessage(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim().replace(/\.$/, '')
  return line.length > MAX_MESSAGE_CHARS ? `${line.slice(0, MAX_MESSAGE_CHARS)} ...` : line
}

function inBrackets(text: string | undefined): Phrase {
  return text === undefined || text === '' ? [] : phrase` (${text})`
}

function replicasPhrase(what: ReplicaCount, have: number, want: number): Phrase {
  switch (what) {
    case 'updated':
    case 'ready':
    case 'available':
    case 'scheduled':
      return [`${have} of ${want} ${what}`]
    case 'current':
      return [`${have} of ${want} running`]
    case 'succeeded':
      return [`${have} of ${want} completed`]
    case 'old':
      return [`${plural(have, 'old pod')} pending termination`]
    default:
      return unreachable(what)
  }
}
