import type { FieldChange } from '../../model/impact.ts'
import type { CommonMetadata } from '../rows/common-metadata.ts'
import { ownMetadataKey } from '../rows/own-metadata.ts'
import { joinPhrases, type Phrase, phrase } from './phrase.ts'

/** `label helm.sh/chart shop-1.8.0 → shop-1.9.2, annotation owner added`. */
export function metadataPhrase(fields: readonly FieldChange[]): Phrase {
  return joinPhrases(fields.map(onePhrase), ', ')
}

/** `on 79 objects: label helm.sh/chart shop-1.8.0 → shop-1.9.2`: what of metadata changes alike; empty where nothing does. */
export function commonMetadataPhrase(common: readonly CommonMetadata[]): Phrase {
  const shown = common.slice(0, MAX_COMMON)
  const more = common.length > MAX_COMMON ? [` and ${common.length - MAX_COMMON} more`] : []
  const groups = [...Map.groupBy(shown, ({ objects }) => objects)].map(
    ([objects, members]) => phrase`on ${objects} objects: ${metadataPhrase(members.map(({ field }) => field))}`,
  )
  return [...joinPhrases(groups, '; '), ...more]
}

const MAX_COMMON = 12

function onePhrase(field: FieldChange): Phrase {
  const [map = '', ...rest] = ownMetadataKey(field).split(' ')
  const name = phrase`${[map === 'labels' ? 'label ' : 'annotation ']}${rest.join(' ')}`
  if (field.kind === 'added') return phrase`${name} added${valuePhrase(field.after)}`
  if (field.kind === 'removed') return phrase`${name} removed${valuePhrase(field.before)}`
  if (field.before === undefined || field.after === undefined) return phrase`${name} changed`
  return phrase`${name} ${field.before} → ${field.after}`
}

function valuePhrase(value: string | undefined): Phrase {
  return value === undefined || value === '' ? [] : phrase`: ${value}`
}
