import type { Impact } from '../../model/impact.ts'
import type { Row } from '../rows/rows.ts'
import { imagePhrase } from './image-changes.ts'
import { joinPhrases, type Phrase, phrase, plainText } from './phrase.ts'
import { whyPhrase } from './row-text.ts'

const SIGN = '⚠️ '
/** Most clauses of one object. */
const MAX_CLAUSES = 2

/**
 * What somebody should look at before the change is made, without its sign: all that the row marks with one, images of
 * another major version, and versions that a CustomResourceDefinition drops. Empty where there is nothing of it.
 */
export function attentionPhrase(row: Row): Phrase {
  if (row.impact === undefined || row.change === 'none') return []
  const once = new Map(
    [...factClauses(row, row.impact), ...markedClauses(whyPhrase(row))].map((one) => [plainText(one), one]),
  )
  return joinPhrases([...once.values()].slice(0, MAX_CLAUSES), '; ')
}

function factClauses(row: Row, impact: Impact): readonly Phrase[] {
  const { images = [], schema } = impact
  const jumps = images.filter(({ jump }) => jump !== undefined)
  const dropped = (schema?.versions ?? []).filter(({ after }) => after === undefined)
  return [
    ...(dropped.length === 0
      ? []
      : [
          phrase`drops ${joinPhrases(
            dropped.map(({ name }) => phrase`${name}`),
            ', ',
          )}`,
        ]),
    ...(jumps.length === 0 ? [] : [withoutSign(imagePhrase([{ ...row, impact: { ...impact, images: jumps } }]))]),
  ]
}

/** `(⚠️ wildcard, runs pods)` as it stands between its brackets; `⚠️ refuses requests` to the end of the clause. */
function markedClauses(text: Phrase): readonly Phrase[] {
  return clausesOf(text).flatMap((clause) => {
    const index = clause.findIndex((part) => typeof part === 'string' && part.includes(SIGN))
    const part = clause[index]
    if (typeof part !== 'string') return []
    const start = part.indexOf(SIGN)
    const rest = part.slice(start + SIGN.length)
    if (part[start - 1] !== '(') return [withoutSign([rest, ...clause.slice(index + 1)])]
    const bracketed = rest.slice(0, rest.indexOf(')'))
    // A jump is told with the image that makes it.
    return /^major\b/.test(bracketed) ? [] : [[bracketed]]
  })
}

/** A phrase at its semicolons; those of foreign names are none. */
function clausesOf(text: Phrase): readonly Phrase[] {
  const clauses: Phrase[] = [[]]
  for (const part of text) {
    const [first, ...more] = typeof part === 'string' ? part.split('; ') : [part]
    clauses[clauses.length - 1] = [...(clauses.at(-1) ?? []), ...(first === undefined ? [] : [first])]
    for (const one of more) clauses.push([one])
  }
  return clauses
}

function withoutSign(text: Phrase): Phrase {
  return text.map((part) => (typeof part === 'string' ? part.replaceAll(SIGN, '') : part))
}
