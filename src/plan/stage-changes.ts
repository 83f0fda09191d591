import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import type { KubeObject } from '../model/object.ts'
import { refKey } from '../model/ref.ts'
import { type Change, plannedChange } from './change.ts'
import { type PlanContext, type StageContext, withCrdChange } from './context.ts'
import type { ApplyDraft, Notes } from './draft.ts'
import { applyDraft } from './operation-drafts.ts'

/**
 * What to do with each resource of a stage, given in the order in which the stage applies them: a CRD serves only what
 * comes after it.
 */
export function changesOf(resources: readonly Resource[], context: PlanContext): ReadonlyMap<Resource, Change> {
  const existing = new Set(context.existing)
  let { changedCrds } = context
  const changedBefore = [...context.changedBefore]
  const changes = new Map<Resource, Change>()
  for (const resource of resources) {
    const change = plannedChange(resource, { ...context, existing, changedCrds, changedBefore })
    if (change.kind === 'apply') {
      existing.add(refKey(resource.manifest.ref))
      if (change.change !== 'none') changedBefore.push(resource.manifest.ref)
      const object = change.result ?? bodyOf(resource, context)
      changedCrds = withCrdChange(changedCrds, { change: change.change, object })
    }
    changes.set(resource, change)
  }
  return changes
}

function bodyOf({ manifest }: Resource, { input }: PlanContext): KubeObject {
  return input.observed.bodies.get(refKey(manifest.ref)) ?? manifest.object
}

/** As what comes behind these resources of the same stage finds it. */
export function contextAfter<C extends PlanContext>(
  resources: readonly Resource[],
  changes: ReadonlyMap<Resource, Change>,
  context: C,
): C {
  const made = resources.filter((resource) => changes.get(resource)?.kind === 'apply')
  return { ...context, existing: new Set([...context.existing, ...made.map(({ manifest }) => refKey(manifest.ref))]) }
}

/** Applies of those that are not left out. */
export function appliesOf(
  resources: readonly Resource[],
  changes: ReadonlyMap<Resource, Change>,
  context: StageContext,
): readonly ApplyDraft[] {
  return resources.flatMap((resource) => {
    const change = changes.get(resource)
    return change?.kind === 'apply' ? [applyDraft(resource, change, context)] : []
  })
}

/** Why nothing is done. */
export function notesOn({ manifest: { ref } }: Resource, change: Change | undefined): Partial<Notes> {
  if (change?.kind === 'blocked') return { problems: [change.problem] }
  if (change?.kind !== 'leave') return {}
  const { reason, detail } = change
  return { untouched: [{ ref, reason, ...defined({ detail }) }] }
}
