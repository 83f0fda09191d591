import type { Plan } from '../../model/plan.ts'
import { countPlan } from '../rows/counts.ts'
import { type GroupPlace, groupAt, operationsOfGroup } from '../rows/plan-places.ts'
import { countParts } from './counts-text.ts'

/** `main weight 10: 1 to update, 2 unchanged`. */
export function groupTitle(plan: Plan, place: GroupPlace): string {
  const group = groupAt(plan, place)
  const counts = countPlan({ ...plan, stages: group === undefined ? [] : [{ name: place.stage, groups: [group] }] })
  const outside = operationsOfGroup(plan, place).filter((one) => one.kind === 'await' && one.isExternal === true).length
  const parts = [...countParts(counts), ...(outside === 0 ? [] : [`${outside} outside the release to wait for`])]
  return `${groupName(plan, place)}: ${parts.length === 0 ? 'nothing to change' : parts.join(', ')}`
}

/** `main weight 10`. */
export function groupName(plan: Plan, place: GroupPlace): string {
  const group = groupAt(plan, place)
  const phase = group?.deletionPhase === undefined ? '' : ` deletion phase ${group.deletionPhase}`
  return `${place.stage}${phase} weight ${group?.weight ?? 0}`
}
