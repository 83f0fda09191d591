import { pointerOf } from '../manifest/json-pointer.ts'
import { isKept, isRecreated, runsToItsEnd } from '../manifest/recreation.ts'
import type { Resource } from '../model/directives.ts'
import { arrayAt, type KubeObject, stringAt } from '../model/object.ts'
import type { DryRun } from '../model/observed.ts'
import type { ChangeKind, Reason, UntouchedReason } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import { groupOf, refKey } from '../model/ref.ts'
import { unreachable } from '../model/unreachable.ts'
import { reasonOf } from './change-reason.ts'
import { isOwner, ownershipProblem } from './owner.ts'
import type { PlanInput } from './plan-input.ts'
import {
  keptProblem,
  namespaceProblem,
  type Refused,
  refusalProblem,
  runningJobProblem,
  unreadableProblem,
  unservedProblem,
} from './plan-problems.ts'
import { isNamespaceComing, kindOfCrd, type Planning } from './planning.ts'

export interface ApplyChange {
  readonly kind: 'apply'
  readonly change: ChangeKind
  readonly reason: Reason
  /** The object afterwards, where the dry run told. */
  readonly result?: KubeObject
  readonly isWithoutDryRun?: true
}

/** What is to be done with one resource, or why nothing can or shall be done. */
export type Change =
  | ApplyChange
  | { readonly kind: 'leave'; readonly reason: UntouchedReason; readonly detail?: string }
  | { readonly kind: 'blocked'; readonly problem: Problem }

/** The change to make, or undefined after noting why there is none. */
export function applicableChange(resource: Resource, input: PlanInput, planning: Planning): ApplyChange | undefined {
  const change = changeOf(resource, input, planning)
  if (change.kind === 'apply') return change
  if (change.kind === 'blocked') addOnce(planning.problems, change.problem)
  else {
    const { ref } = resource.manifest
    const { detail, reason } = change
    planning.untouched.push(detail === undefined ? { ref, reason } : { ref, reason, detail })
  }
  return undefined
}

/** What is wrong with the place of many objects, not with one of them, is said once. */
function addOnce(problems: Problem[], problem: Problem): void {
  const isSaid = problem.place.ref === undefined && problems.some(({ what }) => what === problem.what)
  if (!isSaid) problems.push(problem)
}

/** Complexity: linear in the size of the object. */
function changeOf(resource: Resource, input: PlanInput, planning: Planning): Change {
  const { directives, manifest } = resource
  const key = refKey(manifest.ref)
  // A delete policy of an earlier stage may have removed it by then.
  const live = planning.existing.has(key) ? input.observed.live.get(key) : undefined
  const unreadable = input.observed.unreadable.get(key)
  if (unreadable !== undefined) return blocked(unreadableProblem(resource, unreadable, input.served))
  const answer = input.observed.dryRuns.get(key) ?? { kind: 'not-asked' }
  if (live === undefined) {
    if (planning.existing.has(key)) return again(resource, input)
    if (directives.skips.includes('create')) return left('skip-create')
    return creation(resource, answer, input, planning)
  }
  if (!isOwner(resource, live, input, planning)) return blocked(ownershipProblem(resource, live, input))
  if (isRecreated(resource, input.observed.kept)) return recreation(resource, { code: 'delete-policy' })
  return update(resource, live, answer, { input, planning })
}

/** An object that an earlier stage of this very plan made: a hook of several events. */
function again(resource: Resource, { observed }: PlanInput): Change {
  if (isRecreated(resource, observed.kept)) return recreation(resource, { code: 'delete-policy' })
  return applied('update', unknownYet('dry-run-refused'))
}

function recreation(resource: Resource, reason: Reason): Change {
  return resource.directives.skips.includes('recreate') ? left('skip-recreate') : applied('recreate', reason)
}

function creation(resource: Resource, answer: DryRun, input: PlanInput, planning: Planning): Change {
  switch (answer.kind) {
    case 'accepted':
      return { ...applied('create', { code: 'new' }), ...told(answer), result: answer.object }
    case 'unchanged':
    case 'not-asked':
      return applied('create', { code: 'new' })
    case 'not-possible':
      return applied('create', unknownYet('dry-run-refused'))
    case 'namespace-missing': {
      const namespace = resource.manifest.ref.namespace ?? ''
      return isNamespaceComing(namespace, input)
        ? applied('create', unknownYet('namespace-missing'))
        : blocked(namespaceProblem(namespace))
    }
    case 'kind-not-served':
      return mayBeServedLater(resource, input, planning)
        ? applied('create', unknownYet('kind-not-served'))
        : blocked(unservedProblem(resource))
    case 'conflict':
    case 'immutable':
    case 'forbidden':
    case 'not-found':
    case 'refused':
      return refused(resource, answer, planning, 'create')
    default:
      return unreachable(answer)
  }
}

