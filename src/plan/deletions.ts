import { compareForUninstall, uninstallRank } from '../manifest/kind-order.ts'
import { ownershipOf } from '../manifest/ownership.ts'
import { isKept } from '../manifest/recreation.ts'
import type { Resource } from '../model/directives.ts'
import type { Group, Reason, UntouchedReason } from '../model/plan.ts'
import { compareRefs, refKey } from '../model/ref.ts'
import { deleteOperation, type Spot } from './operations.ts'
import type { PlanInput } from './plan-input.ts'
import type { Planning } from './planning.ts'

/** What the earlier revisions had and this one has not (design decision 8). */
export function pruneGroups(input: PlanInput, planning: Planning): readonly Group[] {
  const desired = new Set(
    input.desired.filter(({ directives }) => !directives.excluded).map(({ manifest }) => refKey(manifest.ref)),
  )
  const gone = input.previous.filter(({ manifest }) => !desired.has(refKey(manifest.ref)))
  return groupsOf(gone, { stage: 'prune' }, { code: 'pruned' }, { input, planning })
}

/** Everything that the release owns. Source: engine-semantics A9. */
export function deletionGroups(input: PlanInput, planning: Planning): readonly Group[] {
  return groupsOf(input.previous, { stage: 'delete' }, { code: 'uninstalled' }, { input, planning })
}

/** By deletion phase, each absent before the next, then highest weight first, then uninstall kind order (design 2). */
function groupsOf(
  resources: readonly Resource[],
  spot: Spot,
  reason: Reason,
  context: { readonly input: PlanInput; readonly planning: Planning },
): readonly Group[] {
  const { planning } = context
  const mayGo = resources.filter((resource) => {
    const left = leftReason(resource, spot, context)
    if (left === undefined) return true
    if (left !== 'absent') planning.untouched.push({ ref: resource.manifest.ref, reason: left })
    return false
  })
  const byPlace = Map.groupBy(mayGo, ({ directives }) => `${directives.deletionPhase}/${directives.weight}`)
  return [...byPlace.values()]
    .map((members) => ({ members, directives: members[0]?.directives }))
    .toSorted(
      (a, b) =>
        (a.directives?.deletionPhase ?? 0) - (b.directives?.deletionPhase ?? 0) ||
        (b.directives?.weight ?? 0) - (a.directives?.weight ?? 0),
    )
    .map(({ members, directives }) => ({
      weight: directives?.weight ?? 0,
      ...(directives === undefined || directives.deletionPhase === 0
        ? {}
        : { deletionPhase: directives.deletionPhase }),
      ranks: splitByKind(members).map((rank) =>
        rank.map((resource) => deleteOperation(resource, reason, spot, planning)),
      ),
    }))
}

/** Why a resource of an earlier revision is not deleted, or undefined where it is. */
function leftReason(
  resource: Resource,
  spot: Spot,
  { input }: { readonly input: PlanInput },
): UntouchedReason | 'absent' | undefined {
  const { directives, manifest } = resource
  const live = input.observed.live.get(refKey(manifest.ref))
  if (live === undefined || directives.ownership === 'anyone') return 'absent'
  if (isKept(resource, live) || (spot.stage === 'prune' && directives.keepOnPrune)) return 'kept'
  // The namespace of the release holds its record: it is never deleted (design decision 7).
  if (manifest.ref.kind === 'Namespace' && manifest.ref.name === input.namespace) return 'kept'
  const owner = ownershipOf(live, { release: input.release, namespace: input.namespace })
  if (owner.kind !== 'ours') return 'not-owned'
  return spot.stage === 'prune' && !input.options.prune ? 'prune-disabled' : undefined
}

function splitByKind(resources: readonly Resource[]): readonly (readonly Resource[])[] {
  const sorted = resources.toSorted(
    (a, b) => compareForUninstall(a.manifest.ref, b.manifest.ref) || compareRefs(a.manifest.ref, b.manifest.ref),
  )
  return [...Map.groupBy(sorted, ({ manifest }) => `${uninstallRank(manifest.ref.kind)}/${manifest.ref.kind}`).values()]
}
