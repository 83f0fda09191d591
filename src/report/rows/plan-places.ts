import type { Group, Operation, Plan } from '../../model/plan.ts'
import type { StageName } from '../../model/verb.ts'

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

export function placesById(plan: Plan): ReadonlyMap<string, PlacedOperation> {
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

export function operationsOfGroup(plan: Plan, place: GroupPlace): readonly Operation[] {
  return groupAt(plan, place)?.ranks.flat() ?? []
}

export function groupKey(place: GroupPlace): string {
  return `${place.stage} ${place.group}`
}

export function groupAt(plan: Plan, place: GroupPlace): Group | undefined {
  return plan.stages.find((stage) => stage.name === place.stage)?.groups[place.group]
}
