import type { AtOnce, Autoscaler, Budget, BudgetChange, Evictable, Restart, Scale } from '../../model/impact.ts'
import { unreachable } from '../../model/unreachable.ts'
import { marked, nameList, type Phrase, phrase } from './phrase.ts'

/** What happens to the pods of a workload: `3 pods restart in a rolling update (image), within budget web (at least 2 available)`. */
export function restartPhrase(restart: Restart): Phrase {
  const { autoscaler, budget, hasGap, how } = restart
  // Nothing is replaced, whatever changes.
  if (how === 'suspended') return [howText(restart)]
  const stops = phrase`${[howText(restart)]} (${becausePhrase(restart)})`
  const gap = hasGap === true && how !== 'recreate' ? phrase`, ${marked(['no pod available meanwhile'])}` : []
  return phrase`${how === 'recreate' || isLeftToSomebody(how) ? marked(stops) : stops}${gap}${budget === undefined ? [] : budgetPhrase(budget)}${autoscaler === undefined ? [] : autoscalerPhrase(autoscaler)}`
}

/** The deploy ends well, and yet what runs is the old: somebody has to finish it. */
function isLeftToSomebody(how: Restart['how']): boolean {
  return how === 'on-delete' || how === 'paused'
}

/** How many pods start; where most go, or others restart, also how many stop. What an autoscaler takes away at once is marked. */
export function scalePhrase({ from, to }: Scale, restart?: Restart, scaledBy?: Autoscaler): Phrase {
  if (scaledBy !== undefined && isDip({ from, to })) {
    const until = phrase` until ${`HorizontalPodAutoscaler/${scaledBy.name}`} acts`
    return marked(phrase`${stoppingPhrase({ from, to })}${until}${limitsPhrase(scaledBy)}`)
  }
  const isKnown = restart === undefined || restart.replicas !== undefined
  if (to === 0) return marked([from === 1 ? 'its only pod stops' : `all ${from} pods stop`])
  if (from === 0) return [`${podsText(to)} ${to === 1 ? 'starts' : 'start'}`]
  if (to > from) return isKnown ? [`${to - from} more ${to - from === 1 ? 'starts' : 'start'}`] : []
  return to * 2 <= from || restart?.replicas !== undefined ? stoppingPhrase({ from, to }) : []
}

function stoppingPhrase({ from, to }: Scale): Phrase {
  return [`${from - to} of ${podsText(from)} ${from - to === 1 ? 'stops' : 'stop'}`]
}

/** Of this update, where there is one, and of those that come. */
export function atOncePhrase({ after, before }: AtOnce): Phrase {
  const isShare = after.endsWith('%')
  const stopped = isShare ? phrase`up to ${after} of its pods` : ['all of its pods']
  return marked(phrase`updates stop ${stopped} at once (before: ${before})`)
}

/** Fewer pods for now, which the autoscaler that decides from now on does not know of. */
export function isDip(scale: Scale | undefined): boolean {
  return scale !== undefined && scale.to > 0 && scale.to < scale.from
}

/** `HorizontalPodAutoscaler/web takes over (2 to 6 pods)`. */
export function takeoverPhrase(autoscaler: Autoscaler): Phrase {
  return phrase`${`HorizontalPodAutoscaler/${autoscaler.name}`} takes over${limitsPhrase(autoscaler)}`
}

function limitsPhrase({ maxReplicas, minReplicas = 1 }: Autoscaler): Phrase {
  return maxReplicas === undefined ? [] : [` (${minReplicas} to ${maxReplicas} pods)`]
}

export function evictionsPhrase(change: BudgetChange): Phrase {
  switch (change) {
    case 'tighter':
      return ['fewer pods may be evicted']
    case 'looser':
      return ['more pods may be evicted']
    case 'closed':
      return marked(['no pod may be evicted: nodes cannot be drained'])
    default:
      return unreachable(change)
  }
}

/** `at most 2 of 4 pods may be evicted at once, before that 1`. */
export function evictablePhrase({ after, before, pods }: Evictable): Phrase {
  const change = after === before ? ', as before' : `, before that ${before}`
  return [`at most ${after} of ${pods === 1 ? '1 pod' : `${pods} pods`} may be evicted at once${change}`]
}

function howText({ held = 0, how, replicas }: Restart): string {
  const pods = replicas === undefined ? 'pods' : podsText(replicas)
  const isOne = replicas === 1
  switch (how) {
    case 'rolling':
      return isOne ? `${pods} restarts` : `${pods} restart in a rolling update`
    case 'recreate':
      return isOne ? `${pods} stops before the new one starts` : `${pods} stop before the new ones start`
    case 'partial':
      return partialText(held, replicas)
    case 'on-delete':
      return isOne ? `${pods} stays as it is until it is deleted` : `${pods} stay as they are until they are deleted`
    case 'paused':
      return isOne ? `${pods} stays as it is: the rollout is paused` : `${pods} stay as they are: the rollout is paused`
    case 'next-run':
      return 'takes effect at the next run'
    case 'suspended':
      return 'does not run while it is suspended'
    default:
      return unreachable(how)
  }
}

function partialText(held: number, replicas: number | undefined): string {
  if (replicas === undefined) return `pods from index ${held} up restart`
  if (held >= replicas)
    return `${podsText(replicas)} ${replicas === 1 ? 'stays' : 'stay'} as before: the partition is ${held}`
  return `${replicas - held} of ${podsText(replicas)} ${replicas - held === 1 ? 'restarts' : 'restart'}: the partition is ${held}`
}

function podsText(amount: number): string {
  return amount === 1 ? '1 pod' : `${amount} pods`
}

function becausePhrase({ because, checksumOf = [] }: Restart): Phrase {
  return checksumOf.length === 0 ? [becauseText(because)] : phrase`checksum of ${nameList(checksumOf)}`
}

function becauseText(because: Restart['because']): string {
  switch (because) {
    case 'image':
      return 'image'
    case 'template':
      return 'pod template'
    case 'metadata':
      return 'labels and annotations of the template only'
    case 'labels':
      return 'labels of the template only'
    case 'annotations':
      return 'annotations of the template only'
    case 'versions':
      return 'chart and version labels of the template only'
    case 'checksum':
      return 'checksum only'
    default:
      return unreachable(because)
  }
}

/** A budget does not hold back an update: where it is not kept, that is worth a sign. */
function budgetPhrase({ exceeded, isKept, maxUnavailable, minAvailable, name }: Budget): Phrase {
  const asks =
    minAvailable === undefined
      ? maxUnavailable === undefined
        ? []
        : phrase` (at most ${maxUnavailable} unavailable)`
      : phrase` (at least ${minAvailable} available)`
  if (isKept === undefined) return phrase`; budget ${name}${asks}`
  if (isKept) return phrase`; within budget ${name}${asks}`
  if (exceeded === undefined)
    return phrase`; ${marked(phrase`takes more pods down at once than budget ${name} allows${asks}`)}`
  const { allowed, down, pods } = exceeded
  const amount = `takes ${down} of ${podsText(pods)} down at once`
  return phrase`; ${marked(phrase`${[amount]}, budget ${name} allows ${[String(allowed)]}${asks}`)}`
}

function autoscalerPhrase({ maxReplicas, minReplicas = 1, name }: Autoscaler): Phrase {
  const limits = maxReplicas === undefined ? '' : `${minReplicas} to ${maxReplicas} pods, `
  return phrase`; ${[limits]}scaled by ${`HorizontalPodAutoscaler/${name}`}`
}
