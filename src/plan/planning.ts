import type { Resource } from '../model/directives.ts'
import { type KubeObject, stringAt } from '../model/object.ts'
import type { Untouched } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import { refKey } from '../model/ref.ts'
import type { PlanInput } from './plan-input.ts'

/** What grows while the stages are built in their order. */
export interface Planning {
  readonly problems: Problem[]
  readonly untouched: Untouched[]
  readonly bodies: Map<string, KubeObject>
  readonly migrates: Set<string>
  /** Objects that exist at this point of the plan: live ones, and those that an earlier stage has made. */
  readonly existing: Set<string>
  /** Kinds (`group/kind`) that this plan's CRDs will serve. */
  readonly coming: ReadonlySet<string>
  readonly previous: ReadonlyMap<string, Resource>
  readonly ids: Set<string>
}

export function createPlanning(input: PlanInput): Planning {
  return {
    problems: [],
    untouched: [],
    bodies: new Map(),
    migrates: new Set(),
    existing: new Set(input.observed.live.keys()),
    coming: new Set([...kindsOfCrds(input.desired), ...input.comingKinds]),
    previous: new Map(input.previous.map((resource) => [refKey(resource.manifest.ref), resource])),
    ids: new Set(),
  }
}

/** The id, with a number behind it where the same operation stands in the plan before (a hook of two events). */
export function uniqueId(planning: Planning, id: string): string {
  let unique = id
  for (let count = 2; planning.ids.has(unique); count += 1) unique = `${id}#${count}`
  planning.ids.add(unique)
  return unique
}

function kindsOfCrds(resources: readonly Resource[]): ReadonlySet<string> {
  return new Set(
    resources.flatMap(({ manifest }) => {
      if (manifest.ref.kind !== 'CustomResourceDefinition') return []
      const group = stringAt(manifest.object, 'spec', 'group')
      const kind = stringAt(manifest.object, 'spec', 'names', 'kind')
      return group === undefined || kind === undefined ? [] : [`${group}/${kind}`]
    }),
  )
}
