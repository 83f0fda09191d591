import type { PodLimit } from '../../model/impact.ts'
import { unreachable } from '../../model/unreachable.ts'
import { joinPhrases, marked, nameList, type Phrase, phrase } from './phrase.ts'

/** `⚠️ main can no longer write to its root file system and has no writable volume, loses all capabilities`. */
export function podLimitsPhrase(limits: readonly PodLimit[]): Phrase {
  const alike = [...Map.groupBy(limits, ({ container: _, ...fact }) => JSON.stringify(fact)).values()]
  const byWhom = Map.groupBy(alike, (some) => JSON.stringify(some.map(({ container }) => container)))
  return joinPhrases([...byWhom.values()].map(whomPhrase), '; ')
}

/** What the same containers may no longer do. */
function whomPhrase(limits: readonly (readonly PodLimit[])[]): Phrase {
  const containers = (limits[0] ?? []).flatMap(({ container }) => container ?? [])
  const kinds = limits.flatMap(([one]) => one ?? [])
  const clauses = kinds.map((one) => limitPhrase(one, containers.length === 1))
  const said = phrase`${nameList(containers)}${containers.length === 0 ? [] : [' ']}${joinPhrases(clauses, ', ')}`
  return kinds.some(({ hasNoVolume }) => hasNoVolume === true) ? marked(said) : said
}

function limitPhrase({ hasNoVolume, names = [], what }: PodLimit, isOne: boolean): Phrase {
  switch (what) {
    case 'read-only-root':
      return [
        isOne ? 'can no longer write to its root file system' : 'can no longer write to their root file systems',
        ...(hasNoVolume === true ? [isOne ? ' and has no writable volume' : ' and have no writable volumes'] : []),
      ]
    case 'no-capabilities':
      return phrase`${[isOne ? 'loses' : 'lose']} all capabilities${names.length === 0 ? [] : phrase` but ${nameList(names)}`}`
    case 'fewer-capabilities':
      return phrase`${[isOne ? 'loses' : 'lose']} ${[names.length === 1 ? 'capability' : 'capabilities']} ${nameList(names)}`
    case 'not-root':
      return [isOne ? 'does not start if its image runs as root' : 'do not start if their images run as root']
    case 'no-token':
      return ['its pods get no token of the API server']
    default:
      return unreachable(what)
  }
}

/** Whether a field holds nothing else than what is said. */
export function isToldLimit(path: string, limits: readonly PodLimit[]): boolean {
  return limits.some(({ container, what }) => {
    const own = container === undefined ? '' : `[${container}].securityContext`
    switch (what) {
      case 'read-only-root':
        return path.endsWith(`${own}.readOnlyRootFilesystem`)
      case 'no-capabilities':
      case 'fewer-capabilities':
        return path.endsWith(`${own}.capabilities`) || path.endsWith(`${own}.capabilities.drop`)
      case 'not-root':
        return path.endsWith(`${own}.runAsNonRoot`) || /(^|\.)spec\.securityContext\.runAsNonRoot$/.test(path)
      case 'no-token':
        return /(^|\.)spec\.automountServiceAccountToken$/.test(path)
      default:
        return unreachable(what)
    }
  })
}
