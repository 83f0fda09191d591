import type { Group, Operation, Plan } from '../model/plan.ts'
import type { StageName } from '../model/verb.ts'
import { countParts, countPlan } from './counts.ts'

/** An operation and where it stands. */
export interface PlacedOperation {
  readonly operation: Operation
  readonly stage: StageName
  readonly weight: number
}

/** A group by its index in its stage, as events name it. */
export interface GroupPlace {
  readonly stage: StageName
  readonly group: number
}

export function placesOf(plan: Plan): ReadonlyMap<string, PlacedOperation> {
  const places = new Map<string, PlacedOperation>()
  for (const stage of plan.stages) {
    for (const group of stage.groups) {
      for (const operation of group.ranks.flat()) {
        places.set(operation.id, { operation, stage: stage.name, weight: group.weight })
      }
    }
  }
  return places
}

export function operationsOf(plan: Plan, place: GroupPlace): readonly Operation[] {
  return groupOf(plan, place)?.ranks.flat() ?? []
}

export function groupKey(place: GroupPlace): string {
  return `${place.stage} ${place.group}`
}

export function nameOf(plan: Plan, place: GroupPlace): string {
  const group = groupOf(plan, place)
  const phase = group?.deletionPhase === undefined ? '' : ` deletion phase ${group.deletionPhase}`
  return `${place.stage}${phase} weight ${group?.weight ?? 0}`
}

/** `main weight 10: 1 to update, 2 unchanged`. */
export function groupTitle(plan: Plan, place: GroupPlace): string {
  const group = groupOf(plan, place)
  const counts = countPlan({ ...plan, stages: group === undefined ? [] : [{ name: place.stage, groups: [group] }] })
  const outside = operationsOf(plan, place).filter((one) => one.kind === 'await' && one.isExternal === true).length
  const parts = [...countParts(counts), ...(outside === 0 ? [] : [`${outside} outside the release to wait for`])]
  return `${nameOf(plan, place)}: ${parts.length === 0 ? 'nothing to change' : parts.join(', ')}`
}

function groupOf(plan: Plan, place: GroupPlace): Group | undefined {
  return plan.stages.find((stage) => stage.name === place.stage)?.groups[place.group]
}
