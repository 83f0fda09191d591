import { builtInKind } from '../../manifest/built-in-kinds.ts'
import type { ImageChange } from '../../model/impact.ts'
import type { Row } from '../rows/rows.ts'
import { joinPhrases, type Phrase, phrase } from './phrase.ts'
import { jumpText } from './version-text.ts'

/** Most images that are named; the rest is counted. */
const MAX_IMAGES = 6

/**
 * `postgres 16.4 → 17.0 (⚠️ major), web 4.2.0 → 4.3.1`: images that change, each change once. Major versions first, then what
 * holds data, what keeps running, and what runs to its end.
 */
export function imagePhrase(rows: readonly Row[]): Phrase {
  const ordered = rows
    .flatMap((row) => (row.impact?.images ?? []).map((image) => ({ image, rank: rankOf(row, image) })))
    .toSorted((a, b) => a.rank - b.rank)
  const once = new Map<string, ImageChange>()
  for (const { image } of ordered) {
    const key = `${image.before} ${image.after}`
    if (!once.has(key)) once.set(key, image)
  }
  const all = [...once.values()]
  // A count of one takes as much room as the image.
  const limit = all.length === MAX_IMAGES + 1 ? all.length : MAX_IMAGES
  const shown = joinPhrases(all.slice(0, limit).map(changePhrase), ', ')
  return all.length > limit ? [...shown, ` and ${all.length - limit} more`] : shown
}

function rankOf({ change, ref }: Row, { jump }: ImageChange): number {
  if (jump !== undefined) return 0
  const kind = builtInKind(ref)
  if (change === 'hook') return 4
  if (kind?.isPrecious === true) return 1
  return kind?.runsToEnd === true || kind?.kind === 'CronJob' ? 3 : 2
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
