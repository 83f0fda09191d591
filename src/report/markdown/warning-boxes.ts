import { formatRef } from '../../model/ref.ts'
import { PRECIOUS_KINDS } from '../rows/risk-order.ts'
import type { Row } from '../rows/rows.ts'
import { joinPhrases, type Phrase, phrase } from '../words/phrase.ts'
import { box, markdown } from './markdown.ts'

const MAX_NAMED = 8

/** Box for what cannot be taken back: recreations, and deletions of what holds data or carries others. */
export function warningBoxes(rows: readonly Row[], isPlan: boolean): readonly string[] {
  const recreated = rows.filter((row) => row.change === 'recreate')
  const deleted = rows.filter((row) => row.change === 'delete' && PRECIOUS_KINDS.has(row.ref.kind))
  const isDone = (row: Row) => ['succeeded', 'failed', 'ignored'].includes(row.result)
  const lines = isPlan
    ? [...sentence(deleted, 'to be deleted permanently'), ...sentence(recreated, 'to be deleted and recreated')]
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
          lines.flatMap((line, index) => (index === 0 ? [line] : ['', line])),
        ),
      ]
}

function sentence(rows: readonly Row[], what: string): readonly string[] {
  if (rows.length === 0) return []
  const names: Phrase[] = rows.slice(0, MAX_NAMED).map((row) => phrase`${formatRef(row.ref)}`)
  const more = rows.length > MAX_NAMED ? ` and ${rows.length - MAX_NAMED} more` : ''
  return [`**${rows.length} ${what}:** ${markdown(joinPhrases(names, ', '))}${more}`]
}
