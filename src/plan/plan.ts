import type { Resource } from '../model/directives.ts'
import type { KubeObject } from '../model/object.ts'
import type { Observed } from '../model/observed.ts'
import type { Operation, Plan, Stage, Untouched } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import { compareRefs, refKey } from '../model/ref.ts'
import type { ServedKind } from '../model/served.ts'
import type { StageName, Verb } from '../model/verb.ts'
import { deletionGroups, pruneGroups } from './deletions.ts'
import { hookGroups } from './hooks.ts'
import { crdGroups, mainGroups } from './main-groups.ts'
import { createPlanning, type Planning } from './planning.ts'

export interface PlanInput {
  readonly verb: Verb
  readonly release: string
  readonly namespace: string
  readonly revision: number
  /** Everything that the release shall hold: a new render, an old revision, or nothing. */
  readonly desired: readonly Resource[]
  /** What the last deployed revision and failed ones after it held. */
  readonly previous: readonly Resource[]
  readonly observed: Observed
  readonly served: readonly ServedKind[]
  readonly options: PlanOptions
  /** The newest revision is deployed and was made from the same chart, values and notes. */
  readonly isSameAsDeployed: boolean
  /** Problems found before; the plan carries them on. */
  readonly problems: readonly Problem[]
}

export interface PlanOptions {
  /** False: resources of `main` count as ready once applied. Hooks, external dependencies and barriers still block. */
  readonly wait: boolean
  readonly prune: boolean
  readonly takeOwnership: boolean
  readonly createNamespace: boolean
}

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
  const untouched = [...planning.untouched, ...leftAlone(input)].sort(compareUntouched)
  const plan: Plan = {
    verb: input.verb,
    release: input.release,
    namespace: input.namespace,
    revision: input.revision,
    writesRevision: !input.isSameAsDeployed || stages.some((stage) => isWork(stage)),
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
