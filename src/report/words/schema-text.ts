import type { SchemaChange, SchemaCounts, SchemaImpact, VersionImpact } from '../../model/impact.ts'
import type { Bullet } from './bullet.ts'
import { joinPhrases, marked, nameList, type Phrase, phrase, plainText } from './phrase.ts'
import { removedPhrase, requiredPhrase, schemaChangePhrase, schemaPoints, tightenedPhrase } from './schema-changes.ts'

/** Most changes of the definition, or keywords, that one line names. */
const MAX_NAMED = 3

/**
 * In one line, what breaks users or loses values first and marked: `⚠️ v1beta1 no longer served, 3 fields removed; v2 new`.
 */
export function schemaPhrase(impact: SchemaImpact): Phrase {
  const { changes, counts, versions } = impact
  if (isNewDefinition(impact)) return joinPhrases(versions.map(newDefinitionPhrase), ', ')
  const stored = storedPhrase(versions)
  const isLossy = versions.some((version) => version.isLossy === true)
  const [harmful, others] = [changes.filter(isHarmful), changes.filter((change) => !isHarmful(change))]
  const breaks = [
    ...versions.flatMap((version) => (isDropped(version, true) ? [droppedPhrase(version)] : [])),
    ...versions.flatMap((version) =>
      isUnserved(version) ? [phrase`${version.name} no longer served (requests for it fail)`] : [],
    ),
    ...(isLossy ? stored.map((text): Phrase => [...text, ': fields that it lacks get lost']) : []),
    ...lossPhrases(counts, versions.filter(isInBoth)),
    ...harmful.slice(0, MAX_NAMED).map((change): Phrase => [...schemaChangePhrase(change), ...effectWords(change)]),
    ...moreChanges(harmful),
  ]
  const parts = [
    ...(breaks.length === 0 ? [] : [marked(joinPhrases(breaks, ', '))]),
    ...versions.flatMap((version) =>
      isDropped(version, false) ? [phrase`${version.name} dropped, was not served`] : [],
    ),
    ...(isLossy ? [] : stored),
    ...versions.flatMap((version) =>
      servedWords(version)
        .filter((word) => word !== UNSERVED)
        .map((word) => phrase`${version.name} ${[word]}`),
    ),
    ...versions.flatMap((version) => (version.before === undefined ? [newVersionPhrase(version)] : [])),
    ...others.slice(0, MAX_NAMED).map(schemaChangePhrase),
    ...moreChanges(others),
    ...gainWords(counts).map((word): Phrase => [word]),
    ...changedPhrase(versions.filter(isInBoth), counts.changed),
  ]
  return joinPhrases(parts, '; ')
}

/** Values get lost, objects are refused, or others come to depend on an answer. */
function isHarmful({ after, effect, keyword }: SchemaChange): boolean {
  return effect === 'removes' || effect === 'tightens' || (keyword === STRATEGY && after?.includes('Webhook') === true)
}

const STRATEGY = 'conversion.strategy'

function effectWords({ effect, keyword }: SchemaChange): Phrase {
  if (keyword !== STRATEGY) return []
  return effect === 'removes'
    ? [': between versions only apiVersion is converted']
    : [': while its webhook does not answer, objects of other versions cannot be read']
}

function moreChanges(changes: readonly SchemaChange[]): readonly Phrase[] {
  return changes.length > MAX_NAMED ? [[`${changes.length - MAX_NAMED} more changes of the definition`]] : []
}

function isDropped({ after, before }: VersionImpact, wasServed: boolean): boolean {
  return after === undefined && before?.isServed === wasServed
}

/**
 * What objects were ever stored in stays in the status, and must be a version of the definition. Source: the docs of Kubernetes,
 * "Versions in CustomResourceDefinitions".
 */
function droppedPhrase({ before, name }: VersionImpact): Phrase {
  return before?.isStored === true
    ? phrase`${name} dropped (refused while ${'status.storedVersions'} names it; then requests for it fail)`
    : phrase`${name} dropped (requests for it fail)`
}

function isUnserved({ after, before }: VersionImpact): boolean {
  return after !== undefined && before?.isServed === true && !after.isServed
}

