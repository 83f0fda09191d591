import type { Plan } from '../../model/plan.ts'
import { type Counts, type CountsInWords, countInWords, hasChanges } from '../rows/counts.ts'

/** What a plan comes to: its counts, or that it is blocked, because counts of half a plan would mislead. */
export function planVerdict(plan: Plan): string {
  const errors = plan.problems.filter(({ severity }) => severity === 'error').length
  if (errors === 0) return [...countedText(plan), ...recordEndText(plan)].join(', ')
  return `blocked by ${errors} ${errors === 1 ? 'problem' : 'problems'}`
}

/** Nothing, where the end of the record is all that there is. */
function countedText(plan: Plan): readonly string[] {
  const counts = countInWords(plan)
  return plan.recordEnd === undefined ? [countsText(counts)] : countParts(counts)
}

function recordEndText({ recordEnd }: Plan): readonly string[] {
  if (recordEnd === undefined) return []
  return [recordEnd === 'removed' ? 'release history to remove' : 'release history to keep']
}

/** `2 to create, 1 to update, 41 unchanged, 3 hooks to run`; begins with `no changes` where the release stays as it is. */
export function countsText(counts: CountsInWords): string {
  const parts = countParts(counts)
  return (hasChanges(counts) ? parts : ['no changes', ...parts]).join(', ')
}

/** Every count that is not zero, in words. What is renamed or replaced is not counted again among what comes and goes. */
export function countParts(counts: CountsInWords): readonly string[] {
  const { renamed = 0, replaced = 0 } = counts
  const { create, delete: gone } = withoutPairs(counts)
  return [
    create > 0 ? `${create} to create` : '',
    counts.update > 0 ? `${counts.update} to update` : '',
    counts.recreate > 0 ? `${counts.recreate} to recreate` : '',
    replaced > 0 ? `${replaced} to replace` : '',
    gone > 0 ? `${gone} to delete` : '',
    renamed > 0 ? `${renamed} to rename (created anew, the old ${renamed === 1 ? 'one' : 'ones'} deleted)` : '',
    counts.unchanged > 0 ? `${counts.unchanged} unchanged` : '',
    counts.hooks > 0 ? `${counts.hooks} ${counts.hooks === 1 ? 'hook' : 'hooks'} to run` : '',
  ].filter((part) => part !== '')
}

/** `2 created, 1 updated, 41 unchanged, 3 hooks run`. */
export function countsDone(counts: CountsInWords): string {
  const { renamed = 0, replaced = 0 } = counts
  const { create, delete: gone } = withoutPairs(counts)
  const parts = [
    create > 0 ? `${create} created` : '',
    counts.update > 0 ? `${counts.update} updated` : '',
    counts.recreate > 0 ? `${counts.recreate} recreated` : '',
    replaced > 0 ? `${replaced} replaced` : '',
    gone > 0 ? `${gone} deleted` : '',
    renamed > 0 ? `${renamed} renamed` : '',
    hasChanges(counts) ? '' : 'nothing changed',
    counts.unchanged > 0 ? `${counts.unchanged} unchanged` : '',
    counts.hooks > 0 ? `${counts.hooks} ${counts.hooks === 1 ? 'hook' : 'hooks'} run` : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

/** What comes and what goes for itself. */
function withoutPairs({
  create,
  delete: gone,
  renamed = 0,
  replaced = 0,
}: CountsInWords): Pick<Counts, 'create' | 'delete'> {
  const pairs = renamed + replaced
  return { create: Math.max(0, create - pairs), delete: Math.max(0, gone - pairs) }
}
