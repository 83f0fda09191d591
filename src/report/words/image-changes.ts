import { builtInKind } from '../../manifest/built-in-kinds.ts'
import type { ImageChange } from '../../model/impact.ts'
import { refKey } from '../../model/ref.ts'
import type { Row } from '../rows/rows.ts'
import { joinPhrases, nameList, type Phrase, phrase } from './phrase.ts'
import { jumpText } from './version-text.ts'

/** Most images that are named; the rest is counted. */
const MAX_IMAGES = 6

/**
 * `postgres 16.4 → 17.0 (⚠️ major), web 4.2.0 → 4.3.1`: images that change, each change once. Major versions first, then what
 * holds data, what keeps running, and what runs to its end.
 */
export function imagePhrase(rows: readonly Row[]): Phrase {
  return changesPhrase(rows, changePhrase)
}

/**
 * The images of a release: `web 1.0 → 1.1 (in 2 workloads, 8 others use the old image); new: queue:3; no longer run: cache:7`.
 * Where a change is one of all that ran the image there is nothing to add to it.
 */
export function releaseImagesPhrase(rows: readonly Row[]): Phrase {
  const users = Map.groupBy(
    rows.flatMap((row) => (row.impact?.images ?? []).map((image) => ({ image, key: refKey(row.ref) }))),
    ({ image }) => changeKey(image),
  )
  const amountOf = (image: ImageChange) => new Set((users.get(changeKey(image)) ?? []).map(({ key }) => key)).size
  const changed = rows.flatMap(({ impact }) => impact?.images ?? [])
  const [before, after] = [changed.map((one) => one.before), changed.map((one) => one.after)]
  const kept = rows.filter(({ reason }) => reason.code !== 'uninstalled')
  const parts = [
    changesPhrase(rows, (image) => phrase`${changePhrase(image)}${stillInPhrase(image, amountOf(image))}`),
    namedPhrase(
      'new: ',
      kept.flatMap(({ impact }) => impact?.newImages ?? []),
      after,
    ),
    namedPhrase(
      'no longer run: ',
      kept.flatMap(({ impact }) => impact?.goneImages ?? []),
      before,
    ),
  ]
  return joinPhrases(
    parts.filter((part) => part.length > 0),
    '; ',
  )
}

function changesPhrase(rows: readonly Row[], textOf: (image: ImageChange) => Phrase): Phrase {
  const ordered = rows
    .flatMap((row) => (row.impact?.images ?? []).map((image) => ({ image, rank: rankOf(row, image) })))
    .toSorted((a, b) => a.rank - b.rank)
  const once = new Map<string, ImageChange>()
  for (const { image } of ordered) {
    const key = changeKey(image)
    const known = once.get(key)
    if (known === undefined || (known.stillIn ?? 0) < (image.stillIn ?? 0)) once.set(key, image)
  }
  const all = [...once.values()]
  // A count of one takes as much room as the image.
  const limit = all.length === MAX_IMAGES + 1 ? all.length : MAX_IMAGES
  const shown = joinPhrases(all.slice(0, limit).map(textOf), ', ')
  return all.length > limit ? [...shown, ` and ${all.length - limit} more`] : shown
}

function changeKey({ after, before }: ImageChange): string {
  return JSON.stringify([before, after])
}

/** Who reads one change for all would take the others for changed as well. */
function stillInPhrase({ stillIn = 0 }: ImageChange, amount: number): Phrase {
  if (stillIn === 0) return []
  const changed = `${amount} ${amount === 1 ? 'workload' : 'workloads'}`
  return [` (in ${changed}, ${stillIn} ${stillIn === 1 ? 'other uses' : 'others use'} the old image)`]
}

/** Without what a change tells already. */
function namedPhrase(word: string, images: readonly string[], told: readonly string[]): Phrase {
  const names = [...new Set(images)].filter((image) => !told.includes(image))
  return names.length === 0 ? [] : phrase`${[word]}${nameList(names, MAX_IMAGES)}`
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
