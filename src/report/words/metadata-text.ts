import { isInertKey } from '../../manifest/metadata-keys.ts'
import { defined } from '../../model/defined.ts'
import type { FieldChange, Impact } from '../../model/impact.ts'
import { type CommonMetadata, MAX_REASONS } from '../rows/common-metadata.ts'
import { ownMetadataKey } from '../rows/own-metadata.ts'
import { joinPhrases, type Phrase, phrase } from './phrase.ts'

/** `label helm.sh/chart shop-1.8.0 → shop-1.9.2, annotation owner added`. */
export function metadataPhrase(fields: readonly FieldChange[]): Phrase {
  return joinPhrases(fields.map(onePhrase), ', ')
}

/**
 * `on 79 objects: label helm.sh/chart shop-1.8.0 → shop-1.9.2`: what of metadata changes alike; empty where nothing does. `each`:
 * as many objects, but not the same ones.
 */
export function commonMetadataPhrase(common: readonly CommonMetadata[]): Phrase {
  const byKey = Map.groupBy(common, ({ field }) => ownMetadataKey(field))
  const [several, single] = [true, false].map((isSeveral) =>
    [...byKey.values()].filter((members) => members.length > 1 === isSeveral).flat(),
  )
  const groups = [...Map.groupBy(single ?? [], ({ objects }) => objects)].map(([objects, members]) => {
    const isOnSame = members.every(({ refs }) => members[0]?.refs.isSubsetOf(refs))
    return phrase`on ${objects} objects${[isOnSame ? '' : ' each']}: ${metadataPhrase(members.map(({ field }) => field))}`
  })
  const byValue = [...Map.groupBy(several ?? [], ({ field }) => ownMetadataKey(field)).values()].map(valuesPhrase)
  return joinPhrases([...groups, ...byValue], '; ')
}

/** `on 9 objects: label helm.sh/chart a-1.0.0 → a-1.1.0, b-1.0.0 → b-1.1.0`: of each subchart its own. */
function valuesPhrase(members: readonly CommonMetadata[]): Phrase {
  const [first, ...others] = members.map(({ field }) => field)
  const objects = members.reduce((sum, one) => sum + one.objects, 0)
  const more = others.map((field) => {
    const { after, before, kind } = field
    return kind === 'changed' && before !== undefined && after !== undefined
      ? phrase`${before} → ${after}`
      : onePhrase(field)
  })
  return phrase`on ${objects} objects: ${joinPhrases([first === undefined ? [] : onePhrase(first), ...more], ', ')}`
}

/**
 * Where nothing else changes, those that may steer something: `annotation .../aws-load-balancer-scheme internal →
 * internet-facing and 2 more`. What `steeringPhrase` tells is left to it.
 */
export function ownMetadataPhrase({ fields, steering = [] }: Pick<Impact, 'fields' | 'steering'>): Phrase {
  const told = fields.filter((field) => {
    const [map = '', ...key] = ownMetadataKey(field).split(' ')
    const isTold = steering.some((one) => one.map === map && one.key === key.join(' '))
    return !isTold && !isInertKey(map, key.join(' '))
  })
  // What was there and is other or gone says more than what is new.
  const ordered = told.toSorted((a, b) => Number(a.kind === 'added') - Number(b.kind === 'added'))
  const shown = metadataPhrase(ordered.slice(0, MAX_REASONS).map(shortened))
  return told.length > MAX_REASONS ? [...shown, ` and ${told.length - MAX_REASONS} more`] : shown
}

/** Longer values are read in the diff. */
const MAX_OWN_CHARS = 60

function shortened({ after, before, ...field }: FieldChange): FieldChange {
  const isLong = [before, after].some((value) => value !== undefined && value.length > MAX_OWN_CHARS)
  return isLong ? field : { ...field, ...defined({ after, before }) }
}

function onePhrase(field: FieldChange): Phrase {
  const [map = '', ...rest] = ownMetadataKey(field).split(' ')
  return metadataChangePhrase({ ...field, map, key: rest.join(' ') })
}

/** A label or an annotation that comes, goes or changes. */
export function metadataChangePhrase(
  field: Pick<FieldChange, 'after' | 'before' | 'kind'> & { readonly map: string; readonly key: string },
): Phrase {
  const name = phrase`${[field.map === 'labels' ? 'label ' : 'annotation ']}${shortKey(field.key)}`
  if (field.kind === 'added') return phrase`${name} added${valuePhrase(field.after)}`
  if (field.kind === 'removed') return phrase`${name} removed${valuePhrase(field.before)}`
  if (field.before === undefined || field.after === undefined || field.before === field.after)
    return phrase`${name} changed`
  return phrase`${name} ${field.before} → ${field.after}`
}

function valuePhrase(value: string | undefined): Phrase {
  return value === undefined || value === '' ? [] : phrase`: ${value}`
}

/** `service.beta.kubernetes.io/aws-load-balancer-scheme` is known by its end. */
function shortKey(key: string): string {
  const slash = key.indexOf('/')
  return key.length > MAX_KEY_CHARS && slash > 0 ? `…${key.slice(slash)}` : key
}

const MAX_KEY_CHARS = 40
