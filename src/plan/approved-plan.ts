import { createHash } from 'node:crypto'
import type { ApprovedPlan, Fingerprint, Operation, Plan, PlanDifference, Stage } from '../model/plan.ts'
import { CHANGED_HOOK, digestIds } from './digest-ids.ts'
import { isWork, stageOperations } from './work.ts'

/** The plan as a comment or a forecast keeps it. */
export function approvedPlanOf(plan: Plan, fingerprint: Fingerprint): ApprovedPlan {
  const { release, namespace } = plan
  const { hash, comparedBy, digests } = fingerprint
  return { release, namespace, hash, comparedBy, digests, stageDigests: stageDigestsOf(plan, fingerprint) }
}

/** A plan in which nothing changes, no hook runs and no other hook is changed needs no approval. */
export function needsApproval({ stages, changedHooks = [] }: Plan): boolean {
  return stages.some(isWork) || changedHooks.length > 0
}

/** How far the plan may differ from the approved one. */
export interface Allowance {
  /** Earlier releases of the run have been deployed since: what depends on them may differ. */
  readonly mayDependOnEarlier: boolean
  /** The approved plan, where it is at hand: it marks what depended on earlier releases at that time. */
  readonly forecast?: Plan
}

export interface Differences {
  /** What the plan does and was not approved: it may not run. */
  readonly blocking: readonly PlanDifference[]
  /** What was approved and is not in the plan any more. */
  readonly gone: readonly PlanDifference[]
}

/**
 * An operation passes where it was approved with the same end state, and where nothing is left to do for it: a run
 * after one that failed half-way finds the rest approved (docs/decisions/0016). Of an approved plan whose digests did
 * not fit into the comment whole stages are compared; with its hash alone only the same plan passes.
 */
export function differencesFrom(
  approved: ApprovedPlan,
  plan: Plan,
  fingerprint: Fingerprint,
  allowance: Allowance,
): Differences {
  if (approved.hash === fingerprint.hash) return { blocking: [], gone: [] }
  const mayPass = passesBy(plan, allowance)
  if (approved.digests === undefined && approved.stageDigests !== undefined) {
    return stageDifferences(approved.stageDigests, plan, { fingerprint, mayPass })
  }
  const ids = digestIds(plan)
  const digests = new Map(Object.entries(approved.digests ?? {}))
  const operations = plan.stages.flatMap(stageOperations)
  const blocking = operations.flatMap((operation): readonly PlanDifference[] => {
    if (mayPass(operation)) return []
    const id = ids.get(operation.id) ?? operation.id
    const before = digests.get(id)
    if (before === undefined) return [{ kind: 'not-approved', id: operation.id, operation }]
    const isSame = before === fingerprint.digests[id] || fingerprint.earlierDigests?.[id]?.includes(before) === true
    return isSame ? [] : [{ kind: 'otherwise', id: operation.id, operation }]
  })
  const hooks = Object.entries(fingerprint.digests).filter(([id]) => id.startsWith(CHANGED_HOOK))
  return {
    blocking: [...blocking, ...hooks.flatMap(([id, digest]) => hookDifference(id, digest, digests.get(id)))],
    gone: goneFrom(digests, new Set([...ids.values(), ...hooks.map(([id]) => id)])),
  }
}

function hookDifference(id: string, digest: string, approved: string | undefined): readonly PlanDifference[] {
  return digest === approved ? [] : [{ kind: approved === undefined ? 'not-approved' : 'otherwise', id }]
}

function passesBy(plan: Plan, { mayDependOnEarlier, forecast }: Allowance): (operation: Operation) => boolean {
  const dependent = new Set(
    [plan, ...(forecast === undefined ? [] : [forecast])]
      .flatMap(({ stages }) => stages.flatMap(stageOperations))
      .flatMap(({ id, dependsOnEarlier }) => (dependsOnEarlier === true ? [id] : [])),
  )
  return (operation) =>
    operation.kind === 'await' ||
    (operation.kind === 'apply' && operation.change === 'none') ||
    (mayDependOnEarlier && dependent.has(operation.id))
}

function stageDifferences(
  stageDigests: { readonly [stage: string]: string },
  plan: Plan,
  { fingerprint, mayPass }: { readonly fingerprint: Fingerprint; readonly mayPass: (operation: Operation) => boolean },
): Differences {
  const approved = new Map(Object.entries(stageDigests))
  const now = stageDigestsOf(plan, fingerprint)
  const blocking = plan.stages.flatMap((stage): readonly PlanDifference[] => {
    const before = approved.get(stage.name)
    if (before === now[stage.name] || stageOperations(stage).every(mayPass)) return []
    return [{ kind: before === undefined ? 'not-approved' : 'otherwise', id: stage.name }]
  })
  const hooks = now[HOOKS]
  return {
    blocking: [...blocking, ...(hooks === undefined ? [] : hookDifference(HOOKS, hooks, approved.get(HOOKS)))],
    gone: goneFrom(approved, new Set(Object.keys(now))),
  }
}

function goneFrom(approved: ReadonlyMap<string, string>, here: ReadonlySet<string>): readonly PlanDifference[] {
  return [...approved.keys()].flatMap((id) => (here.has(id) ? [] : [{ kind: 'gone' as const, id }]))
}

/** Key of the hooks of other events among the digests of stages. */
const HOOKS = 'hooks of other events'

/** One digest for all that a stage applies and deletes, by the stage's name. */
function stageDigestsOf(plan: Plan, { digests }: Fingerprint): { readonly [stage: string]: string } {
  const ids = digestIds(plan)
  const digestOf = (stage: Stage): string => {
    const parts = stageOperations(stage).flatMap(({ id, kind }) => {
      const digestId = ids.get(id) ?? id
      return kind === 'await' ? [] : [`${digestId} ${digests[digestId]}`]
    })
    return digestOfAll(parts)
  }
  const hooks = Object.entries(digests).filter(([id]) => id.startsWith(CHANGED_HOOK))
  return {
    ...Object.fromEntries(plan.stages.map((stage) => [stage.name, digestOf(stage)])),
    ...(hooks.length === 0 ? {} : { [HOOKS]: digestOfAll(hooks.map((entry) => entry.join(' '))) }),
  }
}

function digestOfAll(parts: readonly string[]): string {
  return createHash('sha256').update(parts.toSorted().join('\n')).digest('base64url').slice(0, STAGE_DIGEST_CHARS)
}

const STAGE_DIGEST_CHARS = 22
