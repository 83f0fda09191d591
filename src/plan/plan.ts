import type { KubeObject } from '../model/object.ts'
import type { Operation, Plan, Stage, Untouched } from '../model/plan.ts'
import { compareRefs, refKey } from '../model/ref.ts'
import type { StageName } from '../model/verb.ts'
import { deletionGroups, pruneGroups } from './deletions.ts'
import { hookGroups } from './hooks.ts'
import { crdGroups, mainGroups } from './main-groups.ts'
import type { PlanInput } from './plan-input.ts'
import { createPlanning, type Planning } from './planning.ts'

export interface Planned {
  readonly plan: Plan
  /** Body of each apply operation, by operation id. */
  readonly bodies: ReadonlyMap<string, KubeObject>
  /** Apply operations whose managed fields are migrated first. */
  readonly migrates: ReadonlySet<string>
}

/** Desired x previous x observed -> Plan. Pure: the same input gives the same plan, whatever its order. */
export function makePlan(input: PlanInput): Planned {
  const planning = createPlanning(input)
  const stages = stagesOf(input, planning).filter((stage) => stage.groups.length > 0)
  const untouched = [...planning.untouched, ...leftAlone(input), ...input.leftOut].sort(compareUntouched)
  const plan: Plan = {
    verb: input.verb,
    release: input.release,
    namespace: input.namespace,
    revision: input.revision,
    comparedBy: 'dry-run',
    writesRevision: hasRevision(input) && (!input.isSameAsDeployed || stages.some(isWork)),
    stages,
    untouched,
    problems: [...input.problems, ...planning.problems],
  }
  return { plan, bodies: planning.bodies, migrates: planning.migrates }
}

function stagesOf(input: PlanInput, planning: Planning): readonly Stage[] {
  const stage = (name: StageName, groups: Stage['groups']): Stage => ({ name, groups })
  switch (input.verb) {
    case 'test':
      return [stage('test', hookGroups(input, planning, 'test'))]
    case 'uninstall':
      return [
        stage('pre', hookGroups(input, planning, 'pre')),
        stage('main', mainGroups(input, planning)),
        stage('delete', deletionGroups(input, planning)),
        stage('post', hookGroups(input, planning, 'post')),
      ]
    default:
      return [
        stage('crds', crdGroups(input, planning)),
        stage('pre', hookGroups(input, planning, 'pre')),
        stage('main', mainGroups(input, planning)),
        stage('prune', pruneGroups(input, planning)),
        stage('post', hookGroups(input, planning, 'post')),
      ]
  }
}

/** Uninstall and test leave the revision that they work on. */
function hasRevision({ verb }: PlanInput): boolean {
  return verb !== 'uninstall' && verb !== 'test'
}

/** Whether executing the stage changes anything, or runs a hook. */
function isWork(stage: Stage): boolean {
  const isChange = (operation: Operation) =>
    operation.kind === 'delete'
      ? operation.onlyIf === undefined
      : operation.kind === 'apply' && operation.change !== 'none'
  const operations = stage.groups.flatMap((group) => group.ranks.flat())
  return operations.some((operation) => operation.hook !== undefined || isChange(operation))
}

function leftAlone(input: PlanInput): readonly Untouched[] {
  return input.desired.flatMap((resource): readonly Untouched[] => {
    const { directives, manifest, unusedKeys } = resource
    const unused: readonly Untouched[] =
      unusedKeys.length === 0 ? [] : [{ ref: manifest.ref, reason: 'unused-annotation', detail: unusedKeys.join(', ') }]
    if (directives.excluded) return [{ ref: manifest.ref, reason: 'excluded' }, ...unused]
    const isForVerb = directives.occasions.some((occasion) => occasion.verb === input.verb)
    const isHere = input.observed.live.has(refKey(manifest.ref))
    if (isForVerb || input.verb === 'uninstall' || input.verb === 'test') return unused
    const detail = directives.isHook ? 'hook of another event' : isHere ? 'stays as it is' : 'not created'
    return [{ ref: manifest.ref, reason: 'not-for-this-verb', detail }, ...unused]
  })
}

function compareUntouched(a: Untouched, b: Untouched): number {
  return compareRefs(a.ref, b.ref) || (a.reason < b.reason ? -1 : a.reason > b.reason ? 1 : 0)
}
