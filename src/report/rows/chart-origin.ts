import type { FetchedPart } from '../../model/chart-source.ts'
import type { Plan } from '../../model/plan.ts'

/** Where the chart itself was fetched from; undefined where it lay in the workspace. */
export function chartOrigin(plan: Plan | undefined): FetchedPart | undefined {
  return plan?.fetched?.find(({ parent }) => parent === undefined)
}
