import type { PassResult } from '../../model/pass.ts'
import type { ApplyOperation, DeleteOperation, Operation, Plan } from '../../model/plan.ts'
import { refKey } from '../../model/ref.ts'
import { stageOperations } from '../../model/stage-operations.ts'
import type { StageName, Verb } from '../../model/verb.ts'
import { withRenamedPairs } from './renamed-pairs.ts'
import { shownChangeOf } from './shown-change.ts'

/** How many resources a plan creates, updates and so on. Hooks that run are counted apart. */
export interface Counts {
  readonly create: number
  readonly update: number
  readonly recreate: number
  readonly delete: number
  readonly unchanged: number
  readonly hooks: number
}

export interface CountsInWords extends Counts {
  /** Objects that come back under another name: of `create` as many, and of `delete`. */
  readonly renamed?: number
  /** Workloads in whose place one of another kind comes, under the same name: of `create` as many, and of `delete`. */
  readonly replaced?: number
}

export const noCounts: Counts = { create: 0, update: 0, recreate: 0, delete: 0, unchanged: 0, hooks: 0 }

/**
 * Counts resources, not operations: a Deployment's apply and wait are one. A hook that runs, and a deletion that a
 * delete policy asks for, change nothing of the release.
 */
export function countPlan(plan: Plan): Counts {
  let counts = noCounts
  for (const stage of plan.stages) {
    for (const operation of stageOperations(stage)) counts = addOperation(counts, operation, stage.name)
  }
  return counts
}

export function addCounts(a: CountsInWords, b: CountsInWords): CountsInWords {
  return {
    create: a.create + b.create,
    update: a.update + b.update,
    recreate: a.recreate + b.recreate,
    delete: a.delete + b.delete,
    unchanged: a.unchanged + b.unchanged,
    hooks: a.hooks + b.hooks,
    renamed: (a.renamed ?? 0) + (b.renamed ?? 0),
    replaced: (a.replaced ?? 0) + (b.replaced ?? 0),
  }
}

/** Output `changed`: any create, update, recreate or delete, prune included. */
export function hasChanges(counts: Counts): boolean {
  return counts.create + counts.update + counts.recreate + counts.delete > 0
}

/** A hook of the chart in a stage of hooks. CRDs that came as hooks (Helm 2) are resources like any other CRD. */
export function isHookRun(operation: Operation, stage: StageName): boolean {
  return operation.hook !== undefined && stage !== 'crds'
}

/** A hook that the chart brings: known of upgrades only, whose hooks are compared with those of the last revision. */
export function isNewHook(operation: Operation, verb: Verb): boolean {
  if (operation.kind !== 'apply' || operation.hook === undefined) return false
  return verb === 'upgrade' && operation.reason.code === 'new'
}

/** Nothing, where the pass has no plan. */
export function countsOf(pass: PassResult): CountsInWords {
  return pass.plan === undefined ? noCounts : countInWords(pass.plan)
}

/** With what is renamed or replaced: two operations, and to the reader one object. */
export function countInWords(plan: Plan): CountsInWords {
  const counted = plan.stages.flatMap((stage) =>
    stageOperations(stage).filter((operation) => countsAlone(operation, stage.name)),
  )
  const rows = withRenamedPairs(counted.map((operation) => ({ ...operation, change: shownChangeOf(operation) })))
  const gone = rows.filter(({ change }) => change === 'delete')
  const names = new Set(gone.map(({ ref }) => refKey(ref)))
  const renamed = rows.filter(
    ({ change, counterpart }) => change === 'create' && counterpart !== undefined && names.has(refKey(counterpart)),
  )
  return {
    ...countPlan(plan),
    renamed: renamed.length,
    replaced: gone.filter(({ otherKind }) => otherKind !== undefined).length,
  }
}

/** What changes one object of the release. */
function countsAlone(operation: Operation, stage: StageName): operation is ApplyOperation | DeleteOperation {
  if (operation.kind === 'await' || isHookRun(operation, stage)) return false
  return operation.kind === 'apply' || operation.reason.code !== 'delete-policy'
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
