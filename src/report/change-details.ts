import { formatRef } from '../model/ref.ts'
import type { Verb } from '../model/verb.ts'
import { byteLength, details, fence, html } from './markdown.ts'
import { phrase } from './phrase.ts'
import { type ResourceDiff, resourceDiff } from './resource-diff.ts'
import type { Row } from './rows.ts'

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
  /** Whether short diffs are open from the start. */
  readonly mayOpen: boolean
}

/** Diffs with at most this many lines are open. Source: action-ux 2.4. */
const OPEN_UP_TO_LINES = 10

/**
 * Diffs of all rows that have one, in the order of the plan. On an install everything is new: the table says it all, and
 * so it does for a single new resource whose text nobody can compare.
 */
export function changeDetails(rows: readonly Row[], options: ChangeOptions): readonly ChangeDetails[] {
  const { verb, context, mayOpen } = options
  if (verb === 'install') return []
  return rows.flatMap((row) => {
    if (row.change === 'none' || (row.before === undefined && row.change === 'hook')) return []
    const diff = resourceDiff(row.before, row.after, context)
    if (diff === undefined) return []
    const markdown = detailsOf(row, diff, mayOpen)
    return [{ row, markdown, bytes: byteLength(markdown), rank: riskOf(row) }]
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

/** Kinds whose deletion or recreation loses data or takes others with it (issue 5, warning box). */
export const PRECIOUS_KINDS: ReadonlySet<string> = new Set([
  'PersistentVolumeClaim',
  'PersistentVolume',
  'Namespace',
  'CustomResourceDefinition',
  'StatefulSet',
])

const WORKLOADS: ReadonlySet<string> = new Set([
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'Job',
  'CronJob',
  'Pod',
])

function riskOf(row: Row): number {
  if (row.change === 'delete' || row.change === 'recreate') return 0
  if (row.ref.kind === 'CustomResourceDefinition') return 1
  if (row.hook !== undefined) return 2
  if (row.change === 'create') return 5
  return WORKLOADS.has(row.ref.kind) ? 3 : 4
}

function detailsOf(row: Row, diff: ResourceDiff, mayOpen: boolean): string {
  const title = phrase`${formatRef(row.ref)} (+${diff.added} -${diff.removed})`
  const omitted = diff.omitted === 0 ? [] : [`@@ ${diff.omitted} more lines @@`]
  const isOpen = mayOpen && row.before !== undefined && diff.lines.length <= OPEN_UP_TO_LINES
  return details(html(title), fence([...diff.lines, ...omitted], 'diff'), { isOpen })
}
