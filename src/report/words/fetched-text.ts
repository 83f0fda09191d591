import type { FetchedPart } from '../../model/chart-source.ts'
import type { Plan } from '../../model/plan.ts'
import { joinPhrases, type Phrase, phrase } from './phrase.ts'

/** Enough of a digest to compare by eye; the log and the JSON plan have all of it. */
const SHORT_DIGEST_CHARS = 'sha256:'.length + 12
/** Most parts that are named one by one where space is short. */
const MAX_NAMED = 8

/** A line for each chart that was fetched: `chart shop 1.4.2 from oci://registry.example/shop (sha256:...)`. */
export function fetchedPhrases({ fetched = [] }: Plan): readonly Phrase[] {
  return fetched.map(
    (part) => phrase`${[part.parent === undefined ? 'chart' : 'dependency']} ${partPhrase(part, part.digest)}`,
  )
}

/** The same on one line, in short; empty where nothing was fetched. */
export function fetchedPhrase({ fetched = [] }: Plan): Phrase {
  const named = fetched.slice(0, MAX_NAMED).map((part) => partPhrase(part, part.digest.slice(0, SHORT_DIGEST_CHARS)))
  const more = fetched.length - named.length
  return joinPhrases(more > 0 ? [...named, [`${more} more`]] : named, ', ')
}

function partPhrase({ isUnlocked, name, parent, signedBy, source, version }: FetchedPart, digest: string): Phrase {
  const above = parent === undefined || parent.length === 0 ? [] : phrase` of ${parent.join('/')}`
  const signed = signedBy === undefined ? [] : phrase`, signed by ${signedBy}`
  return phrase`${name} ${version}${above} from ${source} (${digest}${signed}${[isUnlocked === true ? ', not locked' : '']})`
}
