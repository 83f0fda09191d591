import { isBuiltIn } from '../manifest/built-in-kinds.ts'
import { compareForInstall, installRank } from '../manifest/kind-order.ts'
import type { Resource } from '../model/directives.ts'
import { refKey } from '../model/ref.ts'
import { goalOf } from './await-goal.ts'
import { awaitsOf } from './awaits.ts'
import type { Change } from './change.ts'
import { type PlanContext, type StageContext, stageMembers } from './context.ts'
import { type Levels, levelsOf, splitByLevel } from './dependencies.ts'
import { type ApplyDraft, allNotes, type DraftRank, type DraftStage, filledStage, type Notes } from './draft.ts'
import { externalAwaits } from './external-awaits.ts'
import { awaitDraft, policyDeletes } from './operation-drafts.ts'
import { appliesOf, changesOf, contextAfter, notesOn } from './stage-changes.ts'

/** What the groups of the stage share. */
interface Main {
  readonly levels: Levels
  readonly changes: ReadonlyMap<Resource, Change>
  readonly context: StageContext
}

/**
 * Weight groups, lowest first (docs/sources.md#werf-deployment-order): external dependencies, then the kinds in install
 * order with the members of a kind in parallel, then everything is tracked at once, then what policies delete.
 * Dependencies between resources split a group into levels. KOTS' barriers stand right behind their resource, and what
 * has only a phase of KOTS is tracked at the end of the stage (docs/decisions/0003).
 */
export function mainStage(planContext: PlanContext): DraftStage {
  const context: StageContext = { ...planContext, stage: 'main' }
  const members = stageMembers('main', context.input)
  const levels = levelsOf(
    members.map((resource) => ({ resource, place: resource.directives.weight })),
    ({ directives }) => directives.deployDependencies,
  )
  const byWeight = [...Map.groupBy(members, ({ directives }) => directives.weight)].toSorted(([a], [b]) => a - b)
  const changes = changesOf(
    byWeight.flatMap(([, ofWeight]) => inApplyOrder(ofWeight, levels)),
    context,
  )
  let here = context
  const groups = byWeight.map(([weight, ofWeight]) => {
    const group = mainGroup(ofWeight, { levels, changes, context: here })
    here = contextAfter(ofWeight, changes, here)
    return { weight, ...group }
  })
  const phased = groups.flatMap((group) => group.phased.applies)
  const untracked = groups.flatMap((group) => group.phased.untracked)
  return filledStage({
    name: 'main',
    groups: groups.map(({ weight, ranks }) => ({ weight, ranks })),
    afterwards: [awaitsOf(untracked, context), deletesOf(phased, context)],
    notes: allNotes([{ problems: levels.problems }, ...groups.map(({ notes }) => notes)]),
  })
}

interface MainGroup {
  readonly ranks: readonly DraftRank[]
  /** What has only a phase of KOTS: it is tracked, and deleted by its policies, at the end of the stage. */
  readonly phased: Pick<LevelDraft, 'applies' | 'untracked'>
  readonly notes: Notes
}

function mainGroup(members: readonly Resource[], main: Main): MainGroup {
  const { changes, context, levels } = main
  const externals = externalAwaits(members, context)
  const perLevel = splitByLevel(members, levels).map((ofLevel) => levelDraft(ofLevel, main))
  const untracked = perLevel.flatMap((level) => level.untracked)
  const applies = perLevel.flatMap((level) => level.applies)
  const ranks = [
    externals.rank,
    ...perLevel.flatMap((level) => level.ranks),
    awaitsOf(untracked.filter(isUnphased), context),
    deletesOf(applies.filter(isUnphased), context),
  ]
  const notes = inApplyOrder(members, levels).map((resource) => notesOn(resource, changes.get(resource)))
  return {
    ranks,
    phased: { applies: applies.filter(isPhased), untracked: untracked.filter(isPhased) },
    notes: allNotes([{ problems: externals.problems }, ...notes]),
  }
}

interface LevelDraft {
  readonly ranks: readonly DraftRank[]
  readonly applies: readonly ApplyDraft[]
  /** Those of `applies` for which none of the ranks waits. */
  readonly untracked: readonly ApplyDraft[]
}

function levelDraft(members: readonly Resource[], { changes, context, levels }: Main): LevelDraft {
  const runs = splitByInstallKind(members)
    .flatMap(splitAtBarriers)
    .map((run) => appliesOf(run, changes, context))
  const applies = runs.flat()
  const open = applies.filter((applied) => !isCrdApply(applied) && !applied.payload.resource.directives.isReadyBarrier)
  const isNeeded = ({ operation }: ApplyDraft) => levels.awaited.has(refKey(operation.ref))
  const ranks = runs.flatMap((run) => [
    run,
    // Custom resources of the same group need their kind served.
    awaitsOf(run.filter(isCrdApply), context),
    ...run.flatMap((applied) => barrierRanks(applied, context)),
  ])
  return {
    ranks: [...ranks, open.filter(isNeeded).flatMap((applied) => readyAwait(applied, context))],
    applies,
    untracked: open.filter((applied) => !isNeeded(applied)),
  }
}

function isPhased({ payload }: ApplyDraft): boolean {
  return payload.resource.directives.isPhased
}

function isUnphased(applied: ApplyDraft): boolean {
  return !isPhased(applied)
}

function isCrdApply({ operation }: ApplyDraft): boolean {
  return isBuiltIn(operation.ref, 'CustomResourceDefinition')
}

function splitByInstallKind(resources: readonly Resource[]): readonly (readonly Resource[])[] {
  const sorted = resources.toSorted(compareResources)
  return [...Map.groupBy(sorted, ({ manifest }) => `${installRank(manifest.ref.kind)}/${manifest.ref.kind}`).values()]
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
function barrierRanks({ payload: { resource } }: ApplyDraft, context: StageContext): readonly DraftRank[] {
  const { isReadyBarrier, propertyWaits } = resource.directives
  const goal = goalOf(resource, 'main') ?? 'readable'
  return [
    isReadyBarrier ? [awaitDraft(resource, goal, context)] : [],
    propertyWaits.length > 0 ? [awaitDraft(resource, 'properties', context)] : [],
  ]
}

/** Something depends on it being ready, so it is waited for also where `wait` is false. */
function readyAwait({ payload: { resource } }: ApplyDraft, context: StageContext): DraftRank {
  const goal = goalOf(resource, 'main')
  return goal === undefined ? [] : [awaitDraft(resource, goal, context)]
}

function deletesOf(applies: readonly ApplyDraft[], context: StageContext): DraftRank {
  return applies.toReversed().flatMap(({ payload }) => policyDeletes(payload.resource, context))
}

/** The members of a weight group as they are applied. */
function inApplyOrder(members: readonly Resource[], levels: Levels): readonly Resource[] {
  return splitByLevel(members, levels).flatMap((ofLevel) => ofLevel.toSorted(compareResources))
}

function compareResources(a: Resource, b: Resource): number {
  return compareForInstall(a.manifest.ref, b.manifest.ref)
}
