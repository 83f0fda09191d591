import { compareForInstall } from '../manifest/kind-order.ts'
import { runsToItsEnd } from '../manifest/recreation.ts'
import type { Resource } from '../model/directives.ts'
import type { Group, Operation } from '../model/plan.ts'
import { compareRefs, refKey } from '../model/ref.ts'
import { rowOf } from '../model/verb.ts'
import { goalOf } from './awaits.ts'
import { applicableChange, isFinished } from './change.ts'
import { levelsOf } from './dependencies.ts'
import { externalAwaits } from './external.ts'
import { applyOperation, awaitOperation, policyDeletes, type Spot } from './operations.ts'
import type { PlanInput } from './plan-input.ts'
import type { Planning } from './planning.ts'

/**
 * Hooks and `deploy-on` resources of one stage, strictly one at a time: by weight, then kind order, then name
 * (docs/sources.md#helm-3-chart-hooks, docs/decisions/0001). Each finishes before the next starts. What policies delete
 * afterwards goes behind the last one, in reverse order, so that RBAC hooks serve later Jobs (docs/decisions/0005).
 */
export function hookGroups(input: PlanInput, planning: Planning, stage: 'pre' | 'post' | 'test'): readonly Group[] {
  const resources = input.desired
    .filter(({ directives }) => !directives.excluded && directives.occasions.some(isAt(input, stage)))
    .toSorted(compareHooks)
  const levels = levelsOf(
    resources.map((resource, place) => ({ resource, place })),
    ({ directives }) => directives.deployDependencies,
  )
  planning.problems.push(...levels.problems)
  const groups: { weight: number; ranks: Operation[][] }[] = []
  const cleanup: Operation[][] = []
  for (const resource of resources) {
    const spot = spotOf(resource, input, stage)
    const ranks = ranksOf(resource, spot, { input, planning })
    if (ranks.length === 0) continue
    const last = groups.at(-1)
    if (last?.weight === resource.directives.weight) last.ranks.push(...ranks)
    else groups.push({ weight: resource.directives.weight, ranks: [...ranks] })
    const deletes = policyDeletes(resource, spot, { input, planning })
    if (deletes.length > 0) cleanup.unshift([...deletes])
  }
  groups.at(-1)?.ranks.push(...cleanup)
  return groups
}

function isAt(input: PlanInput, stage: string) {
  return (occasion: { readonly verb: string; readonly stage: string }) =>
    occasion.verb === input.verb && occasion.stage === stage
}

function compareHooks(a: Resource, b: Resource): number {
  return (
    a.directives.weight - b.directives.weight ||
    compareForInstall(a.manifest.ref, b.manifest.ref) ||
    compareRefs(a.manifest.ref, b.manifest.ref)
  )
}

function spotOf(resource: Resource, input: PlanInput, stage: 'pre' | 'post' | 'test'): Spot {
  if (!resource.directives.isHook) return { stage }
  const { event } = rowOf(input.verb)
  return { stage, hook: stage === 'test' ? event : `${stage}-${event}` }
}

function ranksOf(
  resource: Resource,
  spot: Spot,
  context: { readonly input: PlanInput; readonly planning: Planning },
): readonly Operation[][] {
  const { input, planning } = context
  const change = applicableChange(resource, input, planning)
  if (change === undefined) return []
  const goal = goalOf(resource, spot.stage)
  const ranks: Operation[][] = []
  const externals = externalAwaits([resource], spot, context)
  if (externals.length > 0) ranks.push([...externals])
  if (isLeftoverRunning(resource, context)) {
    // How the old one ends is no matter: it is replaced.
    ranks.push([{ ...awaitOperation(resource, 'complete', spot, planning), failure: 'ignore' }])
  }
  ranks.push([applyOperation(resource, change, spot, context)])
  if (goal !== undefined) ranks.push([awaitOperation(resource, goal, spot, planning)])
  return ranks
}

/**
 * What an earlier run of a hook without `before-hook-creation` left behind is waited for if it still runs
 * (docs/decisions/0005).
 */
function isLeftoverRunning(
  resource: Resource,
  { input, planning }: { readonly input: PlanInput; readonly planning: Planning },
): boolean {
  const key = refKey(resource.manifest.ref)
  const live = planning.existing.has(key) ? input.observed.live.get(key) : undefined
  if (live === undefined || resource.directives.deletePolicies.includes('before-creation')) return false
  return resource.directives.isHook && runsToItsEnd(resource) && !isFinished(live)
}
