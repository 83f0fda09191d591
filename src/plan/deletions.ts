import { builtInKind } from '../manifest/built-in-kinds.ts'
import { compareForInstall, compareForUninstall, uninstallRank } from '../manifest/kind-order.ts'
import { ownershipOf } from '../manifest/ownership.ts'
import { isKept } from '../manifest/recreation.ts'
import type { Resource } from '../model/directives.ts'
import type { JsonObject } from '../model/object.ts'
import type { Group, Reason, UntouchedReason } from '../model/plan.ts'
import { compareRefs, refKey } from '../model/ref.ts'
import { type Levels, levelsOf } from './dependencies.ts'
import { maskedPair } from './mask.ts'
import { deleteOperation, type Spot } from './operations.ts'
import type { PlanInput } from './plan-input.ts'
import type { Planning } from './planning.ts'

/** What the earlier revisions had and this one has not (docs/decisions/0008). */
export function pruneGroups(input: PlanInput, planning: Planning): readonly Group[] {
  const desired = new Set(
    input.desired.filter(({ directives }) => !directives.excluded).map(({ manifest }) => refKey(manifest.ref)),
  )
  const gone = input.previous.filter(({ manifest }) => !desired.has(refKey(manifest.ref)))
  return groupsOf(gone, { stage: 'prune' }, { code: 'pruned' }, { input, planning })
}

/** Everything that the release owns. Source: docs/sources.md#helm-uninstall. */
export function deletionGroups(input: PlanInput, planning: Planning): readonly Group[] {
  return groupsOf(input.previous, { stage: 'delete' }, { code: 'uninstalled' }, { input, planning })
}

/**
 * By deletion phase, each absent before the next, then highest weight first, then uninstall kind order
 * (docs/decisions/0013).
 */
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
  const byPlace = [
    ...Map.groupBy(mayGo, ({ directives }) => `${directives.deletionPhase}/${directives.weight}`).values(),
  ]
    .flatMap((members) => (members[0] === undefined ? [] : [{ members, directives: members[0].directives }]))
    .toSorted(
      (a, b) => a.directives.deletionPhase - b.directives.deletionPhase || b.directives.weight - a.directives.weight,
    )
  const levels = levelsOf(
    byPlace.flatMap(({ members }, place) => members.map((resource) => ({ resource, place }))),
    ({ directives }) => directives.deleteDependencies,
  )
  planning.problems.push(...levels.problems)
  return byPlace.map(({ members, directives }) => ({
    weight: directives.weight,
    ...(directives.deletionPhase === 0 ? {} : { deletionPhase: directives.deletionPhase }),
    ranks: splitByLevel(members, levels)
      .flatMap(splitByKind)
      .map((rank) =>
        rank.map((resource) => ({
          ...deleteOperation(resource, reason, spot, planning),
          ...heldBefore(resource, spot, context.input),
        })),
      ),
  }))
}

/** What an object held whose place another one may take: hashes in names make a new object of each change. */
function heldBefore(resource: Resource, { stage }: Spot, { observed }: PlanInput): { readonly before?: JsonObject } {
  const { ref } = resource.manifest
  const live = observed.live.get(refKey(ref))
  if (stage !== 'prune' || live === undefined || builtInKind(ref)?.isNamedByHash !== true) return {}
  return { before: maskedPair(resource, undefined, live).after }
}

function splitByLevel(members: readonly Resource[], levels: Levels): readonly (readonly Resource[])[] {
  return [...Map.groupBy(members, ({ manifest }) => levels.levelOf(manifest.ref)).entries()]
    .toSorted(([a], [b]) => a - b)
    .map(([, ofLevel]) => ofLevel)
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
  if (isKept(resource, input.observed.kept) || directives.leaveOnDelete === true) return 'kept'
  if (spot.stage === 'prune' && directives.keepOnPrune) return 'kept'
  // The namespace of the release holds its record: it is never deleted (docs/decisions/0007).
  if (manifest.ref.kind === 'Namespace' && manifest.ref.name === input.namespace) return 'kept'
  const owner = ownershipOf(live, { release: input.release, namespace: input.namespace })
  if (owner.kind !== 'ours') return 'not-owned'
  return spot.stage === 'prune' && !input.options.prune ? 'prune-disabled' : undefined
}

function splitByKind(resources: readonly Resource[]): readonly (readonly Resource[])[] {
  const sorted = resources.toSorted(compareForDeletion)
  return [...Map.groupBy(sorted, ({ manifest }) => `${uninstallRank(manifest.ref.kind)}/${manifest.ref.kind}`).values()]
}

/** Uninstall kind order; plain manifests of KOTS in the exact reverse of their creation (docs/decisions/0013). */
function compareForDeletion(a: Resource, b: Resource): number {
  const isPhased = a.directives.isPhased && b.directives.isPhased
  const byKind = isPhased
    ? compareForInstall(b.manifest.ref, a.manifest.ref)
    : compareForUninstall(a.manifest.ref, b.manifest.ref)
  return byKind || compareRefs(a.manifest.ref, b.manifest.ref)
}
