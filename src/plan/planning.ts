import type { Resource } from '../model/directives.ts'
import { type KubeObject, stringAt } from '../model/object.ts'
import type { Untouched } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import { groupOf, type Ref, refKey } from '../model/ref.ts'
import type { Payload } from './payload.ts'
import type { PlanInput } from './plan-input.ts'

/** What grows while the stages are built in their order. */
export interface Planning {
  readonly problems: Problem[]
  readonly untouched: Untouched[]
  readonly payloads: Map<string, Payload>
  /** Objects that exist at this point of the plan: live ones, and those that an earlier stage has made. */
  readonly existing: Set<string>
  /** Kinds (`group/kind`) that this plan's CRDs will serve. */
  readonly coming: ReadonlySet<string>
  readonly previous: ReadonlyMap<string, Resource>
  readonly ids: Set<string>
  /** Whether an earlier release of the run brings the object's kind or namespace. */
  readonly dependsOnEarlier: (ref: Ref) => boolean
}

export function createPlanning(input: PlanInput): Planning {
  return {
    problems: [],
    untouched: [],
    payloads: new Map(),
    existing: new Set(input.observed.live.keys()),
    coming: new Set([...kindsOfCrds(input.desired), ...input.comingKinds]),
    previous: new Map(input.previous.map((resource) => [refKey(resource.manifest.ref), resource])),
    ids: new Set(),
    dependsOnEarlier: dependsOnEarlier(input),
  }
}

/** The id, with a number behind it where the same operation stands in the plan before (a hook of two events). */
export function uniqueId(planning: Planning, id: string): string {
  let unique = id
  for (let count = 2; planning.ids.has(unique); count += 1) unique = `${id}#${count}`
  planning.ids.add(unique)
  return unique
}

function dependsOnEarlier(input: PlanInput): (ref: Ref) => boolean {
  const kinds = new Set(input.comingKinds)
  return ({ apiVersion, kind, namespace }) => {
    if (kinds.has(`${groupOf(apiVersion)}/${kind}`)) return true
    if (namespace === undefined || !input.observed.missingNamespaces.has(namespace)) return false
    return !isOwnNamespace(namespace, input)
  }
}

/** Whether a namespace that does not exist yet will be there: made by this release, or by an earlier one of the run. */
export function isNamespaceComing(namespace: string, input: PlanInput): boolean {
  return isOwnNamespace(namespace, input) || input.comingNamespaces?.includes(namespace) === true
}

function isOwnNamespace(namespace: string, input: PlanInput): boolean {
  if (namespace === input.namespace && input.options.createNamespace) return true
  return input.desired.some(({ manifest }) => manifest.ref.kind === 'Namespace' && manifest.ref.name === namespace)
}

function kindsOfCrds(resources: readonly Resource[]): ReadonlySet<string> {
  return new Set(resources.flatMap(({ manifest }) => kindOfCrd(manifest.object) ?? []))
}

/** `group/kind` of what a CRD serves; undefined for anything else. */
export function kindOfCrd(object: KubeObject): string | undefined {
  if (object.kind !== 'CustomResourceDefinition') return undefined
  const group = stringAt(object, 'spec', 'group')
  const kind = stringAt(object, 'spec', 'names', 'kind')
  return group === undefined || kind === undefined ? undefined : `${group}/${kind}`
}
