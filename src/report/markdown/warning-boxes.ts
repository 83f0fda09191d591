import { formatRef } from '../../model/ref.ts'
import { byRisk, PRECIOUS_KINDS } from '../rows/risk-order.ts'
import type { Row } from '../rows/rows.ts'
import { attentionPhrase } from '../words/attention-text.ts'
import { joinPhrases, type Phrase, phrase } from '../words/phrase.ts'
import { box, markdown } from './markdown.ts'

const MAX_NAMED = 8
/** One more is shown in the line that would count it. */
const MAX_POINTS = 15
const MAX_NAMES_OF_POINT = 3

/**
 * Box for what cannot be taken back (recreations, and deletions of what holds data or carries others), and of a plan also
 * for what is marked anywhere below: who reads only this has seen the worst.
 */
export function warningBoxes(rows: readonly Row[], isPlan: boolean): readonly string[] {
  const recreated = rows.filter((row) => row.change === 'recreate')
  const deleted = rows.filter((row) => row.change === 'delete' && PRECIOUS_KINDS.has(row.ref.kind))
  const isDone = (row: Row) => ['succeeded', 'failed', 'ignored'].includes(row.result)
  const lines = isPlan
    ? [
        ...sentence(deleted, 'to be deleted permanently'),
        ...sentence(recreated, 'to be deleted and recreated'),
        ...attentionList(rows),
      ]
    : [
        ...sentence(deleted.filter(isDone), 'deleted permanently'),
        ...sentence(recreated.filter(isDone), 'deleted and recreated'),
      ]
  // A paragraph each: a summary does not break lines where a comment does.
  return lines.length === 0
    ? []
    : [
        box(
          'WARNING',
          lines.flatMap((line, index) => [...(index === 0 ? [] : ['']), ...line.split('\n')]),
        ),
      ]
}

function sentence(rows: readonly Row[], what: string): readonly string[] {
  if (rows.length === 0) return []
  const shown = firstOf(rows, MAX_NAMED)
  const names: Phrase[] = shown.map((row) => phrase`${formatRef(row.ref)}`)
  const more = rows.length > shown.length ? ` and ${rows.length - shown.length} more` : ''
  return [`**${rows.length} ${what}:** ${markdown(joinPhrases(names, ', '))}${more}`]
}

/** The riskiest first, those alike together: `1 to look at:` and `ClusterRole/operator`: reads Secrets below. */
function attentionList(rows: readonly Row[]): readonly string[] {
  const marked = byRisk(rows).flatMap((row) => {
    const text = attentionPhrase(row)
    return text.length === 0 ? [] : [{ name: formatRef(row.ref), what: markdown(text) }]
  })
  if (marked.length === 0) return []
  const points = [...Map.groupBy(marked, ({ what }) => what)].map(([what, alike]) => ({
    what,
    names: [...new Set(alike.map(({ name }) => name))],
  }))
  const shown = firstOf(points, MAX_POINTS)
  const left = points.slice(shown.length).flatMap(({ names }) => names).length
  const amount = points.flatMap(({ names }) => names).length
  const lines = shown.map(({ names, what }) => {
    const first = firstOf(names, MAX_NAMES_OF_POINT)
    const named = markdown(joinPhrases(first.map(nameOf), ', '))
    const more = names.length > first.length ? ` and ${names.length - first.length} more` : ''
    return `- ${named}${more}: ${what}`
  })
  return [
    [`**${amount} to look at:**`, ...lines, ...(left === 0 ? [] : [`- and ${left} more, marked ⚠️ in the table`])].join(
      '\n',
    ),
  ]
}

function nameOf(name: string): Phrase {
  return phrase`${name}`
}

/** The first ones, or all where but one would be left. */
function firstOf<T>(all: readonly T[], most: number): readonly T[] {
  return all.length <= most + 1 ? all : all.slice(0, most)
}
