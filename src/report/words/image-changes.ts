import type { ImageChange } from '../../model/impact.ts'
import type { Row } from '../rows/rows.ts'
import { joinPhrases, type Phrase, phrase } from './phrase.ts'
import { jumpText } from './version-text.ts'

/** Most images that are named; the rest is counted. */
const MAX_IMAGES = 6

/** `postgres 16.4 → 17.0 (⚠️ major), web 4.2.0 → 4.3.1`: images that change, each change once, major versions first. */
export function imagePhrase(rows: readonly Row[]): Phrase {
  const all = rows.flatMap(({ impact }) => impact?.images ?? [])
  const once = [...new Map(all.map((one) => [`${one.before} ${one.after}`, one])).values()]
  const ordered = once.toSorted((a, b) => Number(b.jump !== undefined) - Number(a.jump !== undefined))
  const shown = joinPhrases(ordered.slice(0, MAX_IMAGES).map(changePhrase), ', ')
  return ordered.length > MAX_IMAGES ? [...shown, ` and ${ordered.length - MAX_IMAGES} more`] : shown
}

/** Of one repository the tags; else both in full. */
export function imageChangePhrase(before: string, after: string): Phrase {
  const [old, now] = [parseImage(before), parseImage(after)]
  return old.repository === now.repository ? phrase`${old.version} → ${now.version}` : phrase`${before} → ${after}`
}

/** With the last part of the repository, where it is the same. */
function changePhrase({ after, before, jump }: ImageChange): Phrase {
  const [old, now] = [parseImage(before), parseImage(after)]
  const change = phrase`${imageChangePhrase(before, after)}${[jumpText(jump)]}`
  if (old.repository !== now.repository) return change
  return phrase`${now.repository.slice(now.repository.lastIndexOf('/') + 1)} ${change}`
}

/** `registry:5000/shop/web:1.2@sha256:...`: the tag, else the beginning of the digest. */
function parseImage(image: string): { readonly repository: string; readonly version: string } {
  const [named = '', digest] = image.split('@', 2)
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1)
  const [repository, tag] = colon === -1 ? [named, undefined] : [named.slice(0, colon), named.slice(colon + 1)]
  const short = digest === undefined ? undefined : digest.replace(/^sha256:/, '').slice(0, 12)
  return { repository, version: [tag, short].filter((part) => part !== undefined).join('@') || 'latest' }
}
