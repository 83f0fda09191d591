import { compareForInstall } from '../manifest/kind-order.ts'
import { awaitsOf } from './awaits.ts'
import { type PlanContext, stageMembers } from './context.ts'
import { allNotes, type DraftStage, filledStage } from './draft.ts'
import { appliesOf, changesOf, notesOn } from './stage-changes.ts'

/** CRDs of `crds/` directories and Helm 2's `crd-install`: by weight, each group established before the next. */
export function crdStage(planContext: PlanContext): DraftStage {
  const context = { ...planContext, stage: 'crds' as const }
  const members = stageMembers('crds', context.input).toSorted(
    (a, b) => a.directives.weight - b.directives.weight || compareForInstall(a.manifest.ref, b.manifest.ref),
  )
  const changes = changesOf(members, context)
  const byWeight = Map.groupBy(members, ({ directives }) => directives.weight)
  const groups = [...byWeight].map(([weight, ofWeight]) => {
    const applies = appliesOf(ofWeight, changes, context)
    return { weight, ranks: [applies, awaitsOf(applies, context)] }
  })
  const notes = allNotes(members.map((resource) => notesOn(resource, changes.get(resource))))
  return filledStage({ name: 'crds', groups, notes })
}
