import type { Plan, RevisionCause } from '../../model/plan.ts'

/**
 * Why a revision is written although no object changes: ` because the values and the notes changed`. Empty where one
 * changes, and of a blocked plan; that hooks run, and that it is the first one, is said anyway. `end`: behind it.
 */
export function revisionBecauseText({ problems, revisionBecause = [] }: Plan, end = ''): string {
  if (problems.some(({ severity }) => severity === 'error')) return ''
  const told = revisionBecause.flatMap((cause) => causeWords[cause] ?? [])
  const clauses = told.flatMap((words) => ('clause' in words ? [words.clause] : []))
  const changed = told.flatMap((words) => ('changed' in words ? [words.changed] : []))
  const all = changed.length === 0 ? clauses : [...clauses, `${listed(changed)} changed`]
  return all.length === 0 ? '' : ` because ${listed(all)}${end}`
}

/** A clause of its own, or what changed. */
type CauseWords = { readonly clause: string } | { readonly changed: string }

const causeWords: Readonly<Record<RevisionCause, CauseWords | undefined>> = {
  'hooks-run': undefined,
  'first-revision': undefined,
  'last-not-deployed': { clause: 'the last one is not deployed' },
  'other-revision': { clause: 'it is not the newest that is restored' },
  'chart-version': { changed: "the chart's version" },
  chart: { changed: 'files of the chart' },
  values: { changed: 'the values' },
  manifest: { changed: 'documents that this deploy leaves alone' },
  hooks: { changed: 'hooks' },
  'test-hooks': { changed: 'test hooks' },
  notes: { changed: 'the notes' },
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
