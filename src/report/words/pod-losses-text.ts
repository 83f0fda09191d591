import type { PodLoss } from '../../model/impact.ts'
import { unreachable } from '../../model/unreachable.ts'
import { joinPhrases, marked, nameList, type Phrase, phrase } from './phrase.ts'

/** `⚠️ web has no readiness probe any more: it gets traffic as soon as it runs`. */
export function podLossesPhrase(losses: readonly PodLoss[]): Phrase {
  const alike = [...Map.groupBy(losses, ({ container: _, ...fact }) => JSON.stringify(fact)).values()]
  return joinPhrases(
    alike.flatMap((some) => {
      const [first] = some
      if (first === undefined) return []
      const said = lossPhrase(first, nameList(some.flatMap(({ container }) => container ?? [])), some.length === 1)
      return [isMarked(first) ? marked(said) : said]
    }),
    '; ',
  )
}

function isMarked({ isServed, what }: PodLoss): boolean {
  return isServed === true || what === 'all-resources'
}

function lossPhrase({ isServed, what }: PodLoss, names: Phrase, isOne: boolean): Phrase {
  const has = isOne ? 'has' : 'have'
  const they = isOne ? 'it' : 'they'
  const s = isOne ? 's' : ''
  switch (what) {
    case 'readiness-probe':
      return phrase`${names} ${[`${has} no readiness probe any more: ${they} ${isServed === true ? `get${s} traffic` : `count${s} as ready`} as soon as ${they} run${s}`]}`
    case 'liveness-probe':
      return phrase`${names} ${[`${has} no liveness probe any more: ${they} no longer restart${s} when ${they} hang${s}`]}`
    case 'startup-probe':
      return phrase`${names} ${[`${has} no startup probe any more: the liveness probe counts from the start`]}`
    case 'memory-limit':
      return phrase`${names} ${[`${has} no memory limit of ${isOne ? 'its' : 'their'} own any more`]}`
    case 'all-resources':
      return [
        'its pods ask for nothing and are not limited any more (BestEffort): the first to go where memory is short',
      ]
    default:
      return unreachable(what)
  }
}

const FIELDS = {
  'readiness-probe': 'readinessProbe',
  'liveness-probe': 'livenessProbe',
  'startup-probe': 'startupProbe',
  'memory-limit': 'resources.limits.memory',
  'all-resources': undefined,
} as const satisfies Readonly<Record<PodLoss['what'], string | undefined>>

/** Whether a field holds nothing else than what is said. */
export function isToldLoss(path: string, losses: readonly PodLoss[]): boolean {
  return losses.some(({ container, what }) => {
    const field = FIELDS[what]
    return field === undefined ? /(\]|spec)\.resources$/.test(path) : path.endsWith(`[${container}].${field}`)
  })
}
