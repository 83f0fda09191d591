import type { Group, Operation, Stage } from '../model/plan.ts'
import type { Draft, DraftStage, Payload } from './draft.ts'

/** The stages in which anything is done, each operation with an id of its own, and what the applies send. */
export function assembled(
  drafts: readonly DraftStage[],
  hideNames: (text: string) => string = (text) => text,
): {
  readonly stages: readonly Stage[]
  readonly payloads: ReadonlyMap<string, Payload>
} {
  const payloads = new Map<string, Payload>()
  const uniqueId = createUniqueIds()
  const operationOf = ({ operation, payload }: Draft): Operation => {
    const id = uniqueId(hideNames(operation.id))
    if (payload !== undefined) payloads.set(id, payload)
    return { ...operation, id }
  }
  const stages = drafts.map(({ name, groups }) => ({
    name,
    groups: groups.map((group): Group => ({ ...group, ranks: group.ranks.map((rank) => rank.map(operationOf)) })),
  }))
  return { stages: stages.filter(({ groups }) => groups.length > 0), payloads }
}

/** The id, with a number behind it where it stands in the plan before: two waits for one object in one stage. */
function createUniqueIds(): (id: string) => string {
  const taken = new Set<string>()
  return (id) => {
    let unique = id
    for (let count = 2; taken.has(unique); count += 1) unique = `${id}#${count}`
    taken.add(unique)
    return unique
  }
}
