import type { FieldChange, Impact, Noise } from '../../model/impact.ts'
import type { Reason } from '../../model/plan.ts'
import { unreachable } from '../../model/unreachable.ts'
import { changesOwnMetadataOnly } from '../rows/own-metadata.ts'
import { impactPhrase, unspokenFields } from './impact-text.ts'
import { ownMetadataPhrase } from './metadata-text.ts'
import { joinPhrases, type Phrase } from './phrase.ts'
import { reasonPhrase } from './reason-text.ts'
import { besidePhrase, respelledPhrase } from './respelled-text.ts'

/** What a change means, and why it is made; empty where the change itself says it all. */
export function causePhrase(reason: Reason, impact: Impact | undefined): Phrase {
  if (impact?.noise === 'spelling') return respelledPhrase(impact.fields)
  if (impact?.noise !== undefined) return [noiseText(impact.noise)]
  // On uninstall all rights go with their objects.
  if (impact === undefined || reason.code === 'uninstalled') return reasonPhrase(reason)
  const meaning = impactPhrase(impact)
  if (reason.code === 'chart-changed' && changesOwnMetadataOnly(impact)) {
    return joinPhrases(
      [meaning, ownMetadataPhrase(impact)].filter((part) => part.length > 0),
      '; ',
    )
  }
  const told = meaning.length === 0 ? impact.fields : unspokenFields(impact).filter((field) => !isSaid(field, impact))
  const beside = impact.respelled === undefined ? [] : besidePhrase(impact.respelled)
  const isSaidWholly = told.length === 0 && reason.code === 'chart-changed' && meaning.length > 0
  const cause = isSaidWholly ? [] : reasonPhrase(reason, told)
  return joinPhrases(
    [meaning, cause, beside].filter((part) => part.length > 0),
    '; ',
  )
}

/** Metadata beside what the change means; that of the template where it is what replaces the pods. */
function isSaid({ path }: FieldChange, { restart }: Impact): boolean {
  if (/^metadata\.(labels|annotations)\b/.test(path)) return true
  const isByMetadata = restart !== undefined && restart.because !== 'image' && restart.because !== 'template'
  return isByMetadata && /\btemplate\.metadata\b/.test(path)
}

/** What changes where nothing changes that anybody reviews. */
export function noiseText(noise: Noise): string {
  switch (noise) {
    case 'labels':
      return 'only chart and version labels change'
    case 'checksum':
      return 'only labels and checksums change'
    case 'metadata':
      return 'only labels and annotations that steer nothing change'
    case 'descriptions':
      return 'only descriptions, labels and annotations change'
    case 'spelling':
      return 'stored as before: defaults of the API are stated or left out, or values are written otherwise'
    default:
      return unreachable(noise)
  }
}
