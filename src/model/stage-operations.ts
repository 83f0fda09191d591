import type { Operation, Stage } from './plan.ts'

/** In their order. */
export function stageOperations({ groups }: Stage): readonly Operation[] {
  return groups.flatMap((group) => group.ranks.flat())
}
