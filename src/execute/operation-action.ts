import type { AwaitGoal, Operation } from '../model/plan.ts'

const GOALS: { readonly [goal in AwaitGoal]: string } = {
  ready: 'wait for readiness',
  complete: 'wait for completion',
  failed: 'wait for the failure that the hook expects',
  established: 'wait until the kind is served',
  readable: 'wait until it can be read',
  properties: 'wait for properties',
}

/** What an operation does, in the infinitive, for failures. */
export function actionOf(operation: Operation): string {
  if (operation.kind === 'await') return GOALS[operation.until]
  if (operation.kind === 'delete') return 'delete'
  return operation.change === 'recreate' ? 'recreate' : 'apply'
}
