import { goalOf } from './await-goal.ts'
import type { StageContext } from './context.ts'
import type { ApplyDraft, DraftRank } from './draft.ts'
import { awaitDraft } from './operation-drafts.ts'

/** Waits for what was applied, where it is waited for at all. */
export function awaitsOf(applies: readonly ApplyDraft[], context: StageContext): DraftRank {
  return applies.flatMap(({ payload: { resource } }) => {
    const goal = goalOf(resource, context.stage)
    if (goal === undefined || (goal === 'ready' && !context.input.options.wait)) return []
    return [awaitDraft(resource, goal, context)]
  })
}
