import { createHash } from 'node:crypto'
import { defined } from '../model/defined.ts'
import { CHANGED_HOOK, FETCHED, GONE_HOOK, INPUT, isNoOperation, RECORD_END } from '../model/digest-id.ts'
import type { ApprovedPlan, Fingerprint, Operation, Plan, PlanDifference, Stage } from '../model/plan.ts'
import { compareText, refKey } from '../model/ref.ts'
import { stageOperations } from '../model/stage-operations.ts'
import { digestIds } from './digest-ids.ts'
import { isWork } from './work.ts'

/** The plan as a comment or a forecast keeps it. */
export function approvedPlanOf(plan: Plan, fingerprint: Fingerprint): ApprovedPlan {
  const { release, namespace } = plan
  const { hash, comparedBy, digests } = fingerprint
  return { release, namespace, hash, comparedBy, digests, stageDigests: stageDigestsOf(plan, fingerprint) }
}

/** A plan in which nothing changes, no hook runs, none is changed or gone and no record ends needs no approval. */
export function needsApproval({ stages, changedHooks = [], goneHooks = [], recordEnd }: Plan): boolean {
  return stages.some(isWork) || changedHooks.length + goneHooks.length > 0 || recordEnd !== undefined
}

export interface Differences {
  /** What the plan does and was not approved, and what it no longer does and was: it may not run. */
  readonly blocking: readonly PlanDifference[]
  /** What was approved and is done: an object that is to be deleted is not there any more. */
  readonly gone: readonly PlanDifference[]
}

/**
 * An operation passes where it was approved with the same end state, and where nothing is left to do for it: a run
 * after one that failed half-way finds the rest approved (docs/decisions/0016). What was approved and has left the plan stops
 * it: a NetworkPolicy that is no longer rendered, a backup that no longer runs, a deletion that is left out. Of an approved plan whose digests did
 * not fit into the comment whole stages are compared; with its hash alone only the same plan passes.
 */
export function differencesFrom(
  approved: ApprovedPlan,
  plan: Plan,
  fingerprint: Fingerprint,
  isLive: (refKey: string) => boolean,
): Differences {
  if (approved.hash === fingerprint.hash) return { blocking: [], gone: [] }
  if (approved.digests === undefined && approved.stageDigests !== undefined) {
    return stageDifferences(approved.stageDigests, plan, fingerprint)
  }
  const ids = digestIds(plan)
  const digests = new Map(Object.entries(approved.digests ?? {}))
  const isApproved = (id: string, before: string) =>
    before === fingerprint.digests[id] || fingerprint.earlierDigests?.[id]?.includes(before) === true
  const blocking = plan.stages.flatMap(stageOperations).flatMap((operation): readonly PlanDifference[] => {
    if (operation.kind === 'await') return []
    const id = ids.get(operation.id) ?? operation.id
    const before = digests.get(id)
    if (before !== undefined) return isApproved(id, before) ? [] : [{ kind: 'otherwise', id: operation.id, operation }]
    const isNothing = operation.kind === 'apply' && operation.change === 'none'
    return isNothing ? [] : [{ kind: 'not-approved', id: operation.id, operation }]
  })
  const others = Object.entries(fingerprint.digests).filter(([id]) => isNoOperation(id))
  const here = new Set([...ids.values(), ...others.map(([id]) => id)])
  const gone = [...digests].filter(([id]) => !here.has(id))
  const isDone = doneBy(plan, isLive)
  // An approved hook that went is done once no revision has it; what the chart has again would be recorded again.
  const isRecorded = (hookId: string) => [fingerprint.digests, fingerprint.earlierDigests].some((one) => one?.[hookId])
  const hasGone = (id: string) =>
    id.startsWith(GONE_HOOK) && !isRecorded(`${CHANGED_HOOK}${id.slice(GONE_HOOK.length)}`)
  const isOver = ([id, before]: readonly [string, string]) => isApproved(id, before) || hasGone(id) || isDone(id)
  return {
    blocking: [
      ...blocking,
      ...others.flatMap(([id, digest]) => otherDifference(id, digest, digests.get(id))),
      ...gone.filter((entry) => !isOver(entry)).map(goneDifference),
    ],
    gone: gone.filter(isOver).map(goneDifference),
  }
}

function otherDifference(id: string, digest: string, approved: string | undefined): readonly PlanDifference[] {
  return digest === approved ? [] : [{ kind: approved === undefined ? 'not-approved' : 'otherwise', id }]
}

function goneDifference([id]: readonly [string, string]): PlanDifference {
  return { kind: 'gone', id }
}

/**
 * Whether nothing is left to do of what was approved and is not in the plan: a deletion whose object is gone, the end of a
 * record that has ended, and what an annotation leaves alone once it is there.
 */
