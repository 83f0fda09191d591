import { isBuiltIn, kindNames } from '../../manifest/built-in-kinds.ts'
import { risks } from '../../model/impact.ts'
import type { JsonObject } from '../../model/object.ts'
import { formatRef } from '../../model/ref.ts'
import { rowOf, type Verb } from '../../model/verb.ts'
import type { Row } from '../rows/rows.ts'
import { bulletLines } from '../words/bullet.ts'
import { shortPath } from '../words/field-path.ts'
import { impactBullets } from '../words/impact-text.ts'
import { nameList, phrase } from '../words/phrase.ts'
import { isFolded } from '../words/table-lines.ts'
import { byteLength, details, fence, html, markdown } from './markdown.ts'
import { type ResourceDiff, resourceDiff } from './resource-diff.ts'

/** The folded diff of one resource, with what decides whether it is shown where space is short. */
export interface ChangeDetails {
  readonly row: Row
  readonly markdown: string
  readonly bytes: number
  /** Lower is riskier and shown first. */
  readonly rank: number
}

export interface ChangeOptions {
  readonly verb: Verb
  /** Lines around each change. */
  readonly context: number
  /** Whether short diffs are open from the start; that of what failed always is. */
  readonly mayOpen: boolean
}

/** Diffs with at most this many lines are open: an image that changes, with what stands around it. */
const OPEN_UP_TO_LINES = 15
/** All open diffs together; beyond that nobody reads on. */
const OPEN_IN_ALL_LINES = 100

/**
 * Diffs of all rows that have one, in the order of the plan. On an install everything is new: the table says it all, and
 * so it does for a single new resource whose text nobody can compare. What is noise only is counted, not shown.
 */
export function changeDetails(rows: readonly Row[], options: ChangeOptions): readonly ChangeDetails[] {
  if (rowOf(options.verb).isFirst === true) return []
  let linesLeft = OPEN_IN_ALL_LINES
  return rows.flatMap((row) => {
    if (row.change === 'none' || row.change === 'delete' || isFolded(row)) return []
    if (row.before === undefined && row.change === 'hook') return []
    const diff = diffOf(row, options.context)
    const amount = (diff?.lines.length ?? 0) + (isCrdRow(row) ? meaningOf(row).length : 0)
    const isShort = row.before !== undefined && amount <= Math.min(OPEN_UP_TO_LINES, linesLeft)
    const isOpen = isShort && (options.mayOpen || row.result === 'failed')
    if (isOpen) linesLeft -= amount
    const markdown = detailsOf(row, diff, isOpen)
    return markdown === undefined ? [] : [{ row, markdown, bytes: byteLength(markdown), rank: riskOf(row) }]
  })
}

/** What fits into `budgetBytes`: the riskiest first, of equal risk the smallest. In the order of the plan. */
export function fitting(all: readonly ChangeDetails[], budgetBytes: number): readonly ChangeDetails[] {
  const byRisk = [...all].sort((a, b) => a.rank - b.rank || a.bytes - b.bytes)
  const chosen = new Set<ChangeDetails>()
  let left = budgetBytes
  for (const one of byRisk) {
    if (one.bytes + SEPARATOR_BYTES > left) continue
    left -= one.bytes + SEPARATOR_BYTES
    chosen.add(one)
  }
  return all.filter((one) => chosen.has(one))
}

const SEPARATOR_BYTES = 2

/** Kinds whose deletion or recreation loses data or takes others with it. */
export const PRECIOUS_KINDS: ReadonlySet<string> = kindNames(({ isPrecious }) => isPrecious)

/** A new hook and a changed one are read before new objects: they run code. */
function riskOf({ hook, impact }: Row): number {
  const risk = risks.indexOf(impact?.risk ?? 'other')
  return hook === undefined ? risk : Math.min(risk, risks.indexOf('restart'))
}

/** What of a CRD changes is said in words; only its metadata has lines. */
function diffOf(row: Row, context: number): ResourceDiff | undefined {
  if (!isCrdRow(row)) return resourceDiff(row.before, row.after, context)
  return row.before === undefined ? undefined : resourceDiff(withoutSpec(row.before), withoutSpec(row.after), context)
}

function detailsOf(row: Row, diff: ResourceDiff | undefined, isOpen: boolean): string | undefined {
  const meaning = meaningOf(row)
  if (diff === undefined && meaning.length === 0) return undefined
  const { added, lines, omitted, removed } = diff ?? { added: 0, lines: [], omitted: 0, removed: 0 }
  const was = row.counterpart === undefined ? [] : phrase` was ${row.counterpart.name}`
  const varies = row.varies.length === 0 ? [] : phrase`, non-deterministic: ${nameList(row.varies.map(shortPath))}`
  const amount = isCrdRow(row) ? [] : phrase` (+${added} -${removed})`
  const title = phrase`${formatRef(row.ref)}${was}${amount}${varies}`
  const more = omitted === 0 ? [] : [`@@ ${omitted} more lines @@`]
  const blocks = [
    ...(meaning.length === 0 ? [] : [meaning.join('\n')]),
    ...(diff === undefined ? [] : [fence([...lines, ...more], 'diff')]),
  ]
  return details(html(title), blocks.join('\n\n'), { isOpen })
}

function meaningOf({ impact }: Row): readonly string[] {
  return impact === undefined ? [] : bulletLines(impactBullets(impact), markdown)
}

function isCrdRow({ ref }: Row): boolean {
  return isBuiltIn(ref, 'CustomResourceDefinition')
}

function withoutSpec(crd: JsonObject | undefined): JsonObject | undefined {
  if (crd === undefined) return undefined
  const { spec: _spec, ...rest } = crd
  return rest
}
