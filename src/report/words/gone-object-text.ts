import { builtInKind } from '../../manifest/built-in-kinds.ts'
import { arrayAt, stringAt } from '../../model/object.ts'
import type { Row } from '../rows/rows.ts'
import { joinPhrases, nameList, type Phrase, phrase } from './phrase.ts'
import { goneWorkloadPhrase } from './workload-text.ts'

/** What is missing once the object is deleted: who still needs it, what it no longer does; empty where nothing is known. */
export function goneObjectPhrase(row: Row): Phrase {
  const parts = [stillUsedPhrase(row), ownPhrase(row)]
  return joinPhrases(
    parts.filter((part) => part.length > 0),
    '; ',
  )
}

/** Pods that need it do not start; an Ingress leads nowhere. */
function stillUsedPhrase({ impact }: Row): Phrase {
  const users = impact?.usedBy ?? []
  return users.length === 0 ? [] : phrase`⚠️ still used by ${nameList(users)}`
}

function ownPhrase({ before, impact, ref }: Row): Phrase {
  if (before === undefined) return []
  const workloads = impact?.workloads ?? []
  switch (builtInKind(ref)?.kind) {
    case 'HorizontalPodAutoscaler':
      return workloads.length === 0 ? [] : phrase`${nameList(workloads)} is no longer scaled`
    case 'PodDisruptionBudget':
      return workloads.length === 0 ? [] : phrase`no longer limits evictions of ${nameList(workloads)}`
    case 'Service':
      return workloads.length === 0 ? [] : phrase`no longer leads to pods of ${nameList(workloads)}`
    case 'Ingress': {
      const hosts = arrayAt(before, 'spec', 'rules').flatMap((rule) => stringAt(rule, 'host') ?? [])
      return hosts.length === 0 ? [] : phrase`no longer serves ${nameList([...new Set(hosts)])}`
    }
    default:
      return goneWorkloadPhrase(ref, before)
  }
}
