import { changedPaths } from '../manifest/compare.ts'
import type { Resource } from '../model/directives.ts'
import type { Operation, Plan } from '../model/plan.ts'
import { refKey } from '../model/ref.ts'
import { maskedPair } from '../plan/mask.ts'

/**
 * The plan as a comparison of renders: a deletion shows what was rendered, without the marks of the release for which the
 * planner deletes; a hook, which a cluster holds only sometimes, tells whether the chart changed it; and nobody knows the
 * revision that a deploy would write.
 */
export function asRendered(
  plan: Plan,
  sides: { readonly base: readonly Resource[] | undefined; readonly head: readonly Resource[] },
): Plan {
  const base = byKey(sides.base ?? [])
  const head = byKey(sides.head)
  const shown = (operation: Operation): Operation => {
    const before = base.get(refKey(operation.ref))
    if (operation.kind === 'delete') {
      if (operation.before === undefined || before === undefined) return operation
      return { ...operation, before: maskedPair(before, undefined, before.manifest.object).after }
    }
    if (operation.kind !== 'apply' || operation.hook === undefined || sides.base === undefined) return operation
    const after = head.get(refKey(operation.ref))
    const paths = before === undefined || after === undefined ? [''] : changedByChart(before, after)
    return paths.length === 0 ? operation : { ...operation, reason: { code: 'chart-changed', paths } }
  }
  const stages = plan.stages.map((stage) => ({
    ...stage,
    groups: stage.groups.map((group) => ({ ...group, ranks: group.ranks.map((rank) => rank.map(shown)) })),
  }))
  return { ...plan, stages, writesRevision: false }
}

function byKey(resources: readonly Resource[]): ReadonlyMap<string, Resource> {
  return new Map(resources.map((resource) => [refKey(resource.manifest.ref), resource]))
}

function changedByChart(before: Resource, after: Resource): readonly string[] {
  return changedPaths(before.manifest.object, after.manifest.object).filter(
    (path) => !after.manifest.varies?.some((varying) => path === varying || varying.startsWith(`${path}/`)),
  )
}
