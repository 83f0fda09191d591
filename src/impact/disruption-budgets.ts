import { defined } from '../model/defined.ts'
import type { Budget, BudgetChange } from '../model/impact.ts'
import { at, type JsonObject, type JsonValue, type KubeObject } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import { labelsOfPods } from './release-objects.ts'
import { scaled } from './rollout.ts'
import { selects } from './selectors.ts'

/** The PodDisruptionBudget of the workload's namespace that covers its pods. */
export function budgetOf(ref: Ref, workload: JsonObject, budgets: readonly KubeObject[]): KubeObject | undefined {
  const labels = labelsOfPods(workload) ?? {}
  return budgets.find(
    (budget) => budget.metadata.namespace === ref.namespace && selects(at(budget, 'spec', 'selector'), labels),
  )
}

/**
 * What the budget asks for, and whether an update that takes away so many pods at once keeps it: it is not made to, as
 * budgets limit evictions only. Source: docs/sources.md#kubernetes-rollouts.
 */
export function budgetFacts(
  budget: KubeObject,
  { replicas, unavailable }: { readonly replicas: number | undefined; readonly unavailable: number | undefined },
): Budget {
  const [min, max] = [at(budget, 'spec', 'minAvailable'), at(budget, 'spec', 'maxUnavailable')]
  const allowed = replicas === undefined ? undefined : allowedDisruptions(min, max, replicas)
  return {
    name: budget.metadata.name ?? '',
    ...defined({ minAvailable: limitText(min), maxUnavailable: limitText(max) }),
    ...(allowed === undefined || unavailable === undefined ? {} : { isKept: unavailable <= allowed }),
    ...(replicas !== undefined && allowed !== undefined && unavailable !== undefined && unavailable > allowed
      ? { exceeded: { pods: replicas, down: Math.min(unavailable, replicas), allowed } }
      : {}),
  }
}

/** How a PodDisruptionBudget changes what may be evicted; undefined where it does not, or where that depends on the pods. */
export function budgetChange(before: JsonObject | undefined, after: JsonObject): BudgetChange | undefined {
  if (isClosed(after)) return before !== undefined && isClosed(before) ? undefined : 'closed'
  if (before === undefined) return undefined
  const min = comparedLimits(at(before, 'spec', 'minAvailable'), at(after, 'spec', 'minAvailable'))
  const max = comparedLimits(at(before, 'spec', 'maxUnavailable'), at(after, 'spec', 'maxUnavailable'))
  // More that must be available is tighter, more that may be missing looser.
  if (min !== 0 && max === 0) return min > 0 ? 'tighter' : 'looser'
  return max !== 0 && min === 0 ? (max > 0 ? 'looser' : 'tighter') : undefined
}

export function allowedDisruptions(
  min: JsonValue | undefined,
  max: JsonValue | undefined,
  replicas: number,
): number | undefined {
  if (max !== undefined) return scaled(max, replicas, Math.ceil)
  const needed = scaled(min, replicas, Math.ceil)
  return needed === undefined ? undefined : Math.max(replicas - needed, 0)
}

/** Whatever the number of pods, none may be evicted. */
function isClosed(budget: JsonObject): boolean {
  const max = at(budget, 'spec', 'maxUnavailable')
  return at(budget, 'spec', 'minAvailable') === '100%' || max === 0 || max === '0%'
}

/** The sign of the change; 0 where both are the same, or cannot be compared without the number of pods. */
function comparedLimits(before: JsonValue | undefined, after: JsonValue | undefined): number {
  const isSameUnit = typeof before === typeof after
  const [old, now] = [scaled(before, 100, (share) => share), scaled(after, 100, (share) => share)]
  return isSameUnit && old !== undefined && now !== undefined ? Math.sign(now - old) : 0
}

function limitText(limit: JsonValue | undefined): string | undefined {
  return typeof limit === 'number' || typeof limit === 'string' ? String(limit) : undefined
}
