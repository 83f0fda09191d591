import { builtInKind } from '../../manifest/built-in-kinds.ts'
import { arrayAt, at, isJsonObject, type JsonObject, type JsonValue, numberAt, stringAt } from '../../model/object.ts'
import type { Row } from '../rows/rows.ts'
import { nameList, type Phrase, phrase } from './phrase.ts'

/** How many images of one workload are named. */
const MAX_IMAGES = 2

/** What a new object brings: `runs example.com/shop:2, 3 pods`, `type LoadBalancer`; empty where its kind says it all. */
export function newObjectPhrase({ after, ref }: Row): Phrase {
  if (after === undefined) return []
  const kind = builtInKind(ref)
  if (kind?.kind === 'Service') {
    const type = stringAt(after, 'spec', 'type') ?? 'ClusterIP'
    return type === 'ClusterIP' ? [] : phrase`type ${type}`
  }
  const images = imagesOf(after)
  if (kind?.isWorkload !== true || images.length === 0) return []
  return phrase`runs ${nameList(images, MAX_IMAGES)}${amountPhrase(kind.kind, after)}`
}

/** What a workload that is deleted no longer does; empty where it may have ended by itself. */
export function goneObjectPhrase({ before, ref }: Row): Phrase {
  if (before === undefined) return []
  const kind = builtInKind(ref)
  const images = imagesOf(before)
  if (kind?.isWorkload !== true || kind.runsToEnd || images.length === 0) return []
  const named = nameList(images, MAX_IMAGES)
  if (kind.kind === 'CronJob') return phrase`${named} no longer runs`
  const pods = numberAt(before, 'spec', 'replicas')
  if (pods === 0) return []
  return pods === undefined
    ? phrase`pods of ${named} stop`
    : phrase`${podsText(pods)} of ${named} ${[pods === 1 ? 'stops' : 'stop']}`
}

function amountPhrase(kind: string, workload: JsonObject): Phrase {
  if (kind === 'DaemonSet') return [', a pod on each node that it selects']
  if (kind === 'CronJob') {
    if (at(workload, 'spec', 'suspend') === true) return [', suspended']
    const schedule = stringAt(workload, 'spec', 'schedule')
    return schedule === undefined ? [] : phrase` at ${schedule}`
  }
  const pods = numberAt(workload, 'spec', 'replicas')
  return pods === undefined ? [] : phrase`, ${podsText(pods)}`
}

function podsText(amount: number): Phrase {
  return [amount === 1 ? '1 pod' : `${amount} pods`]
}

/** Of all containers, each once; those that only prepare the pod do not say what it is for. */
function imagesOf(workload: JsonObject): readonly string[] {
  const containers = podSpecsOf(workload).flatMap((spec) => arrayAt(spec, 'containers').filter(isJsonObject))
  return [...new Set(containers.flatMap((one) => stringAt(one, 'image') ?? []))]
}

function podSpecsOf({ spec }: JsonObject): readonly (JsonValue | undefined)[] {
  return [spec, at(spec, 'template', 'spec'), at(spec, 'jobTemplate', 'spec', 'template', 'spec')]
}
