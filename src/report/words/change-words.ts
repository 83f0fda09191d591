import { unreachable } from '../../model/unreachable.ts'
import type { ShownChange } from '../rows/shown-change.ts'

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