/** What is dropped, what changes of the definition, and then version by version; what changes in several alike once. */
export function schemaBullets(impact: SchemaImpact): readonly Bullet[] {
  const { changes, versions } = impact
  if (isNewDefinition(impact)) return []
  const dropped = versions.filter(({ after }) => after === undefined).map(titlePhrase)
  const ofDefinition = schemaPoints(changes)
  return [
    ...(dropped.length === 0 ? [] : [{ text: listPhrase(dropped), below: [] }]),
    ...(ofDefinition.length === 0 ? [] : [{ text: ['definition'], below: ofDefinition }]),
    ...bulletsOfKept(versions.filter(isInBoth)),
    ...versions.flatMap((version) =>
      version.before === undefined
        ? [{ text: titlePhrase(version), below: schemaPoints(version.changes, version.unlisted) }]
        : [],
    ),
  ]
}

/** Versions in a title. */
const MAX_VERSIONS = 10

interface Group {
  readonly versions: readonly VersionImpact[]
  readonly changes: SchemaChange[]
}

/** Changes by the versions in which they are; a state is told where its version is first. */
function bulletsOfKept(versions: readonly VersionImpact[]): readonly Bullet[] {
  const groups = groupsOf(versions)
  const titled = new Set<VersionImpact>()
  const bullets = groups.map(({ changes, versions: members }) => {
    const names = members.map((version) => (titled.has(version) ? phrase`${version.name}` : titlePhrase(version)))
    for (const version of members) titled.add(version)
    return { text: listPhrase(names), below: schemaPoints(changes) }
  })
  const others = versions.filter((version) => !titled.has(version)).map(titlePhrase)
  const uncounted = versions.flatMap(({ name, unlisted }) =>
    unlisted === undefined ? [] : [{ text: phrase`${name}: ${unlisted} more changes`, below: [] }],
  )
  return [...bullets, ...(others.length === 0 ? [] : [{ text: listPhrase(others), below: [] }]), ...uncounted]
}

function groupsOf(versions: readonly VersionImpact[]): readonly Group[] {
  const places = new Map<string, { readonly change: SchemaChange; readonly versions: VersionImpact[] }>()
  for (const version of versions) {
    for (const change of version.changes) {
      const key = JSON.stringify(change)
      const known = places.get(key)
      if (known === undefined) places.set(key, { change, versions: [version] })
      else known.versions.push(version)
    }
  }
  const groups = new Map<string, Group>()
  for (const { change, versions: members } of places.values()) {
    const key = JSON.stringify(members.map(({ name }) => name))
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { versions: members, changes: [change] })
    else known.changes.push(change)
  }
  return [...groups.values()].toSorted((a, b) => b.versions.length - a.versions.length)
}

function listPhrase(titles: readonly Phrase[]): Phrase {
  const more = titles.length > MAX_VERSIONS ? [` and ${titles.length - MAX_VERSIONS} more`] : []
  return [...joinPhrases(titles.slice(0, MAX_VERSIONS), ', '), ...more]
}

function isNewDefinition({ changes, versions }: SchemaImpact): boolean {
  const areNew = versions.every(({ before, comparedWith }) => before === undefined && comparedWith === undefined)
  return changes.length === 0 && areNew
}

function newDefinitionPhrase({ after, name }: VersionImpact): Phrase {
  const words = [
    ...(after?.isStored === true ? ['stored'] : []),
    ...(after?.isServed === false ? ['not served'] : []),
    ...(after?.isDeprecated === true ? ['deprecated'] : []),
  ]
  return phrase`${name}${[inParentheses(words)]}`
}

function isInBoth({ after, before }: VersionImpact): boolean {
  return before !== undefined && after !== undefined
}

function storedPhrase(versions: readonly VersionImpact[]): readonly Phrase[] {
  const was = versions.find(({ after, before }) => before?.isStored === true && after?.isStored !== true)
  const is = versions.find(({ after, before }) => after?.isStored === true && before?.isStored !== true)
  if (is === undefined) return was === undefined ? [] : [phrase`${was.name} no longer stored`]
  return [was === undefined ? phrase`${is.name} stored now` : phrase`${is.name} stored instead of ${was.name}`]
}

const UNSERVED = 'no longer served'

function servedWords({ after, before }: Pick<VersionImpact, 'before' | 'after'>): readonly string[] {
  if (before === undefined || after === undefined) return []
  return [
    ...(before.isServed === after.isServed ? [] : [after.isServed ? 'served now' : UNSERVED]),
    ...(before.isDeprecated === after.isDeprecated ? [] : [after.isDeprecated ? 'deprecated' : 'no longer deprecated']),
  ]
}