function update(
  resource: Resource,
  live: KubeObject,
  answer: DryRun,
  context: { readonly input: PlanInput; readonly planning: Planning },
): Change {
  switch (answer.kind) {
    case 'unchanged':
      return applied('none', { code: 'unchanged' })
    case 'accepted': {
      const { reason, result } = reasonOf(resource, live, answer.object, context)
      if (reason.code === 'unchanged') return { ...applied('none', reason), ...told(answer) }
      if (resource.directives.skips.includes('update')) return left('skip-update')
      return { ...applied('update', reason), ...told(answer), result }
    }
    case 'immutable':
      return immutable(resource, live, answer, context)
    case 'not-asked':
    case 'not-possible':
    // Deleted since it was read.
    case 'not-found':
      return applied('update', unknownYet('dry-run-refused'))
    case 'kind-not-served':
    case 'namespace-missing':
      return applied('update', unknownYet(answer.kind))
    case 'conflict':
    case 'forbidden':
    case 'refused':
      return refused(resource, answer, context.planning, 'update')
    default:
      return unreachable(answer)
  }
}

/** Only a finished Job is recreated unasked (docs/decisions/0019). */
function immutable(
  resource: Resource,
  live: KubeObject,
  answer: Extract<DryRun, { kind: 'immutable' }>,
  { input, planning }: { readonly input: PlanInput; readonly planning: Planning },
): Change {
  const { directives, manifest } = resource
  const isJob = manifest.ref.kind === 'Job' && runsToItsEnd(resource)
  const isAsked = directives.deletePolicies.some((policy) => policy !== 'succeeded' && policy !== 'failed')
  if (directives.skips.includes('recreate')) return left('skip-recreate')
  if (isKept(resource, input.observed.kept) || manifest.ref.kind === 'CustomResourceDefinition') {
    return blocked(keptProblem(resource, answer))
  }
  if (isAsked || (isJob && isFinished(live))) {
    return recreation(resource, { code: 'immutable', paths: answer.fields.map(pointerOfField) })
  }
  return isJob ? blocked(runningJobProblem(resource, answer)) : refused(resource, answer, planning, 'update')
}

/** A Job with its final condition, or a Pod in its final phase. */
export function isFinished(live: KubeObject): boolean {
  const phase = stringAt(live, 'status', 'phase')
  if (phase === 'Succeeded' || phase === 'Failed') return true
  return arrayAt(live, 'status', 'conditions').some((condition) => {
    const type = stringAt(condition, 'type')
    return (type === 'Complete' || type === 'Failed') && stringAt(condition, 'status') === 'True'
  })
}

/** Where the schema that refused the object is replaced by this very plan, the refusal says nothing. */
function refused(resource: Resource, answer: Refused, planning: Planning, doing: 'create' | 'update'): Change {
  const { apiVersion, kind } = resource.manifest.ref
  if (answer.kind === 'refused' && planning.coming.has(`${groupOf(apiVersion)}/${kind}`)) {
    return applied(doing, unknownYet('dry-run-refused'))
  }
  return blocked(refusalProblem(resource, answer))
}

/** By a CRD of this plan, or by a hook that installs CRDs as public charts do. */
function mayBeServedLater(resource: Resource, input: PlanInput, planning: Planning): boolean {
  const { apiVersion, kind } = resource.manifest.ref
  const groupKind = `${groupOf(apiVersion)}/${kind}`
  if (input.comingKinds.includes(groupKind)) return true
  return input.desired.some(({ directives, manifest }) => {
    // One that stands later in the plan comes too late.
    if (kindOfCrd(manifest.object) === groupKind) return planning.existing.has(refKey(manifest.ref))
    const runsBefore = directives.occasions.some(({ verb, stage }) => verb === input.verb && stage === 'pre')
    return runsBefore && (manifest.ref.kind === 'Job' || manifest.ref.kind === 'Pod')
  })
}

function unknownYet(because: 'kind-not-served' | 'namespace-missing' | 'dry-run-refused'): Reason {
  return { code: 'unknown-until-applied', because }
}

function applied(change: ChangeKind, reason: Reason): ApplyChange {
  return { kind: 'apply', change, reason }
}

function told({ isWithoutDryRun }: Extract<DryRun, { kind: 'accepted' }>): Pick<ApplyChange, 'isWithoutDryRun'> {
  return isWithoutDryRun === true ? { isWithoutDryRun } : {}
}

function left(detail: string): Change {
  return { kind: 'leave', reason: 'skip-policy', detail }
}

function blocked(problem: Problem): Change {
  return { kind: 'blocked', problem }
}

/** `/spec/containers/0/image` of the server's `spec.containers[0].image`. */
function pointerOfField(field: string): string {
  return pointerOf(field.split(/[.[\]]+/).filter((step) => step !== ''))
}
