import { compareForInstall } from '../manifest/kind-order.ts'
import { isRecreated } from '../manifest/recreation.ts'
import type { Resource } from '../model/directives.ts'
import { refKey } from '../model/ref.ts'
import { rowOf } from '../model/verb.ts'
import { goalOf } from './await-goal.ts'
import { type Change, isFinished } from './change.ts'
import { liveByThen, type PlanContext, type StageContext, stageMembers } from './context.ts'
import { leftoverDeletions } from './deletion-stages.ts'
import { levelsOf } from './dependencies.ts'
import { allNotes, type Draft, type DraftRank, type DraftStage, filledStage, type Notes } from './draft.ts'
import { externalAwaits } from './external-awaits.ts'
import { applyDraft, awaitDraft, policyDeletes } from './operation-drafts.ts'
import { changesOf, contextAfter, notesOn } from './stage-changes.ts'

/**
 * Hooks and `deploy-on` resources of one stage, strictly one at a time: by weight, then kind order, then name
 * (docs/sources.md#helm-3-chart-hooks, docs/decisions/0001). Each finishes before the next starts. What policies delete
 * afterwards goes behind the last one, in reverse order, so that RBAC hooks serve later Jobs (docs/decisions/0005).
 */
export function hookStage(stage: 'pre' | 'post' | 'test', context: PlanContext): DraftStage {
  const resources = stageMembers(stage, context.input).toSorted(compareHooks)
  const { problems } = levelsOf(
    resources.map((resource, place) => ({ resource, place })),
    ({ directives }) => directives.deployDependencies,
  )
  const changes = changesOf(resources, context)
  let here = context
  const steps = resources.map((resource) => {
    const step = hookStep(resource, changes.get(resource), hookContext(resource, stage, here))
    here = contextAfter([resource], changes, here)
    return step
  })
  const groups = [...Map.groupBy(steps, ({ weight }) => weight)].map(([weight, ofWeight]) => ({
    weight,
    ranks: ofWeight.flatMap(({ ranks }) => ranks),
  }))
  const isLast = stage === rowOf(context.input.verb).stages.at(-1)
  const made = isLast && rowOf(context.input.verb).removes === true ? resources.filter(isApplied(changes)) : []
  const leftovers = leftoverDeletions(made, { ...context, stage })
  return filledStage({
    name: stage,
    groups,
    afterwards: [...steps.toReversed().map(({ deletes }) => deletes), ...leftovers.ranks],
    notes: allNotes([{ problems }, ...steps.map(({ notes }) => notes), leftovers.notes]),
  })
}

function isApplied(changes: ReadonlyMap<Resource, Change>): (resource: Resource) => boolean {
  return (resource) => changes.get(resource)?.kind === 'apply'
}

function compareHooks(a: Resource, b: Resource): number {
  return a.directives.weight - b.directives.weight || compareForInstall(a.manifest.ref, b.manifest.ref)
}

function hookContext(resource: Resource, stage: 'pre' | 'post' | 'test', context: PlanContext): StageContext {
  if (!resource.directives.isHook) return { ...context, stage }
  const { verb } = context.input
  const { event = verb } = rowOf(verb)
  return { ...context, stage, hook: stage === 'test' ? event : `${stage}-${event}` }
}

/** One hook: the waits before it, its apply, the wait for its end, and what policies delete afterwards. */
interface HookStep {
  readonly weight: number
  readonly ranks: readonly DraftRank[]
  readonly deletes: readonly Draft[]
  readonly notes: Partial<Notes>
}

function hookStep(resource: Resource, change: Change | undefined, context: StageContext): HookStep {
  const { weight } = resource.directives
  if (change?.kind !== 'apply') return { weight, ranks: [], deletes: [], notes: notesOn(resource, change) }
  const externals = externalAwaits([resource], context)
  const goal = goalOf(resource, context.stage)
  const ranks = [
    externals.rank,
    isLeftoverRunning(resource, context) ? [leftoverAwait(resource, context)] : [],
    [applyDraft(resource, change, context)],
    goal === undefined ? [] : [awaitDraft(resource, goal, context)],
  ]
  return {
    weight,
    ranks,
    deletes: policyDeletes(resource, context),
    notes: { problems: externals.problems },
  }
}

/**
 * What an earlier run of a Job or Pod without `before-creation` left behind is waited for if it still runs
 * (docs/decisions/0005).
 */
function isLeftoverRunning(resource: Resource, context: PlanContext): boolean {
  const { observed, verb } = context.input
  const live = liveByThen(resource.manifest.ref, context)
  if (live === undefined || resource.directives.deletePolicies.includes('before-creation')) return false
  return isRecreated(resource, { kept: observed.kept, verb }) && !isFinished(live)
}

/** Its result does not count: it is replaced. */
function leftoverAwait(resource: Resource, context: StageContext): Draft {
  const { operation } = awaitDraft(resource, 'complete', context)
  // An id of its own: that of the wait for the new run does not depend on this one.
  const id = `${context.stage}/await-earlier-run/${refKey(operation.ref)}`
  return { operation: { ...operation, id, failure: 'ignore', isOfEarlierRun: true } }
}
