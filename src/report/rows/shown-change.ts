import type { ChangeKind, Operation } from '../../model/plan.ts'

/** What the reader sees happen to one resource. `hook`: a hook runs; its own definition is no change of the release. */
export type ShownChange = ChangeKind | 'delete' | 'hook' | 'await'

/** The change of one operation as it stands in the plan. */
export function shownChangeOf(operation: Operation): Exclude<ShownChange, 'hook'> {
  return operation.kind === 'apply' ? operation.change : operation.kind
}
