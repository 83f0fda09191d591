import { withoutBookkeeping } from '../../src/manifest/bookkeeping.ts'
import { changedPaths } from '../../src/manifest/compare.ts'
import { pointerOf, stepsOf } from '../../src/manifest/json-pointer.ts'
import { serverChosen } from '../../src/manifest/server-chosen.ts'
import { at, isJsonArray, isJsonObject, type JsonValue } from '../../src/model/object.ts'
import type { Operation, Plan } from '../../src/model/plan.ts'
import { refKey } from '../../src/model/ref.ts'
import type { AuditEvent } from '../cluster/audit.ts'
import type { Passed, Phase } from './passes.ts'
import { announcedWrites, isChanging, isRecordWrite, operationsOf } from './writes.ts'

/** Of what is announced, patches may come once more than that. */
export function withoutHandOver({ plan }: Passed, writes: readonly string[]): readonly string[] {
  const announced = plan === undefined ? [] : announcedWrites(plan)
  const surplus = minus(writes, announced).filter((write) => write.startsWith('patch ') && announced.includes(write))
  return minus(writes, surplus)
}

export function without(phase: Phase, writes: readonly string[]): readonly string[] {
  return writes.map((write) => `${phase}: wrote ${write}`)
}

export function isBlocked({ result }: Passed): boolean {
  return result.problems.some(({ severity }) => severity === 'error')
}

/** A plan without errors is carried out to the letter; one with errors writes nothing. */
export function carriedOut(phase: Phase, passed: Passed, writes: readonly string[]): readonly string[] {
  const { plan, result } = passed
  if (plan === undefined) return [`${phase}: no plan: ${JSON.stringify(result.outcome)}`]
  if (isBlocked(passed)) return without(phase, writes)
  if (result.outcome.failure !== undefined) return [`${phase}: failed: ${JSON.stringify(result.outcome.failure)}`]
  return [
    ...writesOtherwise(plan, writes).map((line) => `${phase}: ${line}`),
    ...result.events.flatMap((event) =>
      event.type === 'operation-finished' && event.note !== undefined ? [`${phase}: ${event.id}: ${event.note}`] : [],
    ),
    ...fieldsOtherwise(plan, passed.applied).map((line) => `${phase}: ${line}`),
  ]
}

/** Announced and not done, or done and not announced. */
export function writesOtherwise(plan: Plan, writes: readonly string[]): readonly string[] {
  const announced = announcedWrites(plan)
  return [
    ...minus(announced, writes).map((write) => `announced and not done: ${write}`),
    ...minus(writes, announced).map((write) => `done and not announced: ${write}`),
  ]
}

export function minus(all: readonly string[], taken: readonly string[]): readonly string[] {
  const left = [...all]
  for (const one of taken) {
    const index = left.indexOf(one)
    if (index !== -1) left.splice(index, 1)
  }
  return left
}

export const DIFFERENT_HASH = 'plan and the plan of the deploy differ in their hash'

/** The plan of `command: plan` and the one that the deploy makes for itself. */
export function samePlans(planned: Passed, deployed: Passed): readonly string[] {
  if (planned.plan === undefined || deployed.plan === undefined) return []
  const [a, b] = [JSON.parse(JSON.stringify(planned.plan)), JSON.parse(JSON.stringify(deployed.plan))]
  const differences = changedPaths(a, b).map((path) => {
    const [announced, done] = [a, b].map((plan) =>
      JSON.stringify(at(plan, ...stepsOf(path).map((step) => (/^\d+$/.test(step) ? Number(step) : step)))),
    )
    return `plan and the plan of the deploy differ at ${path}: ${announced} and ${done}`
  })
  const hashes = [planned.result.fingerprint?.hash, deployed.result.fingerprint?.hash]
  return hashes[0] === hashes[1] ? differences : [...differences, DIFFERENT_HASH]
}

/** Where nobody else wrote anything, no change may be blamed on somebody else. */
export function driftOf({ plan }: Passed): readonly string[] {
  if (plan === undefined) return []
  return operationsOf(plan).flatMap((one) =>
    one.kind === 'apply' && (one.reason.code === 'drift' || one.reason.code === 'both')
      ? [`plan: ${one.id}: ${JSON.stringify(one.reason.drift)} without drift`]
      : [],
  )
}

