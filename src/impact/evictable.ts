import type { BudgetChange, Evictable } from '../model/impact.ts'
import { at, type JsonObject } from '../model/object.ts'
import { type Ref, refOfObject } from '../model/ref.ts'
import { allowedDisruptions } from './disruption-budgets.ts'
import { labelsOfPods, type ReleaseObjects } from './release-objects.ts'
import { autoscalerOf } from './restart.ts'
import { selects } from './selectors.ts'

/** How many of its pods may be evicted at once, before and from now on; undefined where their number is not known. */
export function evictableOf(
  ref: Ref,
  before: JsonObject | undefined,
  after: JsonObject,
  { autoscalers, workloads }: Pick<ReleaseObjects, 'autoscalers' | 'workloads'>,
): Evictable | undefined {
  const covered = workloads.filter(
    (one) =>
      one.metadata.namespace === ref.namespace && selects(at(after, 'spec', 'selector'), labelsOfPods(one) ?? {}),
  )
  const amounts = covered.map((one) =>
    autoscalerOf(refOfObject(one), autoscalers) === undefined ? at(one, 'spec', 'replicas') : undefined,
  )
  const numbers = amounts.filter((amount) => typeof amount === 'number')
  if (before === undefined || covered.length === 0 || numbers.length < covered.length) return undefined
  const pods = numbers.reduce((sum, one) => sum + one, 0)
  const [was, is] = [before, after].map((budget) =>
    allowedDisruptions(at(budget, 'spec', 'minAvailable'), at(budget, 'spec', 'maxUnavailable'), pods),
  )
  const isOther = ['minAvailable', 'maxUnavailable'].some((key) => at(before, 'spec', key) !== at(after, 'spec', key))
  if (pods === 0 || was === undefined || is === undefined || !isOther) return undefined
  return { pods, before: Math.min(was, pods), after: Math.min(is, pods) }
}

/** What the limits alone do not tell. */
export function comparedAmounts(amounts: Evictable | undefined): BudgetChange | undefined {
  if (amounts === undefined || amounts.before === amounts.after) return undefined
  if (amounts.after === 0) return 'closed'
  return amounts.after < amounts.before ? 'tighter' : 'looser'
}
