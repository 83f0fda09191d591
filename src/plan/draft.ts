import type { Resource } from '../model/directives.ts'
import type { KubeObject } from '../model/object.ts'
import type { ApplyOperation, ApplyPayload, Group, Operation, Untouched } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import { refKey } from '../model/ref.ts'
import type { StageName } from '../model/verb.ts'
import { isDeletedOnSuccess } from './work.ts'

/** Of an apply operation: what it sends, and what it is compared by. Holds secret values: never printed. */
export interface Payload extends ApplyPayload {
  readonly resource: Resource
  /** The object after the apply: the dry run's answer, or the body where there is none. */
  readonly result: KubeObject
}

/** An operation as its stage builds it. Its id may occur again: ids are numbered when the plan is put together. */
export interface Draft<O extends Operation = Operation> {
  readonly operation: O
  readonly payload?: Payload
}

export interface ApplyDraft extends Draft<ApplyOperation> {
  readonly payload: Payload
}

export interface DraftGroup extends Omit<Group, 'ranks'> {
  readonly ranks: readonly DraftRank[]
}

/** Operations that run side by side. */
export type DraftRank = readonly Draft[]

/** What a stage does, and why it leaves out the rest. */
export interface DraftStage {
  readonly name: StageName
  readonly groups: readonly DraftGroup[]
  readonly notes: Notes
}

export interface Notes {
  readonly problems: readonly Problem[]
  readonly untouched: readonly Untouched[]
}

export function allNotes(parts: readonly Partial<Notes>[]): Notes {
  return {
    problems: parts.flatMap(({ problems = [] }) => problems),
    untouched: parts.flatMap(({ untouched = [] }) => untouched),
  }
}

/** The stage without ranks and groups in which nothing is done. `afterwards`: ranks behind everything else. */
export function filledStage({
  name,
  groups,
  afterwards = [],
  notes,
}: DraftStage & { readonly afterwards?: readonly DraftRank[] }): DraftStage {
  const filled = groups
    .map((group) => ({ ...group, ranks: group.ranks.filter(isFilled) }))
    .filter(({ ranks }) => ranks.length > 0)
  const last = filled.pop()
  if (last === undefined) return { name, groups: [], notes }
  return { name, groups: [...filled, { ...last, ranks: [...last.ranks, ...afterwards.filter(isFilled)] }], notes }
}

function isFilled(rank: DraftRank): boolean {
  return rank.length > 0
}

/** What exists once the stage has succeeded, of what existed before it and what it makes. Keys are `refKey`. */
export function existingAfter({ groups }: DraftStage, existing: ReadonlySet<string>): ReadonlySet<string> {
  const after = new Set(existing)
  for (const { operation } of groups.flatMap(({ ranks }) => ranks.flat())) {
    if (operation.kind === 'apply') after.add(refKey(operation.ref))
    if (isDeletedOnSuccess(operation)) after.delete(refKey(operation.ref))
  }
  return after
}
