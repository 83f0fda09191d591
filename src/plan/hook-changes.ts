import type { Releases } from '../impact/release-objects.ts'
import { builtInKind } from '../manifest/built-in-kinds.ts'
import { isAppliedBy } from '../model/applied-by.ts'
import type { Resource } from '../model/directives.ts'
import type { ApplyOperation, Operation, Stage } from '../model/plan.ts'
import { compareRefs, refKey } from '../model/ref.ts'
import { isRevisionVerb } from '../model/verb.ts'
import type { PlanContext } from './context.ts'
import type { PlanInput } from './plan-input.ts'
import { changedByChart, predecessorsOf } from './predecessors.ts'
import { renamedObjects } from './renamed-objects.ts'
import { reviewed } from './reviewed.ts'

/**
 * The stages with the changes that the chart made to their hooks. A hook is compared with the record of the last
 * revision: the cluster holds it only sometimes.
 */
export function withHookChanges(
  stages: readonly Stage[],
  { input: { desired, previousHooks }, releases }: Pick<PlanContext, 'input' | 'releases'>,
): readonly Stage[] {
  if (previousHooks === undefined) return stages
  const hooks = desired.filter(isHook)
  const old = predecessorsOf(hooks, previousHooks)
  const stayed = new Set(old.values())
  const renamed = renamedObjects(
    hooks.filter((hook) => !old.has(hook)),
    previousHooks.filter((hook) => isHook(hook) && !stayed.has(hook)),
  )
  const now = new Map(desired.map((resource) => [refKey(resource.manifest.ref), resource]))
  const shown = (operation: Operation): Operation => {
    if (operation.kind !== 'apply' || operation.hook === undefined) return operation
    const after = now.get(refKey(operation.ref))
    if (after === undefined) return operation
    const predecessor = renamed.get(after)
    if (predecessor === undefined) return compared(operation, old.get(after), after, releases)
    const { object, resource } = predecessor
    const before = { ...resource, manifest: { ...resource.manifest, object } }
    const isSame = changedByChart(before, after).length === 0
    const renamedFrom = { ref: resource.manifest.ref, ...(isSame ? { isSame } : {}) }
    return { ...compared(operation, before, after, releases), renamedFrom }
  }
  return stages.map((stage) => ({
    ...stage,
    groups: stage.groups.map((group) => ({ ...group, ranks: group.ranks.map((rank) => rank.map(shown)) })),
  }))
}

/**
 * Hooks that do not run now, and what only other verbs deploy (`werf.io/deploy-on`), by whether they differ from those of the revision
 * before. They are in no stage, but the new revision records them: `helm test`, a rollback and later verbs run them.
 */
export function otherHooksOf({ previous, previousHooks, desired, verb }: PlanInput): {
  readonly changed: readonly Resource[]
  /** What stood in the place of those that changed; none of what is new. */
  readonly predecessors: ReadonlyMap<Resource, Resource>
  readonly unchanged: readonly Resource[]
  /** Hooks of any event that the new revision does not have any more. */
  readonly gone: readonly Resource[]
} {
  if (!isRevisionVerb(verb)) return { changed: [], predecessors: new Map(), unchanged: [], gone: [] }
  const others = desired
    .filter((one) => !one.directives.excluded && !isAppliedBy(verb, one))
    .toSorted((a, b) => compareRefs(a.manifest.ref, b.manifest.ref))
  const old = predecessorsOf(
    others.filter((one) => !isHook(one)),
    previous.filter((one) => !isHook(one)),
  )
  const hooks = hookDifferences(previousHooks ?? [], desired)
  // Of one that is no hook any more an operation says what becomes of it.
  const kept = new Set(desired.map(({ manifest }) => refKey(manifest.ref)))
  const differing = new Set([...hooks.changed, ...others.filter((one) => !isHook(one) && isChanged(old.get(one), one))])
  return {
    changed: others.filter((hook) => differing.has(hook)),
    predecessors: new Map([...old, ...hooks.predecessors]),
    unchanged: others.filter((hook) => !differing.has(hook)),
    gone: hooks.gone
      .filter(({ manifest }) => !kept.has(refKey(manifest.ref)))
      .toSorted((a, b) => compareRefs(a.manifest.ref, b.manifest.ref)),
  }
}

/** The hooks among `desired` that are new or that the chart changed, and the previous ones that it no longer has. */
export function hookDifferences(
  previousHooks: readonly Resource[],
  desired: readonly Resource[],
): {
  readonly changed: readonly Resource[]
  readonly predecessors: ReadonlyMap<Resource, Resource>
  readonly gone: readonly Resource[]
} {
  const hooks = desired.filter(isHook)
  const old = predecessorsOf(hooks, previousHooks)
  const changed = hooks.filter((hook) => isChanged(old.get(hook), hook))
  const stayed = new Set(old.values())
  return { changed, predecessors: old, gone: previousHooks.filter((hook) => isHook(hook) && !stayed.has(hook)) }
}

function isChanged(before: Resource | undefined, after: Resource): boolean {
  return before === undefined || changedByChart(before, after).length > 0
}

function isHook({ directives }: Resource): boolean {
  return directives.isHook
}

function compared(
  operation: ApplyOperation,
  before: Resource | undefined,
  after: Resource,
  releases: Releases,
): ApplyOperation {
  const about = { isDrifted: false, releases, ...(isGate(operation, after) && { runsFirst: true }) }
  // `unknown-until-applied` stays: an approval compares such a hook as it was rendered.
  const isUnknown = operation.reason.code === 'unknown-until-applied'
  if (before === undefined) {
    const { impact } = reviewed(after, { after: after.manifest.object }, { ...about, change: 'create' })
    return { ...operation, impact, ...(isUnknown ? {} : { reason: { code: 'new' } }) }
  }
  const paths = changedByChart(before, after)
  if (paths.length === 0) return unchanged(operation)
  const real = { before: before.manifest.object, after: after.manifest.object }
  const shown = reviewed(after, real, { ...about, change: 'run' })
  return { ...operation, ...shown, ...(isUnknown ? {} : { reason: { code: 'chart-changed', paths } }) }
}

/** Nothing goes on where it fails. */
function isGate({ hook }: ApplyOperation, { directives, manifest }: Resource): boolean {
  const kind = builtInKind(manifest.ref)
  const isRun = kind?.runsToEnd === true || kind?.kind === 'Pod'
  return isRun && hook?.startsWith('pre-') === true && directives.failMode !== 'ignore'
}

/** The chart did not change it; it is new to the cluster only. */
function unchanged(operation: ApplyOperation): ApplyOperation {
  return operation.reason.code === 'new' ? { ...operation, reason: { code: 'unchanged' } } : operation
}
