import type { SchemaChange } from '../../model/impact.ts'
import { unreachable } from '../../model/unreachable.ts'
import { joinPhrases, nameList, type Phrase, phrase } from './phrase.ts'

/** Most fields that are named in one point. */
const MAX_NAMES = 12
/** Most points of one kind. */
const MAX_POINTS = 10

/**
 * Points of a list about changes of one version: what is lost or refused first. Fields that come or go share a point,
 * everything else has one.
 */
export function schemaPoints(changes: readonly SchemaChange[], unlisted = 0): readonly Phrase[] {
  const of = (effect: SchemaChange['effect'], isWanted: (change: SchemaChange) => boolean) =>
    changes.filter((change) => change.effect === effect && isWanted(change))
  return [
    ...namesPoint('removed', of('removes', isField)),
    ...singlePoints(
      'removed',
      of('removes', (change) => isOther(change) && !isOfField(change)),
    ),
    ...namesPoint('newly required', of('tightens', isNeeded)),
    ...namesPoint(
      'described now, any value was kept before',
      of('tightens', (change) => isField(change) && !isNeeded(change)),
    ),
    ...singlePoints('tighter', [
      ...of('removes', (change) => isOther(change) && isOfField(change)),
      ...of('tightens', isOther),
    ]),
    ...namesPoint('no longer described, values are kept', of('changes', isField)),
    ...namesPoint('required, with a default', of('changes', isRequired)),
    ...singlePoints('changed', of('changes', isOther)),
    ...namesPoint('no longer required', of('loosens', isRequired)),
    ...singlePoints('looser', of('loosens', isOther)),
    ...namesPoint('added', of('adds', isField)),
    ...singlePoints('added', of('adds', isOther)),
    ...(unlisted === 0 ? [] : [[`and ${unlisted} more ${unlisted === 1 ? 'change' : 'changes'}`]]),
  ]
}

function isField({ what }: SchemaChange): boolean {
  return what === 'field'
}

function isRequired({ what }: SchemaChange): boolean {
  return what === 'required'
}

/** It must be set, be it new or not. */
function isNeeded(change: SchemaChange): boolean {
  return isRequired(change) || (isField(change) && change.keyword === 'required')
}

function isOther(change: SchemaChange): boolean {
  return !isField(change) && !isRequired(change)
}

/** Of the schema, not of the version or the definition. */
function isOfField({ keyword = '', paths }: SchemaChange): boolean {
  return paths.some((path) => path !== '') || keyword.startsWith('x-kubernetes-')
}

/** One change of the definition or of a version without its schema, as a part of a sentence. */
export function schemaChangePhrase(change: SchemaChange): Phrase {
  switch (change.what) {
    case 'field':
    case 'required':
      return fieldPhrase(change)
    case 'values':
      return phrase`${placesPhrase(change)} ${valuesPhrase(change)}`
    case 'rule':
      return rulePhrase(change)
    case 'keyword':
      return keywordPhrase(change)
    default:
      return unreachable(change.what)
  }
}

/** `spec.size removed`; undefined for another change, as below. */
export function removedPhrase(change: SchemaChange): Phrase | undefined {
  return change.effect === 'removes' && isField(change) ? phrase`${fieldPhrase(change)} removed` : undefined
}

export function requiredPhrase(change: SchemaChange): Phrase | undefined {
  if (change.effect !== 'tightens' || !isNeeded(change)) return undefined
  return isRequired(change)
    ? phrase`${fieldPhrase(change)} newly required`
    : phrase`${placesPhrase(change)} new and required`
}

/** `spec.interval must match ^[0-9]+s$`: what an object has to meet from now on. */
export function tightenedPhrase(change: SchemaChange): Phrase | undefined {
  const { after, before, effect, keyword = '' } = change
  if (effect !== 'tightens' || !isOther(change)) return undefined
  const must = MUST[keyword]
  const [value, ...more] = after ?? []
  if (
    change.what !== 'keyword' ||
    must === undefined ||
    before !== undefined ||
    value === undefined ||
    more.length > 0
  ) {
    return schemaChangePhrase(change)
  }
  return phrase`${placesPhrase(change)} must ${[must]} ${value}`
}

const MUST: Readonly<Record<string, string>> = {
  maxItems: 'have a number of items of at most',
  maxLength: 'have a length of at most',
  maximum: 'be at most',
  minItems: 'have a number of items of at least',
  minLength: 'have a length of at least',
  minimum: 'be at least',
  multipleOf: 'be a multiple of',
  pattern: 'match',
}

