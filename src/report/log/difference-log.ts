import type { ApprovedPlan, Plan, PlanDifference } from '../../model/plan.ts'
import { differenceLines } from '../words/plan-differences.ts'
import { printable } from '../words/printable.ts'
import type { LogAction } from './log.ts'

/** How the plan differs from the approved one, resource by resource. Not folded: it is why the run stopped. */
export function differenceLog(
  differences: readonly PlanDifference[],
  plan: Plan | undefined,
  approved?: ApprovedPlan,
): readonly LogAction[] {
  const lines = ['how the plan differs from the approved one:', ...differenceLines(differences, plan, approved)]
  return lines.map((text) => ({ kind: 'line', text: printable(text) }))
}
