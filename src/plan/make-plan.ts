import type { Resource } from '../model/directives.ts'
import type { ComparedBy, Plan, Stage, Untouched } from '../model/plan.ts'
import { compareRefs, refKey } from '../model/ref.ts'
import { unreachable } from '../model/unreachable.ts'
import { isRevisionVerb, rowOf, type StageName } from '../model/verb.ts'
import { deletionGroups, pruneGroups } from './deletions.ts'
import { changedHooksOf, withHookChanges } from './hook-changes.ts'
import { hookGroups } from './hooks.ts'
import { crdGroups, mainGroups } from './main-groups.ts'
import type { Payload } from './payload.ts'
import type { PlanInput } from './plan-input.ts'
import { createPlanning, type Planning } from './planning.ts'
import { quotaProblems } from './quota.ts'
import { isWork } from './work.ts'

export interface Planned {
  readonly plan: Plan
  /** Of each apply operation, by operation id. */
  readonly payloads: ReadonlyMap<string, Payload>
  /** Those that `plan.changedHooks` names. */
  readonly changedHooks: readonly Resource[]
}

/** Desired x previous x observed -> Plan. Pure: the same input gives the same plan, whatever its order. */
export function makePlan(input: PlanInput): Planned {
  const planning = createPlanning(input)
  const stages = stagesOf(input, planning).filter((stage) => stage.groups.length > 0)
  const untouched = [...planning.untouched, ...leftAlone(input), ...input.leftOut].sort(compareUntouched)
  const changedHooks = isRevisionVerb(input.verb) ? changedHooksOf(input) : []
  const plan: Plan = {
    verb: input.verb,
    release: input.release,
    namespace: input.namespace,
    revision: input.revision,
    comparedBy: comparedBy(input),
    writesRevision: isRevisionVerb(input.verb) && (!input.isSameAsDeployed || stages.some(isWork)),
    stages,
    ...(changedHooks.length === 0 ? {} : { changedHooks: changedHooks.map(({ manifest }) => manifest.ref) }),
    untouched,
    problems: [...input.problems, ...planning.problems],
  }
  const { payloads } = planning
  const known = { quotas: input.observed.quotas ?? [], served: input.served }
  const problems = [...plan.problems, ...quotaProblems(plan, payloads, known)]
  return { plan: { ...withHookChanges(plan, input), problems }, payloads, changedHooks }
}

function stagesOf(input: PlanInput, planning: Planning): readonly Stage[] {
  return rowOf(input.verb).stages.map((name) => ({ name, groups: groupsOf(name, input, planning) }))
}

function groupsOf(stage: StageName, input: PlanInput, planning: Planning): Stage['groups'] {
  switch (stage) {
    case 'crds':
      return crdGroups(input, planning)
    case 'pre':
    case 'post':
    case 'test':
      return hookGroups(input, planning, stage)
    case 'main':
      return mainGroups(input, planning)
    case 'delete':
      return deletionGroups(input, planning)
    case 'prune':
      return pruneGroups(input, planning)
    default:
      return unreachable(stage)
  }
}

function comparedBy({ comparedBy: given, observed }: PlanInput): ComparedBy {
  const isWithoutDryRun = [...observed.dryRuns.values()].some(
    (answer) => answer.kind === 'accepted' && answer.isWithoutDryRun === true,
  )
  return isWithoutDryRun ? 'rendered-fields' : (given ?? 'dry-run')
}

function leftAlone(input: PlanInput): readonly Untouched[] {
  return input.desired.flatMap((resource): readonly Untouched[] => {
    const { directives, manifest, unusedKeys } = resource
    const unused: readonly Untouched[] =
      unusedKeys.length === 0 ? [] : [{ ref: manifest.ref, reason: 'unused-annotation', detail: unusedKeys.join(', ') }]
    if (directives.excluded) return [{ ref: manifest.ref, reason: 'excluded' }, ...unused]
    const isForVerb = directives.occasions.some((occasion) => occasion.verb === input.verb)
    const isHere = input.observed.live.has(refKey(manifest.ref))
    if (isForVerb || !isRevisionVerb(input.verb)) return unused
    const detail = directives.isHook ? hookDetail(resource, input) : isHere ? 'stays as it is' : 'not created'
    return [{ ref: manifest.ref, reason: 'not-for-this-verb', detail }, ...unused]
  })
}

function hookDetail(hook: Resource, input: PlanInput): string {
  const isChanged = input.previousHooks !== undefined && changedHooksOf({ ...input, desired: [hook] }).length > 0
  return isChanged ? 'hook of another event, changed by the chart' : 'hook of another event'
}

function compareUntouched(a: Untouched, b: Untouched): number {
  return compareRefs(a.ref, b.ref) || (a.reason < b.reason ? -1 : a.reason > b.reason ? 1 : 0)
}
