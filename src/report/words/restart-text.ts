import type { Budget, Restart } from '../../model/impact.ts'
import { unreachable } from '../../model/unreachable.ts'
import { type Phrase, phrase } from './phrase.ts'

/** What happens to the pods of a workload: `3 pods restart one after the other (image), PodDisruptionBudget web: 50% available`. */
export function restartPhrase({ because, budget, how, replicas }: Restart): Phrase {
  const pods = replicas === undefined ? 'pods' : replicas === 1 ? '1 pod' : `${replicas} pods`
  return phrase`${[`${pods} ${howText(how, replicas === 1)} (${becauseText(because)})`]}${budget === undefined ? [] : budgetPhrase(budget)}`
}

function howText(how: Restart['how'], isOne: boolean): string {
  switch (how) {
    case 'rolling':
      return isOne ? 'restarts' : 'restart one after the other'
    case 'recreate':
      return isOne ? 'stops before the new one starts' : 'stop before the new ones start'
    case 'partial':
      return 'restart above the partition only'
    case 'on-delete':
      return isOne ? 'stays as it is until it is deleted' : 'stay as they are until they are deleted'
    default:
      return unreachable(how)
  }
}

function becauseText(because: Restart['because']): string {
  switch (because) {
    case 'image':
      return 'image'
    case 'template':
      return 'pod template'
    case 'labels':
      return 'labels of the template only'
    case 'checksum':
      return 'checksum only'
    default:
      return unreachable(because)
  }
}

function budgetPhrase({ maxUnavailable, minAvailable, name }: Budget): Phrase {
  if (minAvailable !== undefined) return phrase`; budget ${name}: at least ${minAvailable} available`
  if (maxUnavailable !== undefined) return phrase`; budget ${name}: at most ${maxUnavailable} unavailable`
  return []
}
