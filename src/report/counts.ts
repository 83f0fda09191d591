import type { Operation, Plan } from '../model/plan.ts'
import type { StageName } from '../model/verb.ts'

/** How many resources a plan creates, updates and so on. Hooks that run are counted apart. */
export interface Counts {
  readonly create: number
  readonly update: number
  readonly recreate: number
  readonly delete: number
  readonly unchanged: number
  readonly hooks: number
}

export const noCounts: Counts = { create: 0, update: 0, recreate: 0, delete: 0, unchanged: 0, hooks: 0 }

/**
 * Counts resources, not operations: a Deployment's apply and wait are one. A hook that runs, and a deletion that a
 * delete policy asks for, change nothing of the release.
 */
export function countPlan(plan: Plan): Counts {
  let counts = noCounts
  for (const stage of plan.stages) {
    for (const group of stage.groups) {
      for (const operation of group.ranks.flat()) counts = addOperation(counts, operation, stage.name)
    }
  }
  return counts
}

export function addCounts(a: Counts, b: Counts): Counts {
  return {
    create: a.create + b.create,
    update: a.update + b.update,
    recreate: a.recreate + b.recreate,
    delete: a.delete + b.delete,
    unchanged: a.unchanged + b.unchanged,
    hooks: a.hooks + b.hooks,
  }
}

/** Output `changed`: any create, update, recreate or delete, prune included. */
export function isChange(counts: Counts): boolean {
  return counts.create + counts.update + counts.recreate + counts.delete > 0
}

/** A hook of the chart in a stage of hooks. CRDs that came as hooks (Helm 2) are resources like any other CRD. */
export function isHookRun(operation: Operation, stage: StageName): boolean {
  return operation.hook !== undefined && stage !== 'crds'
}

/** What a plan comes to: its counts, or that it is blocked, because counts of half a plan would mislead. */
export function planVerdict(plan: Plan): string {
  const errors = plan.problems.filter(({ severity }) => severity === 'error').length
  if (errors === 0) return countsText(countPlan(plan))
  return `blocked by ${errors} ${errors === 1 ? 'problem' : 'problems'}`
}

/** `2 to create, 1 to update, 41 unchanged, 3 hooks to run`; begins with `no changes` where the release stays as it is. */
export function countsText(counts: Counts): string {
  const parts = countParts(counts)
  return (isChange(counts) ? parts : ['no changes', ...parts]).join(', ')
}

/** Every count that is not zero, in words. */
export function countParts(counts: Counts): readonly string[] {
  return [
    counts.create > 0 ? `${counts.create} to create` : '',
    counts.update > 0 ? `${counts.update} to update` : '',
    counts.recreate > 0 ? `${counts.recreate} to recreate` : '',
    counts.delete > 0 ? `${counts.delete} to delete` : '',
    counts.unchanged > 0 ? `${counts.unchanged} unchanged` : '',
    counts.hooks > 0 ? `${counts.hooks} ${counts.hooks === 1 ? 'hook' : 'hooks'} to run` : '',
  ].filter((part) => part !== '')
}

/** `2 created, 1 updated, 41 unchanged, 3 hooks run`. */
export function countsDone(counts: Counts): string {
  const parts = [
    counts.create > 0 ? `${counts.create} created` : '',
    counts.update > 0 ? `${counts.update} updated` : '',
    counts.recreate > 0 ? `${counts.recreate} recreated` : '',
    counts.delete > 0 ? `${counts.delete} deleted` : '',
    isChange(counts) ? '' : 'nothing changed',
    counts.unchanged > 0 ? `${counts.unchanged} unchanged` : '',
    counts.hooks > 0 ? `${counts.hooks} ${counts.hooks === 1 ? 'hook' : 'hooks'} run` : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

function addOperation(counts: Counts, operation: Operation, stage: StageName): Counts {
  if (operation.kind === 'await') return counts
  if (operation.kind === 'delete') {
    if (operation.reason.code === 'delete-policy' || isHookRun(operation, stage)) return counts
    return { ...counts, delete: counts.delete + 1 }
  }
  if (isHookRun(operation, stage)) return { ...counts, hooks: counts.hooks + 1 }
  if (operation.change === 'none') return { ...counts, unchanged: counts.unchanged + 1 }
  return { ...counts, [operation.change]: counts[operation.change] + 1 }
}
