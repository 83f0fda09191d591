import type { ApprovedPlan, Plan, PlanDifference } from '../model/plan.ts'
import { differenceLines } from './differences.ts'
import type { LogAction } from './log.ts'
import { printable } from './printable.ts'

/** What is not as it was approved, resource by resource, as a group of the log. */
export function differenceLog(
  differences: readonly PlanDifference[],
  plan: Plan | undefined,
  approved?: ApprovedPlan,
): readonly LogAction[] {
  const lines = differenceLines(differences, plan, approved).map(
    (text) => ({ kind: 'line', text: printable(text) }) as const,
  )
  return [{ kind: 'group-start', title: 'how the plan differs from the approved one' }, ...lines, { kind: 'group-end' }]
}