function namesPoint(lead: string, changes: readonly SchemaChange[]): readonly Phrase[] {
  if (changes.length === 0) return []
  const names = joinPhrases(changes.slice(0, MAX_NAMES).map(fieldPhrase), ', ')
  const more = changes.length - MAX_NAMES
  return [[`${lead}: `, ...names, ...(more > 0 ? [` and ${more} more`] : [])]]
}

function singlePoints(lead: string, changes: readonly SchemaChange[]): readonly Phrase[] {
  const points = changes
    .slice(0, MAX_POINTS)
    .map((change): Phrase => [`${lead}: `, ...schemaChangePhrase(change), ...consequence(change)])
  const more = changes.length - MAX_POINTS
  return more > 0 ? [...points, [`${lead}: ${more} more`]] : points
}

/** `spec.podTemplate (212 fields)`. */
function fieldPhrase(change: SchemaChange): Phrase {
  const { fields = 1, keyword, what } = change
  const notes = [
    ...(fields > 1 ? [`${fields} fields`] : []),
    ...(what === 'field' && keyword === 'required' ? ['new'] : []),
  ]
  return [...placesPhrase(change), ...(notes.length === 0 ? [] : [` (${notes.join(', ')})`])]
}

function placesPhrase({ morePaths = 0, paths }: SchemaChange): Phrase {
  const [first = '', ...others] = paths
  const more = others.length + morePaths
  const place = first === '' ? ['the object'] : phrase`${first}`
  return more === 0 ? place : [...place, ` and ${more} more ${more === 1 ? 'place' : 'places'}`]
}

function valuesPhrase({ after, before, effect }: SchemaChange): Phrase {
  const [gone, fresh] = [before === undefined ? [] : nameList(before, MAX_NAMES), nameList(after ?? [], MAX_NAMES)]
  if (gone.length + fresh.length === 0) return ['takes other values']
  if (effect === 'tightens') {
    if (gone.length === 0) return phrase`takes only ${fresh}`
    return fresh.length === 0 ? phrase`no longer takes ${gone}` : phrase`takes ${fresh}, no longer ${gone}`
  }
  return fresh.length === 0 ? phrase`takes any value, not only ${gone}` : phrase`also takes ${fresh}`
}

function rulePhrase(change: SchemaChange): Phrase {
  const { after, before, effect } = change
  const [rule] = after ?? before ?? []
  const text = rule === undefined ? [] : phrase`: ${rule}`
  const place = phrase`for ${placesPhrase(change)}`
  if (effect === 'loosens') return phrase`no rule ${place} any more${text}`
  if (effect === 'changes') return phrase`what is told when a rule ${place} is broken${text}`
  return before === undefined
    ? phrase`new rule ${place}${text}`
    : phrase`a rule ${place} also counts for new objects${text}`
}

/** Lists of names of which only what differs is told. */
const DIFFERING: ReadonlySet<string> = new Set(['additionalPrinterColumns', 'selectableFields'])

function keywordPhrase(change: SchemaChange): Phrase {
  const { after, before, keyword = '', paths } = change
  const place = paths[0] === '' && paths.length === 1 ? [] : phrase`${placesPhrase(change)}: `
  if (before === undefined && after === undefined) return phrase`${place}${keyword}`
  if (DIFFERING.has(keyword)) {
    const parts = [
      ...(before === undefined ? [] : [phrase`without ${nameList(before, MAX_NAMES)}`]),
      ...(after === undefined ? [] : [phrase`with ${nameList(after, MAX_NAMES)}`]),
    ]
    return phrase`${place}${keyword} ${joinPhrases(parts, ', ')}`
  }
  return phrase`${place}${keyword} ${listPhrase(before)} → ${listPhrase(after)}`
}

function listPhrase(values: readonly string[] | undefined): Phrase {
  return values === undefined ? ['none'] : values.length === 0 ? ['empty'] : nameList(values)
}

/** What else the API server does, where the keyword does not say it. */
function consequence({ effect, keyword }: SchemaChange): Phrase {
  if (effect !== 'removes') return []
  switch (keyword) {
    case 'x-kubernetes-preserve-unknown-fields':
    case 'preserveUnknownFields':
      return ['; fields that the schema does not name are pruned']
    case 'x-kubernetes-embedded-resource':
      return ['; apiVersion, kind and metadata are pruned unless the schema names them']
    case 'conversion.strategy':
      return ['; between versions only apiVersion is converted']
    default:
      return []
  }
}
