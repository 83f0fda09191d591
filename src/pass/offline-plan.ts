import type { Resource } from '../model/directives.ts'
import type { Operation, Plan } from '../model/plan.ts'
import { refKey } from '../model/ref.ts'
import { maskedPair } from '../plan/mask.ts'

/**
 * The plan as a comparison of renders: a deletion shows what was rendered in the base, without the marks of the release
 * for which the planner deletes; and nobody knows the revision that a deploy would write.
 */
export function asRendered(plan: Plan, rendered: readonly Resource[]): Plan {
  const base = new Map(rendered.map((resource) => [refKey(resource.manifest.ref), resource]))
  const shown = (operation: Operation): Operation => {
    const before = base.get(refKey(operation.ref))
    if (operation.kind !== 'delete' || operation.before === undefined || before === undefined) return operation
    return { ...operation, before: maskedPair(before, undefined, before.manifest.object).after }
  }
  const stages = plan.stages.map((stage) => ({
    ...stage,
    groups: stage.groups.map((group) => ({ ...group, ranks: group.ranks.map((rank) => rank.map(shown)) })),
  }))
  return { ...plan, stages, writesRevision: false }
}
