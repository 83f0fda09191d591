import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import type { ComparedBy, Plan, RevisionCause, Stage } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import type { Ref } from '../model/ref.ts'
import { unreachable } from '../model/unreachable.ts'
import { isRevisionVerb, rowOf, type StageName } from '../model/verb.ts'
import { assembled } from './assembled.ts'
import { contextOf, type PlanContext, withCrdChange } from './context.ts'
import { crdStage } from './crd-stage.ts'
import { deleteStage, pruneStage } from './deletion-stages.ts'
import { allNotes, type Draft, type DraftStage, existingAfter, type Payload } from './draft.ts'
import { otherHooksOf, withHookChanges } from './hook-changes.ts'
import { hookStage } from './hook-stage.ts'
import { immutableWarnings } from './immutable-warnings.ts'
import { compareUntouched, goneHook, leftAlone } from './left-alone.ts'
import { mainStage } from './main-stage.ts'
import type { PlanInput } from './plan-input.ts'
import { quotaProblems } from './quota.ts'
import { withRenamings } from './renamings.ts'
import { changesObjects, runsHook } from './work.ts'

export interface Planned {
  readonly plan: Plan
  /** Of each apply operation, by operation id. */
  readonly payloads: ReadonlyMap<string, Payload>
  /** Those that `plan.changedHooks` names. */
  readonly changedHooks: readonly Resource[]
  /** Hooks of other events, and what only other verbs deploy, that are as the revision before has them. */
  readonly unchangedHooks: readonly Resource[]
  /** Those that `plan.goneHooks` names. */
  readonly goneHooks: readonly Resource[]
}

/** Desired x previous x observed -> Plan. Pure: the same input gives the same plan, whatever its order. */
export function makePlan(input: PlanInput): Planned {
  const context = contextOf(input)
  const drafts = draftStages(context)
  const { stages: staged, payloads } = assembled(drafts, input.hideNames)
  const stages = withRenamings(staged, payloads, context)
  const { problems, untouched } = allNotes(drafts.map(({ notes }) => notes))
  const { changed: changedHooks, predecessors, unchanged: unchangedHooks, gone: goneHooks } = otherHooksOf(input)
  const others = { changed: changedHooks, predecessors, releases: context.releases }
  const plan: Plan = {
    verb: input.verb,
    release: input.release,
    namespace: input.namespace,
    revision: input.revision,
    comparedBy: comparedBy(input),
    ...revisionOf(input, stages),
    stages: withHookChanges(stages, context),
    ...(changedHooks.length === 0 ? {} : { changedHooks: changedHooks.map(({ manifest }) => manifest.ref) }),
    ...(goneHooks.length === 0 ? {} : { goneHooks: goneHooks.map(({ manifest }) => manifest.ref) }),
    ...defined({ recordEnd: input.recordEnd, fetched: input.fetched }),
    untouched: [...untouched, ...leftAlone(input, others), ...goneHooks.map(goneHook), ...input.leftOut].toSorted(
      compareUntouched,
    ),
    problems: [
      ...input.problems,
      ...listedOnce(problems),
      ...quotaProblems(stages, payloads, input),
      ...immutableWarnings(stages),
    ],
  }
  return { plan, payloads, changedHooks, unchangedHooks, goneHooks }
}

/** Whether a revision is written, and why where no object changes. */
function revisionOf(
  { revisionCauses, verb }: PlanInput,
  stages: readonly Stage[],
): Pick<Plan, 'writesRevision' | 'revisionBecause'> {
  const causes: readonly RevisionCause[] = [...(stages.some(runsHook) ? ['hooks-run' as const] : []), ...revisionCauses]
  const isChange = stages.some(changesObjects)
  if (!isRevisionVerb(verb) || (!isChange && causes.length === 0)) return { writesRevision: false }
  return { writesRevision: true, ...(isChange ? {} : { revisionBecause: causes }) }
}

/** Each stage finds what the stages before it have made and deleted. */
function draftStages(first: PlanContext): readonly DraftStage[] {
  const drafts: DraftStage[] = []
  let context = first
  for (const name of rowOf(first.input.verb).stages) {
    const draft = draftStage(name, context)
    drafts.push(draft)
    const applied = draft.groups.flatMap(({ ranks }) => ranks.flat()).flatMap(appliedObject)
    context = {
      ...context,
      existing: existingAfter(draft, context.existing),
      changedCrds: applied.reduce(withCrdChange, context.changedCrds),
      changedBefore: [...context.changedBefore, ...applied.flatMap(changedRef)],
    }
  }
  return drafts
}

function appliedObject({ operation, payload }: Draft) {
  return operation.kind === 'apply' && payload !== undefined
    ? [{ change: operation.change, object: payload.result, ref: operation.ref }]
    : []
}

function changedRef({ change, ref }: ReturnType<typeof appliedObject>[number]): readonly Ref[] {
  return change === 'none' ? [] : [ref]
}

function draftStage(name: StageName, context: PlanContext): DraftStage {
  switch (name) {
    case 'crds':
      return crdStage(context)
    case 'pre':
    case 'post':
    case 'test':
      return hookStage(name, context)
    case 'main':
      return mainStage(context)
    case 'delete':
      return deleteStage(context)
    case 'prune':
      return pruneStage(context)
    default:
      return unreachable(name)
  }
}

/** A problem of a namespace, not of one object, is listed once. */
function listedOnce(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>()
  return problems.filter(({ place, what }) => {
    const isListed = place.ref === undefined && seen.has(what)
    seen.add(what)
    return !isListed
  })
}

function comparedBy({ comparedBy: given, observed }: PlanInput): ComparedBy {
  const isWithoutDryRun = [...observed.dryRuns.values()].some(
    (answer) => answer.kind === 'accepted' && answer.isWithoutDryRun === true,
  )
  return isWithoutDryRun ? 'rendered-fields' : (given ?? 'dry-run')
}