function doneBy({ untouched }: Plan, isLive: (refKey: string) => boolean): (id: string) => boolean {
  const left = new Set(untouched.flatMap(({ reason, ref }) => (reason === 'skip-policy' ? refKey(ref) : [])))
  return (id) => {
    if (id === RECORD_END || id.startsWith(INPUT)) return true
    const [, action = '', key = ''] = /^[a-z]+\/([a-z-]+)\/(.*)$/.exec(id) ?? []
    // A second operation on an object has a number behind its id, and the name of a role may end in the same way.
    const keys = [key, key.replace(/#\d+$/, '')]
    return action === 'delete' ? !keys.some(isLive) : keys.some((one) => left.has(one))
  }
}

function stageDifferences(
  stageDigests: { readonly [stage: string]: string },
  plan: Plan,
  fingerprint: Fingerprint,
): Differences {
  const ids = digestIds(plan)
  const approved = new Map(Object.entries(stageDigests))
  const now = new Map(Object.entries(stageDigestsOf(plan, fingerprint)))
  const blocking = [...now].flatMap(([stage, digest]) => {
    if (stage.startsWith(WORK)) return []
    const operations = plan.stages.filter(({ name }) => name === stage).flatMap(stageOperations)
    const isNothing = operations.length > 0 && operations.every(isNothingToDo)
    if (isNothing && !approved.has(stage)) return []
    const difference = otherDifference(stage, digest, approved.get(stage))
    return difference.length > 0 ? difference : newWork(approved.get(`${WORK}${stage}`), operations, ids)
  })
  const gone = [...approved].filter(([stage]) => !now.has(stage) && !stage.startsWith(WORK))
  return {
    blocking: [...blocking, ...gone.filter(([stage]) => !mayBeDone(stage)).map(goneDifference)],
    gone: gone.filter(([stage]) => mayBeDone(stage)).map(goneDifference),
  }
}

/**
 * What is done now, and was not to be done in the approved plan: its digest does not tell, as a part of the stage may be done by then. Nobody saw
 * that an object which was as it should be is written.
 */
function newWork(
  approved: string | undefined,
  operations: readonly Operation[],
  ids: ReadonlyMap<string, string>,
): readonly PlanDifference[] {
  const bits = Buffer.from(approved ?? '', 'base64url')
  return inOrder(operations, ids).flatMap((operation, index) => {
    const wasWork = ((bits[index >> 3] ?? 0) >> (index & 7)) % 2 === 1
    return wasWork || isNothingToDo(operation) ? [] : [{ kind: 'not-approved', id: operation.id, operation }]
  })
}

/** One bit for each operation that is more than a look, in base64url. */
function workBits(operations: readonly Operation[], ids: ReadonlyMap<string, string>): string {
  const ordered = inOrder(operations, ids)
  const bits = Buffer.alloc(Math.ceil(ordered.length / 8))
  for (const [index, operation] of ordered.entries()) {
    if (!isNothingToDo(operation)) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7))
  }
  return bits.toString('base64url')
}

function inOrder(operations: readonly Operation[], ids: ReadonlyMap<string, string>): readonly Operation[] {
  const idOf = ({ id }: Operation) => ids.get(id) ?? id
  return operations.filter(({ kind }) => kind !== 'await').toSorted((a, b) => compareText(idOf(a), idOf(b)))
}

/** Begins the keys of what is to be done in a stage, among the digests of stages. */
const WORK = 'work of '

function isNothingToDo(operation: Operation): boolean {
  return operation.kind === 'await' || (operation.kind === 'apply' && operation.change === 'none')
}

/** Stages of deletions, of which nothing is left once they are done. */
const MAY_BE_DONE: ReadonlySet<string> = new Set(['prune', 'delete', RECORD_END])

function mayBeDone(stage: string): boolean {
  return MAY_BE_DONE.has(stage) || stage.startsWith(INPUT)
}

/** Key of the hooks of other events among the digests of stages. */
const HOOKS = 'hooks of other events'

/**
 * One digest for all that a stage applies and deletes, by the stage's name. What is there already counts like what is to be
 * made: a run that failed within the stage finds the same digest.
 */
function stageDigestsOf(plan: Plan, { digests, earlierDigests }: Fingerprint): { readonly [stage: string]: string } {
  const ids = digestIds(plan)
  const digestOf = (stage: Stage): string => {
    const parts = stageOperations(stage).flatMap((operation) => {
      if (operation.kind === 'await') return []
      const id = ids.get(operation.id) ?? operation.id
      const standing = isNothingToDo(operation) ? earlierDigests?.[id]?.[0] : undefined
      return [`${id} ${standing ?? digests[id]}`]
    })
    return digestOfAll(parts)
  }
  const hooks = Object.entries(digests).filter(([id]) => id.startsWith(CHANGED_HOOK))
  const recordEnd = digests[RECORD_END]
  return {
    ...Object.fromEntries(plan.stages.map((stage) => [stage.name, digestOf(stage)])),
    ...Object.fromEntries(plan.stages.map((stage) => [`${WORK}${stage.name}`, workBits(stageOperations(stage), ids)])),
    ...defined({ [RECORD_END]: recordEnd }),
    ...Object.fromEntries(Object.entries(digests).filter(([id]) => id.startsWith(INPUT) || id.startsWith(FETCHED))),
    ...(hooks.length === 0 ? {} : { [HOOKS]: digestOfAll(hooks.map((entry) => entry.join(' '))) }),
  }
}

function digestOfAll(parts: readonly string[]): string {
  return createHash('sha256').update(parts.toSorted().join('\n')).digest('base64url').slice(0, STAGE_DIGEST_CHARS)
}

const STAGE_DIGEST_CHARS = 22
