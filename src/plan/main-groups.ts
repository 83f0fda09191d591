import { compareForInstall, installRank } from '../manifest/kind-order.ts'
import type { Resource } from '../model/directives.ts'
import type { Group, Operation } from '../model/plan.ts'
import { compareRefs, refKey } from '../model/ref.ts'
import { goalOf } from './awaits.ts'
import { applicableChange } from './change.ts'
import { type Levels, levelsOf } from './dependencies.ts'
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
 * Weight groups, lowest first (docs/sources.md#werf-deployment-order): external dependencies, then the kinds in install
 * order with the members of a kind in parallel, then everything is tracked at once, then what policies delete.
 * Dependencies between resources split a group into levels. KOTS' barriers stand right behind their resource, and what
 * has only a phase of KOTS is tracked at the end of the stage (docs/decisions/0003).
 */
export function mainGroups(input: PlanInput, planning: Planning): readonly Group[] {
  const context = { input, planning }
  const members = membersOf(input, 'main')
  const levels = levelsOf(
    members.map((resource) => ({ resource, place: resource.directives.weight })),
    ({ directives }) => directives.deployDependencies,
  )
  planning.problems.push(...levels.problems)
  const late: Applied[] = []
  const groups = groupsOf(input, 'main', (ofWeight) => mainRanks(ofWeight, levels, late, context))
  const lateRanks = [awaitsOf(late, main, context), deletesOf(late, main, context)].filter((rank) => rank.length > 0)
  return groups.map((group, index) =>
    index === groups.length - 1 ? { ...group, ranks: [...group.ranks, ...lateRanks] } : group,
  )
}

const main: Spot = { stage: 'main' }

function mainRanks(
  members: readonly Resource[],
  levels: Levels,
  late: Applied[],
  context: Context,
): readonly (readonly Operation[])[] {
  const byLevel = [...Map.groupBy(members, ({ manifest }) => levels.levelOf(manifest.ref)).entries()].toSorted(
    ([a], [b]) => a - b,
  )
  const ranks: (readonly Operation[])[] = [externalAwaits(members, main, context)]
  const done: Applied[] = []
  const open: Applied[] = []
  for (const [, ofLevel] of byLevel) {
    for (const ofKind of splitByKind(ofLevel)) {
      for (const run of splitAtBarriers(ofKind)) {
        const applies = appliesOf(run, main, context)
        ranks.push(applies.map(({ operation }) => operation))
        // Custom resources of the same group need their kind served.
        ranks.push(awaitsOf(applies.filter(isCrd), main, context))
        ranks.push(...applies.flatMap((applied) => barrierRanks(applied, context)))
        done.push(...applies)
        open.push(...applies.filter((applied) => !isCrd(applied) && !applied.resource.directives.isReadyBarrier))
      }
    }
    const needed = open.filter(({ resource }) => levels.awaited.has(refKey(resource.manifest.ref)))
    ranks.push(needed.flatMap(({ resource }) => readyAwait(resource, context)))
    for (const applied of needed) open.splice(open.indexOf(applied), 1)
  }
  const isPhased = ({ resource }: Applied) => resource.directives.isPhased
  late.push(...open.filter(isPhased))
  const tracked = open.filter((applied) => !isPhased(applied))
  const deletes = deletesOf(
    done.filter((applied) => !isPhased(applied)),
    main,
    context,
  )
  return [...ranks, awaitsOf(tracked, main, context), deletes]
}

function isCrd({ resource }: Applied): boolean {
  return resource.manifest.ref.kind === 'CustomResourceDefinition'
}

/** The members of a kind up to one with a barrier, which nothing may pass; then the next ones. */
function splitAtBarriers(members: readonly Resource[]): readonly (readonly Resource[])[] {
  const runs: Resource[][] = [[]]
  for (const member of members) {
    runs.at(-1)?.push(member)
    const { isReadyBarrier, propertyWaits } = member.directives
    if (isReadyBarrier || propertyWaits.length > 0) runs.push([])
  }
  return runs.filter((run) => run.length > 0)
}

/** `wait-for-ready`, then `wait-for-properties`, each done before anything else starts (docs/sources.md#kots-waits). */
function barrierRanks({ resource }: Applied, context: Context): readonly (readonly Operation[])[] {
  const { isReadyBarrier, propertyWaits } = resource.directives
  const goal = goalOf(resource, 'main') ?? 'readable'
  return [
    isReadyBarrier ? [awaitOperation(resource, goal, main, context.planning)] : [],
    propertyWaits.length > 0 ? [awaitOperation(resource, 'properties', main, context.planning)] : [],
  ]
}

/** Something depends on it being ready, so it is waited for also where `wait` is false. */
function readyAwait(resource: Resource, { planning }: Context): readonly Operation[] {
  const goal = goalOf(resource, 'main')
  return goal === undefined ? [] : [awaitOperation(resource, goal, main, planning)]
}

function deletesOf(applies: readonly Applied[], spot: Spot, context: Context): readonly Operation[] {
  return applies.toReversed().flatMap(({ resource }) => policyDeletes(resource, spot, context))
}

function membersOf(input: PlanInput, stage: 'crds' | 'main'): readonly Resource[] {
  return input.desired.filter(
    ({ directives }) =>
      !directives.excluded &&
      directives.occasions.some((occasion) => occasion.verb === input.verb && occasion.stage === stage),
  )
}

function groupsOf(
  input: PlanInput,
  stage: 'crds' | 'main',
  ranksOf: (members: readonly Resource[]) => readonly (readonly Operation[])[],
): readonly Group[] {
  const byWeight = Map.groupBy(membersOf(input, stage), ({ directives }) => directives.weight)
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
