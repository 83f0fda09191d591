import { isBuiltIn } from '../manifest/built-in-kinds.ts'
import { compareForInstall, compareForUninstall, uninstallRank } from '../manifest/kind-order.ts'
import { ownershipOf } from '../manifest/ownership.ts'
import { isKept } from '../manifest/recreation.ts'
import { isAppliedBy } from '../model/applied-by.ts'
import type { Resource } from '../model/directives.ts'
import type { Group, Reason, UntouchedReason } from '../model/plan.ts'
import { refKey } from '../model/ref.ts'
import type { PlanContext, StageContext } from './context.ts'
import { levelsOf, splitByLevel } from './dependencies.ts'
import type { DraftRank, DraftStage } from './draft.ts'
import { deleteDraft } from './operation-drafts.ts'

/** What the earlier revisions had and this one has not (docs/decisions/0008). */
export function pruneStage(context: PlanContext): DraftStage {
  const { desired, previous, verb } = context.input
  // What became a hook of another event is no longer held by the release.
  const isHeld = (resource: Resource) =>
    !resource.directives.isHook || resource.directives.ownership === 'release' || isAppliedBy(verb, resource)
  const kept = new Set(
    desired
      .filter((resource) => !resource.directives.excluded && isHeld(resource))
      .map(({ manifest }) => refKey(manifest.ref)),
  )
  const gone = previous.filter(({ manifest }) => !kept.has(refKey(manifest.ref)))
  return deletionStage(gone, { code: 'pruned' }, { ...context, stage: 'prune' })
}

/** Everything that the release owns. Source: docs/sources.md#helm-uninstall. */
export function deleteStage(context: PlanContext): DraftStage {
  return deletionStage(context.input.previous, { code: 'uninstalled' }, { ...context, stage: 'delete' })
}

/**
 * What the last stage of an uninstall makes of the release's own objects goes again at its end, in the order of a
 * deletion. What existed before that stage was left on purpose.
 */
export function leftoverDeletions(
  made: readonly Resource[],
  context: StageContext,
): Pick<DraftStage, 'notes'> & { readonly ranks: readonly DraftRank[] } {
  const leftovers = made.filter(
    ({ directives, manifest }) =>
      !context.existing.has(refKey(manifest.ref)) && !directives.deletePolicies.includes('succeeded'),
  )
  const existing = new Set([...context.existing, ...leftovers.map(({ manifest }) => refKey(manifest.ref))])
  const { groups, notes } = deletionStage(leftovers, { code: 'uninstalled' }, { ...context, existing })
  return { ranks: groups.flatMap(({ ranks }) => ranks), notes }
}

/**
 * By deletion phase, each absent before the next, then highest weight first, then uninstall kind order
 * (docs/decisions/0013).
 */
function deletionStage(resources: readonly Resource[], reason: Reason, context: StageContext): DraftStage {
  const judged = resources.map((resource) => ({ resource, left: leftReason(resource, context) }))
  const groups = deletionGroups(judged.flatMap(({ resource, left }) => (left === undefined ? [resource] : [])))
  const levels = levelsOf(
    groups.flatMap(({ members }, place) => members.map((resource) => ({ resource, place }))),
    ({ directives }) => directives.deleteDependencies,
  )
  const draft = (resource: Resource) => {
    const held = context.input.observed.live.get(refKey(resource.manifest.ref)) ?? resource.manifest.object
    return deleteDraft(resource, { reason, held }, context)
  }
  const untouched = judged.flatMap(({ resource: { manifest }, left }) =>
    left === undefined || left === 'absent' ? [] : [{ ref: manifest.ref, reason: left }],
  )
  return {
    name: context.stage,
    groups: groups.map(({ members, ...place }) => ({
      ...place,
      ranks: splitByLevel(members, levels)
        .flatMap(splitByUninstallKind)
        .map((rank) => rank.map(draft)),
    })),
    notes: { problems: levels.problems, untouched },
  }
}

interface DeletionGroup extends Pick<Group, 'weight' | 'deletionPhase'> {
  readonly members: readonly Resource[]
}

function deletionGroups(resources: readonly Resource[]): readonly DeletionGroup[] {
  const sorted = resources.toSorted(
    (a, b) => a.directives.deletionPhase - b.directives.deletionPhase || b.directives.weight - a.directives.weight,
  )
  const groups = Map.groupBy(sorted, ({ directives }) => `${directives.deletionPhase}/${directives.weight}`)
  return [...groups.values()].flatMap((members) => {
    const [first] = members
    if (first === undefined) return []
    const { deletionPhase, weight } = first.directives
    return [{ weight, ...(deletionPhase === 0 ? {} : { deletionPhase }), members }]
  })
}

/** Why a resource of an earlier revision is not deleted, or undefined where it is. */
function leftReason(resource: Resource, context: StageContext): UntouchedReason | 'absent' | undefined {
  const { input, stage } = context
  const { directives, manifest } = resource
  const key = refKey(manifest.ref)
  if (!context.existing.has(key) || directives.ownership === 'anyone') return 'absent'
  if (isKept(resource, input.observed.kept) || directives.leaveOnDelete === true) return 'kept'
  if (stage === 'prune' && directives.keepOnPrune) return 'kept'
  // The namespace of the release holds its record: it is never deleted (docs/decisions/0007).
  if (isBuiltIn(manifest.ref, 'Namespace') && manifest.ref.name === input.namespace) return 'kept'
  const live = input.observed.live.get(key)
  // What was not there before, an earlier stage has made with the marks of the release.
  const owner = live && ownershipOf(live, { release: input.release, namespace: input.namespace })
  if (owner !== undefined && owner.kind !== 'ours') return 'not-owned'
  return stage === 'prune' && !input.options.prune ? 'prune-disabled' : undefined
}

function splitByUninstallKind(resources: readonly Resource[]): readonly (readonly Resource[])[] {
  const sorted = resources.toSorted(compareForDeletion)
  return [...Map.groupBy(sorted, ({ manifest }) => `${uninstallRank(manifest.ref.kind)}/${manifest.ref.kind}`).values()]
}

/** Uninstall kind order; plain manifests of KOTS in the exact reverse of their creation (docs/decisions/0013). */
function compareForDeletion(a: Resource, b: Resource): number {
  const isPhased = a.directives.isPhased && b.directives.isPhased
  return isPhased
    ? compareForInstall(b.manifest.ref, a.manifest.ref)
    : compareForUninstall(a.manifest.ref, b.manifest.ref)
}
