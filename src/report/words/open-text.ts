import type { OpenInPlan } from '../../model/plan.ts'
import { formatRef } from '../../model/ref.ts'
import { formatPath, shortPath } from './field-path.ts'
import { joinPhrases, nameList, type Phrase, phrase } from './phrase.ts'

/** Most texts of one object that are named; the diff shows the others. */
const MAX_TEXTS = 10

/** Which texts hold what only the cluster says, one by one: `data.host is ‹spec.clusterIP of Service/web/db›, once that is deployed`. */
export function openPhrase(open: readonly OpenInPlan[]): Phrase {
  const more = open.length - MAX_TEXTS
  return joinPhrases(
    [...open.slice(0, MAX_TEXTS).map(oneOpen), ...(more > 0 ? [phrase`${more} more such texts`] : [])],
    '; ',
  )
}

function oneOpen({ isKnown, of, path, text }: OpenInPlan): Phrase {
  const once = isKnown === true ? [] : [', once that is deployed']
  if (of.length === 0) return phrase`${shortPath(path)} is a checksum of what an earlier release gets${once}`
  if (text !== undefined) {
    const values = [...new Set(of.flatMap(({ value }) => value ?? []))]
    return phrase`${shortPath(path)} is ${text}${values.length === 0 ? [] : phrase` (${nameList(values)})`}${once}`
  }
  const sources = of.map(({ isEncoded, path: from, ref }) => {
    const encoding = isEncoded === true ? phrase` in base64` : []
    return phrase`${formatPath(from)} of ${formatRef(ref)}${encoding}`
  })
  return phrase`${shortPath(path)} has ${joinPhrases(sources, ', ')}${once}`
}
