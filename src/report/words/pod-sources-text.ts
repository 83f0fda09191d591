import type { FieldChange, PodSource } from '../../model/impact.ts'
import { joinPhrases, marked, nameList, type Phrase, phrase } from './phrase.ts'

/** `env[TOKEN] from Secret/shop-token key token`; those of one object in the same case together. */
export function podSourcesPhrase(sources: readonly PodSource[]): Phrase {
  const alike = Map.groupBy(sources, ({ container: _c, key: _k, name: _n, ...fact }) => JSON.stringify(fact))
  return joinPhrases([...alike.values()].map(sourcePhrase), ', ')
}

function sourcePhrase(alike: readonly PodSource[]): Phrase {
  const [first] = alike
  if (first === undefined) return []
  const { from, isOptional, isOutside, replacesValue } = first
  const keys = [...new Set(alike.flatMap(({ key }) => key ?? []))]
  const key = keys.length === 1 ? phrase` key ${keys[0] ?? ''}` : []
  const before = replacesValue === true ? [', before that plain text'] : []
  const whatIf =
    isOptional !== true
      ? isOutside === true
        ? [', which is not of the release']
        : []
      : isOutside === true
        ? [': left out silently where that does not exist']
        : [', optional']
  const said = phrase`${nameList([...new Set(alike.map(placeText))])} from ${from}${key}${before}${whatIf}`
  return isOptional === true && isOutside === true && replacesValue === true ? marked(said) : said
}

function placeText({ container, into, name }: PodSource): string {
  switch (into) {
    case 'env':
      return `env[${name ?? ''}]`
    case 'env-from':
      return `envFrom of ${container ?? ''}`
    default:
      return `volumes[${name ?? ''}]`
  }
}

/** Whether a field holds nothing else than what is said. */
export function isToldSource(
  { itemsAdded, itemsRemoved, kind, path }: FieldChange,
  sources: readonly PodSource[],
): boolean {
  const ofLists = sources.filter(
    ({ container, into }) => into === 'env-from' && path.endsWith(`[${container}].envFrom`),
  )
  if (ofLists.length > 0) return kind === 'added' || (itemsAdded === ofLists.length && itemsRemoved === 0)
  return sources.some(({ container, into, name }) => {
    if (into === 'env-from') return false
    const own = into === 'env' ? `[${container}].env[${name}]` : `.volumes[${name}]`
    const start = path.indexOf(own)
    if (start === -1) return false
    const rest = path.slice(start + own.length)
    if (rest === '') return kind === 'added'
    return into === 'env'
      ? /^\.value(From\b|$)/.test(rest)
      : /^\.(secret(\.secretName)?|configMap(\.name)?)$/.test(rest)
  })
}
