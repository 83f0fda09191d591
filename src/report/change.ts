import type { ChangeKind, Operation } from '../model/plan.ts'
import { unreachable } from '../model/unreachable.ts'

/** What the reader sees happen to one resource. `hook`: a hook runs; its own definition is no change of the release. */
export type ShownChange = ChangeKind | 'delete' | 'hook' | 'await'

/** One small set of signs, each always beside its word. */
export function signOf(change: ShownChange): string {
  switch (change) {
    case 'create':
      return '+'
    case 'update':
      return '~'
    case 'recreate':
      return '±'
    case 'delete':
      return '-'
    case 'none':
      return '='
    case 'hook':
    case 'await':
      return '>'
    default:
      return unreachable(change)
  }
}

export function wordOf(change: ShownChange): string {
  switch (change) {
    case 'none':
      return 'unchanged'
    case 'hook':
      return 'run'
    case 'await':
      return 'wait'
    default:
      return change
  }
}

/** The change of one operation as it stands in the plan. */
export function changeOf(operation: Operation): Exclude<ShownChange, 'hook'> {
  return operation.kind === 'apply' ? operation.change : operation.kind
}