function newVersionPhrase({ comparedWith, counts, name }: VersionImpact): Phrase {
  const changed = counts.changed === 0 ? [] : [`${counts.changed} changed`]
  const words = [...lossWords(counts), ...gainWords(counts), ...changed]
  if (comparedWith === undefined) return phrase`${name} new`
  const others = words.length === 0 ? [] : [`: ${words.join(', ')}`]
  return phrase`${name} new (compared with ${comparedWith}${words.length === 0 ? [': the same'] : others})`
}

function titlePhrase({ after, before, comparedWith, name }: VersionImpact): Phrase {
  if (after === undefined)
    return phrase`${name}${[inParentheses(['dropped', ...(before?.isServed === false ? ['was not served'] : [])])]}`
  if (before === undefined) {
    const state = [...(after.isStored ? ['stored now'] : []), ...(after.isServed ? [] : ['not served'])]
    const compared = comparedWith === undefined ? [] : phrase`, compared with ${comparedWith}`
    return phrase`${name} (${[['new', ...state].join(', ')]}${compared})`
  }
  const stored = before.isStored === after.isStored ? [] : [after.isStored ? 'stored now' : 'no longer stored']
  return phrase`${name}${[inParentheses([...stored, ...servedWords({ before, after })])]}`
}

function inParentheses(words: readonly string[]): string {
  return words.length === 0 ? '' : ` (${words.join(', ')})`
}

/** Of each kind one or two are named, if that is short; more are counted. */
function lossPhrases(counts: SchemaCounts, versions: readonly VersionImpact[]): readonly Phrase[] {
  const kept = versions.flatMap((version) => version.changes)
  const changes = [...new Map(kept.map((change) => [JSON.stringify(change), change])).values()]
  const spoken = (amount: number, only: Partial<SchemaCounts>, of: (change: SchemaChange) => Phrase | undefined) => {
    const named = changes.flatMap((change) => {
      const text = of(change)
      return text === undefined
        ? []
        : [{ text, amount: placesOf(change) * (change.effect === 'removes' ? (change.fields ?? 1) : 1) }]
    })
    const isAll = named.reduce((sum, one) => sum + one.amount, 0) === amount
    const isShort =
      named.length <= MAX_SPELLED && named.every(({ text }) => plainText(text).length <= MAX_SPELLED_CHARS)
    return isAll && isShort && amount > 0
      ? named.map(({ text }) => text)
      : lossWords({ ...NO_COUNTS, ...only }).map((word): Phrase => [word])
  }
  return [
    ...spoken(counts.removed, { removed: counts.removed }, removedPhrase),
    ...spoken(counts.required, { required: counts.required }, requiredPhrase),
    ...spoken(counts.tightened, { tightened: counts.tightened }, tightenedPhrase),
  ]
}

function placesOf({ morePaths = 0, paths }: SchemaChange): number {
  return paths.length + morePaths
}

/** Changes of one kind that are named in one line, and how long each may be. */
const MAX_SPELLED = 2
const MAX_SPELLED_CHARS = 80

const NO_COUNTS: SchemaCounts = { removed: 0, required: 0, tightened: 0, changed: 0, loosened: 0, added: 0 }

/** What may break something. */
function lossWords({ removed, required, tightened }: SchemaCounts): readonly string[] {
  return [
    ...(removed === 0 ? [] : [`${fieldsText(removed)} removed`]),
    ...(required === 0 ? [] : [`${fieldsText(required)} newly required`]),
    ...(tightened === 0 ? [] : [`${tightened} tighter ${tightened === 1 ? 'rule' : 'rules'}`]),
  ]
}

function gainWords({ added, loosened }: SchemaCounts): readonly string[] {
  return [
    ...(loosened === 0 ? [] : [`${loosened} looser ${loosened === 1 ? 'rule' : 'rules'}`]),
    ...(added === 0 ? [] : [`${fieldsText(added)} added`]),
  ]
}

function fieldsText(count: number): string {
  return `${count} ${count === 1 ? 'field' : 'fields'}`
}

/** What neither refuses nor adds anything is named by its keywords. */
function changedPhrase(versions: readonly VersionImpact[], amount: number): readonly Phrase[] {
  if (amount === 0) return []
  const changes = versions.flatMap(({ changes: all }) => all.filter(({ effect }) => effect === 'changes'))
  const names = [...new Set(changes.map(nameOf))]
  return [names.length === 0 ? [`${amount} changed`] : phrase`${nameList(names, MAX_NAMED)} changed`]
}

function nameOf({ keyword, paths, what }: SchemaChange): string {
  if (what === 'rule') return 'x-kubernetes-validations'
  return keyword ?? (what === 'required' ? 'required' : (paths[0] ?? ''))
}
