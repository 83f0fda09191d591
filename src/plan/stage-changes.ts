import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import { refKey } from '../model/ref.ts'
import { type Change, plannedChange } from './change.ts'
import type { PlanContext, StageContext } from './context.ts'
import type { ApplyDraft, Notes } from './draft.ts'
import { applyDraft } from './operation-drafts.ts'

/**
 * What to do with each resource of a stage, given in the order in which the stage applies them: a CRD serves only what
 * comes after it.
 */
export function changesOf(resources: readonly Resource[], context: PlanContext): ReadonlyMap<Resource, Change> {
  const existing = new Set(context.existing)
  const byThen = { ...context, existing }
  const changes = new Map<Resource, Change>()
  for (const resource of resources) {
    const change = plannedChange(resource, byThen)
    if (change.kind === 'apply') existing.add(refKey(resource.manifest.ref))
    changes.set(resource, change)
  }
  return changes
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
