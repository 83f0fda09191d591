import { builtInKind } from '../../manifest/built-in-kinds.ts'
import { podSpecsOf } from '../../manifest/pod-places.ts'
import { arrayAt, at, isJsonObject, type JsonObject, numberAt, stringAt } from '../../model/object.ts'
import type { Ref } from '../../model/ref.ts'
import { joinPhrases, marked, nameList, type Phrase, phrase } from './phrase.ts'
import { whenPhrase } from './schedule-text.ts'

/** How many images of one workload are named. */
const MAX_IMAGES = 2

/** What a new workload runs: `runs example.com/shop:2, 3 pods`. `usedBy`: what of the release refers to it. */
export function newWorkloadPhrase(kind: string, workload: JsonObject, usedBy: readonly string[]): Phrase {
  const images = imagesOf(workload)
  if (images.length === 0) return []
  return phrase`runs ${nameList(images, MAX_IMAGES)}${amountPhrase(kind, workload, usedBy)}`
}

/** What a workload that is deleted no longer does, marked like one that is scaled to 0; empty where it may have ended by itself. */
export function goneWorkloadPhrase(ref: Ref, before: JsonObject): Phrase {
  const kind = builtInKind(ref)
  const images = imagesOf(before)
  if (kind?.isWorkload !== true || images.length === 0) return []
  const named = nameList(images, MAX_IMAGES)
  if (kind.kind === 'CronJob') return goneCronPhrase(before, named)
  if (kind.kind === 'Pod' ? hasEnded(before) : kind.runsToEnd) return []
  const pods = podsBefore(kind.kind, before)
  if (pods === 0) return []
  return marked(
    pods === undefined
      ? phrase`pods of ${named} stop`
      : phrase`${podsText(pods)} of ${named} ${[pods === 1 ? 'stops' : 'stop']}`,
  )
}

/** One that is not made to run for ever may have. Source: the docs of Kubernetes, "Pod Lifecycle". */
function hasEnded(pod: JsonObject): boolean {
  const isForever = (stringAt(pod, 'spec', 'restartPolicy') ?? 'Always') === 'Always'
  return !isForever || ['Succeeded', 'Failed'].includes(stringAt(pod, 'status', 'phase') ?? '')
}

/** Absent where nothing tells how many it has. */
function podsBefore(kind: string, workload: JsonObject): number | undefined {
  if (kind === 'Pod') return 1
  if (kind === 'DaemonSet') return numberAt(workload, 'status', 'desiredNumberScheduled')
  return numberAt(workload, 'spec', 'replicas')
}

/** Marked like one that is suspended; one that was suspended already ran nothing. */
function goneCronPhrase(cronJob: JsonObject, named: Phrase): Phrase {
  const expression = stringAt(cronJob, 'spec', 'schedule')
  const isSuspended = at(cronJob, 'spec', 'suspend') === true
  const when = isSuspended || expression === undefined ? [] : phrase` (${scheduledPhrase(cronJob, expression)})`
  const gone = phrase`no longer runs ${named}${when}`
  return isSuspended ? gone : marked(gone)
}

function scheduledPhrase(cronJob: JsonObject, expression: string): Phrase {
  const timeZone = stringAt(cronJob, 'spec', 'timeZone')
  return whenPhrase({ expression, ...(timeZone !== undefined && { timeZone }) })
}

function amountPhrase(kind: string, workload: JsonObject, usedBy: readonly string[]): Phrase {
  switch (kind) {
    case 'DaemonSet':
      return [', a pod on each node that it selects']
    case 'CronJob':
      return cronPhrase(workload)
    case 'Deployment':
    case 'ReplicaSet':
    case 'ReplicationController':
      return replicasPhrase(workload, usedBy)
    case 'StatefulSet':
      return phrase`${replicasPhrase(workload, usedBy)}${storagePhrase(workload)}`
    default:
      return []
  }
}

/** One, where it does not say: the default of the API. An autoscaler of the release has the last word. */
function replicasPhrase(workload: JsonObject, usedBy: readonly string[]): Phrase {
  const autoscaler = usedBy.find((name) => name.startsWith('HorizontalPodAutoscaler/'))
  const pods = numberAt(workload, 'spec', 'replicas')
  if (autoscaler !== undefined) return phrase`, scaled by ${autoscaler}`
  return phrase`, ${podsText(pods ?? 1)}`
}

/** Of each pod: `10Gi each`, `data 10Gi and wal 2Gi each`. */
function storagePhrase({ spec }: JsonObject): Phrase {
  const claims = arrayAt(spec, 'volumeClaimTemplates').flatMap((claim) => {
    const size = stringAt(claim, 'spec', 'resources', 'requests', 'storage')
    return size === undefined ? [] : [{ name: stringAt(claim, 'metadata', 'name') ?? '', size }]
  })
  const [first, ...more] = claims
  if (first === undefined) return []
  if (more.length === 0) return phrase` with ${first.size} each`
  return phrase` with ${joinPhrases(
    claims.slice(0, MAX_IMAGES + 1).map(({ name, size }) => phrase`${name} ${size}`),
    ', ',
  )} each`
}

function cronPhrase(cronJob: JsonObject): Phrase {
  const expression = stringAt(cronJob, 'spec', 'schedule')
  if (at(cronJob, 'spec', 'suspend') === true) return [', suspended']
  if (expression === undefined) return []
  return phrase` ${scheduledPhrase(cronJob, expression)}`
}

function podsText(amount: number): Phrase {
  return [amount === 1 ? '1 pod' : `${amount} pods`]
}

/** Of all containers, each once; those that only prepare the pod do not say what it is for. */
function imagesOf(workload: JsonObject): readonly string[] {
  const containers = podSpecsOf(workload).flatMap((spec) => arrayAt(spec, 'containers').filter(isJsonObject))
  return [...new Set(containers.flatMap((one) => stringAt(one, 'image') ?? []))]
}
