import { compareForInstall, installRank } from '../manifest/kind-order.ts'
import type { Resource } from '../model/directives.ts'
import type { Group, Operation } from '../model/plan.ts'
import { compareRefs } from '../model/ref.ts'
import { goalOf } from './awaits.ts'
import { applicableChange } from './change.ts'
import { externalAwaits } from './external.ts'
import { applyOperation, awaitOperation, policyDeletes, type Spot } from './operations.ts'
import type { PlanInput } from './plan-input.ts'
import type { Planning } from './planning.ts'

interface Context {
  readonly input: PlanInput
  readonly planning: Planning
}

/** CRDs of `crds/` directories and Helm 2's `crd-install`: by weight, each group established before the next. */
export function crdGroups(input: PlanInput, planning: Planning): readonly Group[] {
  const spot: Spot = { stage: 'crds' }
  return groupsOf(input, 'crds', (members) => {
    const applies = appliesOf(members, spot, { input, planning })
    return [applies.map(({ operation }) => operation), awaitsOf(applies, spot, { input, planning })]
  })
}

/**
 * Weight groups, lowest first (`sources/werf-deployment-order.ru.md`): external dependencies, then the kinds in install
 * order with the members of a kind in parallel, then everything is tracked at once, then what policies delete.
 */
export function mainGroups(input: PlanInput, planning: Planning): readonly Group[] {
  const spot: Spot = { stage: 'main' }
  const context = { input, planning }
  return groupsOf(input, 'main', (members) => {
    const externals = externalAwaits(members, spot, context)
    const kinds = splitByKind(members).map((ofKind) => appliesOf(ofKind, spot, context))
    const applies = kinds.flat()
    const isCrd = ({ resource }: Applied) => resource.manifest.ref.kind === 'CustomResourceDefinition'
    const ranks = kinds.flatMap((ofKind) => {
      const rank = ofKind.map(({ operation }) => operation)
      // Custom resources of the same group need their kind served.
      return ofKind.some(isCrd) ? [rank, awaitsOf(ofKind, spot, context)] : [rank]
    })
    const tracked = awaitsOf(
      applies.filter((applied) => !isCrd(applied)),
      spot,
      context,
    )
    const deletes = applies.toReversed().map(({ resource }) => policyDeletes(resource, spot, context))
    return [externals, ...ranks, tracked, deletes.flat()]
  })
}

function groupsOf(
  input: PlanInput,
  stage: 'crds' | 'main',
  ranksOf: (members: readonly Resource[]) => readonly (readonly Operation[])[],
): readonly Group[] {
  const members = input.desired.filter(
    ({ directives }) =>
      !directives.excluded &&
      directives.occasions.some((occasion) => occasion.verb === input.verb && occasion.stage === stage),
  )
  const byWeight = Map.groupBy(members, ({ directives }) => directives.weight)
  return [...byWeight.entries()]
    .toSorted(([a], [b]) => a - b)
    .map(([weight, ofWeight]) => ({ weight, ranks: ranksOf(ofWeight).filter((rank) => rank.length > 0) }))
    .filter((group) => group.ranks.length > 0)
}

interface Applied {
  readonly resource: Resource
  readonly operation: Operation
}

function appliesOf(resources: readonly Resource[], spot: Spot, context: Context): readonly Applied[] {
  return resources.toSorted(compareResources).flatMap((resource) => {
    const change = applicableChange(resource, context.input, context.planning)
    return change === undefined ? [] : [{ resource, operation: applyOperation(resource, change, spot, context) }]
  })
}

function awaitsOf(applies: readonly Applied[], spot: Spot, context: Context): readonly Operation[] {
  return applies.flatMap(({ resource }) => {
    const goal = goalOf(resource, spot.stage)
    if (goal === undefined || (goal === 'ready' && !context.input.options.wait)) return []
    return [awaitOperation(resource, goal, spot, context.planning)]
  })
}

function splitByKind(resources: readonly Resource[]): readonly (readonly Resource[])[] {
  const sorted = resources.toSorted(compareResources)
  return [...Map.groupBy(sorted, ({ manifest }) => `${installRank(manifest.ref.kind)}/${manifest.ref.kind}`).values()]
}

function compareResources(a: Resource, b: Resource): number {
  return compareForInstall(a.manifest.ref, b.manifest.ref) || compareRefs(a.manifest.ref, b.manifest.ref)
}