/** `after` is what the API server answered: all of it for an update; for what is recreated, all that was sent. */
export function fieldsOtherwise(plan: Plan, applied: Passed['applied']): readonly string[] {
  return operationsOf(plan).flatMap((operation) => {
    if (operation.kind !== 'apply' || operation.after === undefined) return []
    const sent = applied.get(refKey(operation.ref))
    if (sent === undefined || isTwice(plan, operation.ref)) return []
    if (operation.reason.code === 'unknown-until-applied') return []
    const isWhole = operation.change === 'update'
    // Two dry runs would differ there as well, and the plan is known for it (design: the fingerprint leaves it out).
    const chosen = new Set([
      ...serverChosen(sent.answer, sent.body).map((path) => pointerOf(path.map(String))),
      ...(operation.varies ?? []).map(stored),
    ])
    const paths = differences(operation.after, withoutBookkeeping(sent.answer), { path: '', isWhole, chosen })
    return paths.map((path) => `${operation.id} (${operation.change}): otherwise than announced: ${path}`)
  })
}

function isTwice(plan: Plan, ref: Parameters<typeof refKey>[0]): boolean {
  return operationsOf(plan).filter((one) => one.kind === 'apply' && refKey(one.ref) === refKey(ref)).length > 1
}

/** Words in the place of values that the plan does not show. */
const HIDDEN = /^\(hidden(, changed)?\)$/

export function differences(
  told: JsonValue | undefined,
  found: JsonValue | undefined,
  place: { readonly path: string; readonly isWhole: boolean; readonly chosen: ReadonlySet<string> },
): readonly string[] {
  const { path, isWhole, chosen } = place
  if (chosen.has(path)) return []
  if (!isWhole && isDropped(told)) return []
  if (typeof told === 'string' && HIDDEN.test(told)) return found === undefined && isWhole ? [`${path} is gone`] : []
  if (isJsonArray(told) && isJsonArray(found)) {
    const length = Math.max(told.length, found.length)
    return Array.from({ length }).flatMap((_, index) =>
      differences(told[index], found[index], { ...place, path: path + pointerOf([index]) }),
    )
  }
  if (isJsonObject(told) && isJsonObject(found)) {
    const keys = isWhole ? new Set([...Object.keys(told), ...Object.keys(found)]) : Object.keys(told)
    return [...keys]
      .filter((key) => isWhole || key !== 'stringData')
      .flatMap((key) => differences(told[key], found[key], { ...place, path: path + pointerOf([key]) }))
  }
  return told === found ? [] : [`${path}: ${JSON.stringify(told)} wanted, ${JSON.stringify(found)} found`]
}

/** The API server stores none of these, or puts a default in their place. */
function isDropped(value: JsonValue | undefined): boolean {
  return value === false || (isJsonArray(value) && value.length === 0)
}

/**
 * Only hooks, what a policy removes or recreates each time, and what comes out otherwise in each render are done again.
 * `audit`: what this pass alone asked of the API server.
 */
export function secondDeploy({ plan, result }: Passed, audit: readonly AuditEvent[]): readonly string[] {
  if (plan === undefined) return []
  const runs = operationsOf(plan).filter((one) => one.kind !== 'apply' || one.change !== 'none')
  const surprising = runs.filter(
    (one) => one.kind !== 'await' && one.hook === undefined && !isRepeated(plan, refKey(one.ref)) && !onlyVaries(one),
  )
  const hasHooks = operationsOf(plan).some(({ hook }) => hook !== undefined)
  const hasRepeated = runs.some((one) => one.kind !== 'await' && one.hook === undefined)
  const records = audit.filter(isRecordWrite)
  return [
    ...surprising.map(
      (one) => `again: ${one.kind} ${one.id}: ${JSON.stringify(one.kind === 'await' ? '' : one.reason)}`,
    ),
    ...(isChanging(plan) && !hasRepeated ? ['again: counts as a change'] : []),
    ...(!hasHooks && !hasRepeated && records.length > 0 ? ['again: wrote a revision'] : []),
    ...(!hasHooks && !hasRepeated && result.outcome.status !== 'no-changes'
      ? [`again: ended as ${result.outcome.status}`]
      : []),
  ]
}

/** A delete policy has it deleted, or recreated, each time. */
function isRepeated(plan: Plan, key: string): boolean {
  return operationsOf(plan).some(
    (one) =>
      refKey(one.ref) === key &&
      (one.kind === 'delete' || (one.kind === 'apply' && one.reason.code === 'delete-policy')),
  )
}

/** Random values, which no render gives twice. */
function onlyVaries(one: Operation): boolean {
  if (one.kind !== 'apply' || one.reason.code !== 'chart-changed') return false
  const varying = new Set(one.varies?.map(stored))
  return one.reason.paths.every((path) => varying.has(path))
}

/** Where the API server keeps what was sent there. */
export function stored(path: string): string {
  return path.replace(/^\/stringData\//, '/data/')
}
