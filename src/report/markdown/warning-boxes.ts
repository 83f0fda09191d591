import { formatRef } from '../../model/ref.ts'
import { PRECIOUS_KINDS } from '../rows/risk-order.ts'
import type { Row } from '../rows/rows.ts'
import { partsOnTop, type TopPart, type TopPoint } from '../words/on-top.ts'
import { joinPhrases, type Phrase, phrase } from '../words/phrase.ts'
import { box, markdown } from './markdown.ts'

const MAX_NAMED = 8

/**
 * Box for what cannot be taken back (recreations, and deletions of what holds data or carries others), and of a plan also
 * for what is marked anywhere below: who reads only this has seen the worst.
 */
export function warningBoxes(rows: readonly Row[], isPlan: boolean): readonly string[] {
  const lines = isPlan ? partsOnTop(rows).map(partText) : doneLines(rows)
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

/** In one line where there is one point, or where the title says it all. */
function partText({ amount, left, points, title }: TopPart): string {
  const head = `**${amount} ${title}:**`
  const [first, ...others] = points
  const isOneLine = first !== undefined && others.length + left === 0 && first.text.length === 0
  if (isOneLine) return `${head} ${pointText(first)}`
  return [
    head,
    ...points.map((point) => `- ${pointText(point)}`),
    ...(left === 0 ? [] : [`- and ${left} more, marked ⚠️ in the table`]),
  ].join('\n')
}

function pointText({ more, names, text }: TopPoint): string {
  const named = namesText(names, more)
  return text.length === 0 ? named : `${named}: ${markdown(text)}`
}

function doneLines(rows: readonly Row[]): readonly string[] {
  const done = rows.filter(({ result }) => ['succeeded', 'failed', 'ignored'].includes(result))
  const recreated = done.filter((row) => row.change === 'recreate')
  const deleted = done.filter((row) => row.change === 'delete' && PRECIOUS_KINDS.has(row.ref.kind))
  return [...doneLine(deleted, 'deleted permanently'), ...doneLine(recreated, 'deleted and recreated')]
}

function doneLine(rows: readonly Row[], what: string): readonly string[] {
  if (rows.length === 0) return []
  const most = rows.length <= MAX_NAMED + 1 ? rows.length : MAX_NAMED
  const names = rows.slice(0, most).map(({ ref }) => formatRef(ref))
  return [`**${rows.length} ${what}:** ${namesText(names, rows.length - most)}`]
}

function namesText(names: readonly string[], more: number): string {
  const named = markdown(joinPhrases(names.map(nameOf), ', '))
  return more === 0 ? named : `${named} and ${more} more`
}

function nameOf(name: string): Phrase {
  return phrase`${name}`
}
