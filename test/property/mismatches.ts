import { withoutBookkeeping } from '../../src/manifest/bookkeeping.ts'
import { changedPaths } from '../../src/manifest/compare.ts'
import { pointerOf, stepsOf } from '../../src/manifest/json-pointer.ts'
import { serverChosen } from '../../src/manifest/server-chosen.ts'
import { at, isJsonArray, isJsonObject, type JsonValue } from '../../src/model/object.ts'
import type { Plan } from '../../src/model/plan.ts'
import { refKey } from '../../src/model/ref.ts'
import type { AuditEvent } from '../cluster/audit.ts'
import type { Pair } from './pairs.ts'
import { type Passed, type Phase, userAgent } from './passes.ts'
import type { Place } from './things.ts'
import { announcedWrites, isChanging, isRecordWrite, operationsOf, seenWrites } from './writes.ts'

/** What happened to one pair. */
export interface Story extends Readonly<Record<Phase, Passed>> {
  readonly index: number
  readonly pair: Pair
  readonly place: Place
}

/** Where the plan and the deploy differ, a line each. */
export function mismatches(story: Story, audit: readonly AuditEvent[]): readonly string[] {
  const seen = (phase: Phase) => seenWrites(audit.filter((event) => event.userAgent === userAgent(phase)))
  const { install, plan, deploy, again, pair } = story
  // The hand-over from client-side to server-side apply is a patch of its own, before the one that is announced.
  const wasHelm3 = pair.drift.some(({ how }) => how === 'was Helm 3')
  return [
    ...without('plan', seen('plan')),
    ...carriedOut('install', install, seen('install')),
    ...samePlans(plan, deploy),
    ...(pair.drift.length === 0 ? driftOf(plan) : []),
    ...carriedOut('deploy', deploy, wasHelm3 ? withoutHandOver(deploy, seen('deploy')) : seen('deploy')),
    ...carriedOut('again', again, seen('again')),
    ...(isBlocked(deploy) ? [] : [...secondDeploy(again, audit), ...notReached(again)]),
  ]
}

/** Of what is announced, patches may come once more than that. */
function withoutHandOver({ plan }: Passed, writes: readonly string[]): readonly string[] {
  const announced = plan === undefined ? [] : announcedWrites(plan)
  const surplus = minus(writes, announced).filter((write) => write.startsWith('patch ') && announced.includes(write))
  return minus(writes, surplus)
}

function without(phase: Phase, writes: readonly string[]): readonly string[] {
  return writes.map((write) => `${phase}: wrote ${write}`)
}

function isBlocked({ result }: Passed): boolean {
  return result.problems.some(({ severity }) => severity === 'error')
}

/** A plan without errors is carried out to the letter; one with errors writes nothing. */
function carriedOut(phase: Phase, passed: Passed, writes: readonly string[]): readonly string[] {
  const { plan, result } = passed
  if (plan === undefined) return [`${phase}: no plan: ${JSON.stringify(result.outcome)}`]
  if (isBlocked(passed)) return without(phase, writes)
  if (result.outcome.failure !== undefined) return [`${phase}: failed: ${JSON.stringify(result.outcome.failure)}`]
  const announced = announcedWrites(plan)
  return [
    ...minus(announced, writes).map((write) => `${phase}: announced and not done: ${write}`),
    ...minus(writes, announced).map((write) => `${phase}: done and not announced: ${write}`),
    ...result.events.flatMap((event) =>
      event.type === 'operation-finished' && event.note !== undefined ? [`${phase}: ${event.id}: ${event.note}`] : [],
    ),
    ...fieldsOtherwise(phase, plan, passed),
  ]
}

function minus(all: readonly string[], taken: readonly string[]): readonly string[] {
  const left = [...all]
  for (const one of taken) {
    const index = left.indexOf(one)
    if (index !== -1) left.splice(index, 1)
  }
  return left
}

/** The plan of `command: plan` and the one that the deploy makes for itself. */
function samePlans(planned: Passed, deployed: Passed): readonly string[] {
  if (planned.plan === undefined || deployed.plan === undefined) return []
  const [a, b] = [JSON.parse(JSON.stringify(planned.plan)), JSON.parse(JSON.stringify(deployed.plan))]
  const differences = changedPaths(a, b).map((path) => {
    const [announced, done] = [a, b].map((plan) =>
      JSON.stringify(at(plan, ...stepsOf(path).map((step) => (/^\d+$/.test(step) ? Number(step) : step)))),
    )
    return `plan and the plan of the deploy differ at ${path}: ${announced} and ${done}`
  })
  const hashes = [planned.result.fingerprint?.hash, deployed.result.fingerprint?.hash]
  return hashes[0] === hashes[1]
    ? differences
    : [...differences, 'plan and the plan of the deploy differ in their hash']
}

