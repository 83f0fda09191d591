import { builtInKind } from '../../manifest/built-in-kinds.ts'
import { arrayAt, type JsonObject, stringAt } from '../../model/object.ts'
import type { Ref } from '../../model/ref.ts'
import type { Row } from '../rows/rows.ts'
import { causePhrase } from './cause-text.ts'
import { impactPhrase } from './impact-text.ts'
import { joinPhrases, marked, nameList, type Phrase, phrase } from './phrase.ts'
import { goneWorkloadPhrase } from './workload-text.ts'

type GoneObject = Pick<Row, 'before' | 'impact' | 'reason' | 'ref'>

/** Why an object is deleted: what is missing then, where that is known. On uninstall it all goes. */
export function goneObjectCause(one: GoneObject): Phrase {
  const missing = one.reason.code === 'pruned' ? [stillUsedPhrase(one), ownPhrase(one)] : []
  const meaning = one.impact === undefined ? [] : impactPhrase(one.impact)
  return missing.every((part) => part.length === 0)
    ? causePhrase(one.reason, one.impact)
    : joinPhrases(
        [...missing, meaning].filter((part) => part.length > 0),
        '; ',
      )
}

function stillUsedPhrase({ impact, ref }: GoneObject): Phrase {
  const users = impact?.usedBy ?? []
  return users.length === 0 ? [] : marked(neededByPhrase(ref, users))
}

/** `still used by Deployment/web: its next pod does not start`. A Pod by itself has no next one. */
export function neededByPhrase(ref: Ref, users: readonly string[]): Phrase {
  const isForPods = NEEDED_BY_PODS.has(builtInKind(ref)?.kind ?? '')
  const makesPods = (name: string) => isForPods && !/^(Ingress|Pod)\//.test(name)
  const [makers, others] = [users.filter(makesPods), users.filter((name) => !makesPods(name))]
  const start = makers.length === 1 ? 'its next pod does not start' : 'their next pods do not start'
  const parts = [
    ...(makers.length === 0 ? [] : [phrase`still used by ${nameList(makers)}: ${[start]}`]),
    ...(others.length === 0 ? [] : [phrase`still used by ${nameList(others)}`]),
  ]
  return joinPhrases(parts, '; ')
}

/**
 * Source: the docs of Kubernetes, "ConfigMaps", "Secrets", "Configure Service Accounts for Pods", "Pod Priority and Preemption",
 * "Runtime Class" and "Persistent Volumes".
 */
const NEEDED_BY_PODS: ReadonlySet<string> = new Set([
  'ConfigMap',
  'Secret',
  'ServiceAccount',
  'PriorityClass',
  'RuntimeClass',
  'PersistentVolumeClaim',
])

/**
 * Marked although the pods behind it may go as well: which pods of this and of other releases call it by its name no manifest
 * tells. Source: the docs of Kubernetes, "DNS for Services and Pods".
 */
function goneServicePhrase(name: string, workloads: readonly string[]): Phrase {
  const pods = workloads.length === 0 ? [] : phrase` (pods of ${nameList(workloads)} stay)`
  return marked(phrase`the name ${name} no longer resolves${pods}`)
}

/** What was stored goes with a volume that was made for the claim. Source: the docs of Kubernetes, "Persistent Volumes". */
function goneClaimPhrase(claim: JsonObject): Phrase {
  const size =
    stringAt(claim, 'status', 'capacity', 'storage') ?? stringAt(claim, 'spec', 'resources', 'requests', 'storage')
  const data = size === undefined ? ['what it holds is'] : phrase`its ${size} are`
  return marked(phrase`${data} deleted with it, unless the volume's reclaim policy is ${'Retain'}`)
}

function ownPhrase({ before, impact, ref }: GoneObject): Phrase {
  if (before === undefined) return []
  const workloads = impact?.workloads ?? []
  switch (builtInKind(ref)?.kind) {
    case 'HorizontalPodAutoscaler':
      return workloads.length === 0 ? [] : phrase`${nameList(workloads)} is no longer scaled`
    case 'PodDisruptionBudget':
      return workloads.length === 0 ? [] : marked(phrase`no longer limits evictions of ${nameList(workloads)}`)
    case 'Service':
      return goneServicePhrase(ref.name, workloads)
    case 'Ingress': {
      const hosts = arrayAt(before, 'spec', 'rules').flatMap((rule) => stringAt(rule, 'host') ?? [])
      // Those that nothing else serves are told as what the deletion means.
      if (impact?.traffic !== undefined) return []
      return hosts.length === 0 ? [] : phrase`no longer serves ${nameList([...new Set(hosts)])}`
    }
    case 'PersistentVolumeClaim':
      return goneClaimPhrase(before)
    case 'ConfigMap':
    case 'Secret':
      return impact?.usedBy?.length === 0 ? ['no longer in the chart, nothing in the release uses it'] : []
    default:
      return goneWorkloadPhrase(ref, before)
  }
}
