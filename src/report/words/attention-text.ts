import type { Impact } from '../../model/impact.ts'
import type { Row } from '../rows/rows.ts'
import { imagePhrase } from './image-changes.ts'
import { joinPhrases, marksIn, type Phrase, plainText } from './phrase.ts'
import { whyPhrase } from './row-text.ts'

/** Most clauses of one object; one more is shown in the place of its count. The row below has them all. */
const MAX_CLAUSES = 4

/** What the box on top says of one object. */
export interface Attention {
  readonly text: Phrase
  /** The marks of its row, as plain text, that are said here. */
  readonly said: ReadonlySet<string>
}

/**
 * What somebody should look at before the change is made, without its sign: all that the row marks, and images of another
 * major version. Empty where there is nothing of it.
 */
export function attentionPhrase(row: Row): Phrase {
  return attentionOf(row).text
}

export function attentionOf(row: Row): Attention {
  if (row.impact === undefined || row.change === 'none') return { text: [], said: new Set() }
  const marks = marksIn(whyPhrase(row))
  const texts = [...marks.map(({ marked, onTop = marked }) => onTop), ...majorImages(row, row.impact)]
  const once = [...new Map(texts.map((one) => [plainText(one), one])).values()]
  const shown = once.length <= MAX_CLAUSES + 1 ? once : once.slice(0, MAX_CLAUSES)
  const more = once.length - shown.length
  const isShown = new Set(shown.map(plainText))
  return {
    text: joinPhrases([...shown, ...(more > 0 ? [[`and ${more} more, see below`]] : [])], '; '),
    said: new Set(
      marks.flatMap(({ marked, onTop = marked }) => (isShown.has(plainText(onTop)) ? [plainText(marked)] : [])),
    ),
  }
}

/** `postgres 16.4 → 17.0 (major)`. */
function majorImages(row: Row, impact: Impact): readonly Phrase[] {
  const jumps = (impact.images ?? []).filter(({ jump }) => jump !== undefined)
  if (jumps.length === 0) return []
  const images = imagePhrase([{ ...row, impact: { ...impact, images: jumps } }])
  return [images.map((part) => (typeof part === 'string' ? part.replace('⚠️ ', '') : part))]
}
