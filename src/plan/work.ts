import type { Operation, Stage } from '../model/plan.ts'
import { stageOperations } from '../model/stage-operations.ts'

/** Whether executing the stage changes anything, or runs a hook. */
export function isWork(stage: Stage): boolean {
  return runsHook(stage) || changesObjects(stage)
}

export function runsHook(stage: Stage): boolean {
  return stageOperations(stage).some(({ hook }) => hook !== undefined)
}

/** Hooks do not count: they run whether the release changes or not. */
export function changesObjects(stage: Stage): boolean {
  return stageOperations(stage).some((operation) => operation.hook === undefined && changesAnything(operation))
}

/** Whether a run without failures deletes the object. */
export function isDeletedOnSuccess(operation: Operation): boolean {
  return operation.kind === 'delete' && operation.onlyIf !== 'failed'
}

function changesAnything(operation: Operation): boolean {
  if (operation.kind === 'delete') return operation.onlyIf === undefined
  return operation.kind === 'apply' && operation.change !== 'none'
}