/** Where nobody else wrote anything, no change may be blamed on somebody else. */
function driftOf({ plan }: Passed): readonly string[] {
  if (plan === undefined) return []
  return operationsOf(plan).flatMap((one) =>
    one.kind === 'apply' && (one.reason.code === 'drift' || one.reason.code === 'both')
      ? [`plan: ${one.id}: ${JSON.stringify(one.reason.drift)} without drift`]
      : [],
  )
}

/** `after` is what the API server answered: all of it for an update; for what is recreated, all that was sent. */
function fieldsOtherwise(phase: Phase, plan: Plan, { applied }: Passed): readonly string[] {
  return operationsOf(plan).flatMap((operation) => {
    if (operation.kind !== 'apply' || operation.after === undefined) return []
    const sent = applied.get(refKey(operation.ref))
    if (sent === undefined || isTwice(plan, operation.ref)) return []
    if (operation.reason.code === 'unknown-until-applied') return []
    const isWhole = operation.change === 'update'
    // Two dry runs would differ there as well, and the plan is known for it (design: the fingerprint leaves it out).
    const chosen = new Set(serverChosen(sent.answer, sent.body).map((path) => pointerOf(path.map(String))))
    const paths = differences(operation.after, withoutBookkeeping(sent.answer), { path: '', isWhole, chosen })
    return paths.map((path) => `${phase}: ${operation.id} (${operation.change}): otherwise than announced: ${path}`)
  })
}

function isTwice(plan: Plan, ref: Parameters<typeof refKey>[0]): boolean {
  return operationsOf(plan).filter((one) => one.kind === 'apply' && refKey(one.ref) === refKey(ref)).length > 1
}

/** Words in the place of values that the plan does not show. */
const HIDDEN = /^\(hidden(, changed)?\)$/

function differences(
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
      differences(told[index], found[index], { ...place, path: `${path}/${index}` }),
    )
  }
  if (isJsonObject(told) && isJsonObject(found)) {
    const keys = isWhole ? new Set([...Object.keys(told), ...Object.keys(found)]) : Object.keys(told)
    return [...keys]
      .filter((key) => isWhole || key !== 'stringData')
      .flatMap((key) => differences(told[key], found[key], { ...place, path: `${path}/${key}` }))
  }
  return told === found ? [] : [`${path}: ${JSON.stringify(told)} wanted, ${JSON.stringify(found)} found`]
}

/** The API server stores none of these, or puts a default in their place. */
function isDropped(value: JsonValue | undefined): boolean {
  return value === false || (isJsonArray(value) && value.length === 0)
}

/** Only what a policy removes or recreates each time, and hooks, are done again. */
function secondDeploy({ plan, result }: Passed, audit: readonly AuditEvent[]): readonly string[] {
  if (plan === undefined) return []
  const runs = operationsOf(plan).filter((one) => one.kind !== 'apply' || one.change !== 'none')
  const surprising = runs.filter(
    (one) => one.kind !== 'await' && one.hook === undefined && !isRepeated(plan, refKey(one.ref)),
  )
  const hasHooks = operationsOf(plan).some(({ hook }) => hook !== undefined)
  const hasRepeated = runs.some((one) => one.kind !== 'await' && one.hook === undefined)
  const records = audit.filter((event) => event.userAgent === userAgent('again') && isRecordWrite(event))
  return [
    ...surprising.map((one) => `again: ${one.id} ${JSON.stringify(one)}`),
    ...(isChanging(plan) && !hasRepeated ? ['again: counts as a change'] : []),
    ...(!hasHooks && !hasRepeated && records.length > 0 ? ['again: wrote a revision'] : []),
    ...(!hasHooks && !hasRepeated && result.outcome.status !== 'no-changes'
      ? [`again: ended as ${result.outcome.status}`]
      : []),
  ]
}

/** Where nothing is to be done, the cluster holds what was rendered; replicas may be somebody else's. */
function notReached({ plan, rendered, read }: Passed): readonly string[] {
  if (plan === undefined) return []
  return operationsOf(plan).flatMap((one) => {
    const name = `${one.ref.kind}/${one.ref.name}`
    const wanted = rendered.get(name)
    if (one.kind !== 'apply' || one.change !== 'none' || wanted === undefined) return []
    const place = { path: '', isWhole: false, chosen: new Set(['/spec/replicas']) }
    return differences(wanted, read.get(name), place).map((path) => `again: ${one.id} is none, but ${path}`)
  })
}

/** A delete policy has it deleted, or recreated, each time. */
function isRepeated(plan: Plan, key: string): boolean {
  return operationsOf(plan).some(
    (one) =>
      refKey(one.ref) === key &&
      (one.kind === 'delete' || (one.kind === 'apply' && one.reason.code === 'delete-policy')),
  )
}
