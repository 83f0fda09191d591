import type { ObjectEffect } from '../../model/impact.ts'
import { unreachable } from '../../model/unreachable.ts'
import { joinPhrases, marked, nameList, type Phrase, phrase } from './phrase.ts'

/** `⚠️ its certificate is not verified (insecureSkipTLSVerify)`. */
export function objectEffectsPhrase(effects: readonly ObjectEffect[]): Phrase {
  const lastTooLow = effects.findLast(({ effect }) => effect === 'less-than-asked')
  return joinPhrases(
    effects.map((one) => effectPhrase(one, one === lastTooLow)),
    '; ',
  )
}

/** Quotas and limits judge pods when they are made. Source: docs/sources.md#kubernetes-effects-on-others. */
const BEYOND = ': new pods beyond that are refused, those that run stay'

/** `isLastTooLow`: what follows for pods is told once. */
function effectPhrase({ after = '', before = '', effect, names = [] }: ObjectEffect, isLastTooLow: boolean): Phrase {
  const listed = nameList(names)
  switch (effect) {
    case 'objects-deleted':
      return names.length === 0 ? ['all its objects are deleted with it'] : deletedPhrase(names)
    case 'removed-field-used':
      return marked(phrase`${listed} of the release ${[names.length === 1 ? 'uses' : 'use']} removed fields`)
    case 'unserved-version-used':
      return marked(
        phrase`${listed} of the release ${[names.length === 1 ? 'is' : 'are']} of a version that is no longer served`,
      )
    case 'api-served-otherwise':
      return marked(phrase`${listed} answers requests for it now`)
    case 'api-unverified':
      return marked(['its certificate is not verified (insecureSkipTLSVerify)'])
    case 'api-gone':
      return marked(phrase`objects of ${listed} can no longer be read or written`)
    case 'default-class':
      return marked(['default for all new pods that name no class'])
    case 'default-class-no-more':
      return ['no longer the default for new pods that name no class']
    case 'priority':
      return before === '' ? phrase`priority ${after}` : phrase`priority ${before} → ${after} for new pods`
    case 'evicts':
      return marked(phrase`its pods push out others of a priority below ${after}`)
    case 'evicts-no-more':
      return ['its pods no longer push out others']
    case 'volumes-deleted':
      return marked(['new volumes are deleted with their claims (reclaimPolicy Delete)'])
    case 'volumes-kept':
      return ['new volumes are kept when their claims are deleted (reclaimPolicy Retain)']
    case 'limit-tighter':
      return marked(phrase`allows less: ${listed}`)
    case 'less-than-asked':
      return marked(
        phrase`${listed} ${after} is less than the ${before} that pods of the release ask for${[isLastTooLow ? BEYOND : '']}`,
      )
    case 'token-mounted':
      return marked(phrase`pods of ${listed} get its token when they next start`)
    case 'token-not-mounted':
      return phrase`pods of ${listed} no longer get its token when they next start`
    case 'handler':
      return phrase`runs pods by handler ${after}`
    case 'no-service':
      return phrase`its pods get their names by ${listed}, which is not of the release`
    default:
      return unreachable(effect)
  }
}

function deletedPhrase(names: readonly string[]): Phrase {
  return phrase`all its objects are deleted with it, ${names.length} of the release: ${nameList(names)}`
}
