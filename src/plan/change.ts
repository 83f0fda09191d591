import { pointerOf } from '../manifest/pointer.ts'
import { isKept, isRecreated, runsToItsEnd } from '../manifest/recreation.ts'
import type { Resource } from '../model/directives.ts'
import { arrayAt, type KubeObject, stringAt } from '../model/object.ts'
import type { DryRun, FieldConflict } from '../model/observed.ts'
import type { ChangeKind, Reason, UntouchedReason } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import { groupOf, refKey } from '../model/ref.ts'
import { unreachable } from '../model/unreachable.ts'
import { isOwner, ownershipProblem } from './owner.ts'
import type { PlanInput } from './plan-input.ts'
import type { Planning } from './planning.ts'
import { reasonOf } from './reason.ts'

/** What is to be done with one resource, or why nothing can or shall be done. */
export type Change =
  | { readonly kind: 'apply'; readonly change: ChangeKind; readonly reason: Reason; readonly result?: KubeObject }
  | { readonly kind: 'leave'; readonly reason: UntouchedReason; readonly detail?: string }
  | { readonly kind: 'blocked'; readonly problem: Problem }

const unknownYet = (because: 'kind-not-served' | 'namespace-missing' | 'dry-run-refused'): Reason => ({
  code: 'unknown-until-applied',
  because,
})

/** The change to make, or undefined after noting why there is none. */
export function applicableChange(
  resource: Resource,
  input: PlanInput,
  planning: Planning,
): Extract<Change, { kind: 'apply' }> | undefined {
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
  const live = input.observed.live.get(key)
  const unreadable = input.observed.unreadable.get(key)
  if (unreadable !== undefined) return blocked(resource, 'forbidden', unreadable, 'grant the right to read it')
  const answer = input.observed.dryRuns.get(key) ?? { kind: 'not-asked' }
  if (live === undefined) {
    if (planning.existing.has(key)) return again(resource)
    if (directives.skips.includes('create')) return { kind: 'leave', reason: 'skip-policy', detail: 'skip-create' }
    return creation(resource, answer, input, planning)
  }
  if (!isOwner(resource, live, input, planning))
    return { kind: 'blocked', problem: ownershipProblem(resource, live, input) }
  if (isRecreated(resource, live)) return recreation(resource, { code: 'delete-policy' })
  return update(resource, live, answer, { input, planning })
}

/** An object that an earlier stage of this very plan made: a hook of several events. */
function again(resource: Resource): Change {
  if (isRecreated(resource, undefined)) return recreation(resource, { code: 'delete-policy' })
  return { kind: 'apply', change: 'update', reason: unknownYet('dry-run-refused') }
}

function recreation(resource: Resource, reason: Reason): Change {
  if (resource.directives.skips.includes('recreate'))
    return { kind: 'leave', reason: 'skip-policy', detail: 'skip-recreate' }
  return { kind: 'apply', change: 'recreate', reason }
}

function creation(resource: Resource, answer: DryRun, input: PlanInput, planning: Planning): Change {
  const create = (reason: Reason, result?: KubeObject): Change =>
    result === undefined
      ? { kind: 'apply', change: 'create', reason }
      : { kind: 'apply', change: 'create', reason, result }
  switch (answer.kind) {
    case 'accepted':
      return create({ code: 'new' }, answer.object)
    case 'unchanged':
    case 'not-asked':
      return create({ code: 'new' })
    case 'not-possible':
      return create(unknownYet('dry-run-refused'))
    case 'namespace-missing':
      return isNamespaceComing(resource, input)
        ? create(unknownYet('namespace-missing'))
        : { kind: 'blocked', problem: missingNamespace(resource.manifest.ref.namespace ?? '') }
    case 'kind-not-served':
      return mayBeServedLater(resource, input, planning)
        ? create(unknownYet('kind-not-served'))
        : blocked(
            resource,
            'rejected',
            `the cluster does not serve ${resource.manifest.ref.kind} of ${resource.manifest.ref.apiVersion}`,
            'install the CustomResourceDefinition first, or correct apiVersion and kind',
          )
    case 'conflict':
    case 'immutable':
    case 'forbidden':
    case 'refused':
      return refusal(resource, answer, planning, 'create')
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
  const { input, planning } = context
  switch (answer.kind) {
    case 'unchanged':
      return { kind: 'apply', change: 'none', reason: { code: 'unchanged' } }
    case 'accepted': {
      const { reason, result } = reasonOf(resource, live, answer.object, { input, planning })
      if (reason.code === 'unchanged') return { kind: 'apply', change: 'none', reason }
      if (resource.directives.skips.includes('update'))
        return { kind: 'leave', reason: 'skip-policy', detail: 'skip-update' }
      return { kind: 'apply', change: 'update', reason, result }
    }
    case 'immutable':
      return immutable(resource, live, answer, planning)
    case 'not-asked':
    case 'not-possible':
      return { kind: 'apply', change: 'update', reason: unknownYet('dry-run-refused') }
    case 'kind-not-served':
    case 'namespace-missing':
      return { kind: 'apply', change: 'update', reason: unknownYet(answer.kind) }
    case 'conflict':
    case 'forbidden':
    case 'refused':
      return refusal(resource, answer, planning, 'update')
    default:
      return unreachable(answer)
  }
}

/** Design decision 5: only a finished Job is recreated unasked. */
function immutable(
  resource: Resource,
  live: KubeObject,
  answer: Extract<DryRun, { kind: 'immutable' }>,
  planning: Planning,
): Change {
  const { directives, manifest } = resource
  const reason: Reason = { code: 'immutable', paths: answer.fields.map(pointerOfField) }
  const isJob = manifest.ref.kind === 'Job' && runsToItsEnd(resource)
  const isAsked = directives.deletePolicies.some((policy) => policy !== 'succeeded' && policy !== 'failed')
  if (directives.skips.includes('recreate')) return { kind: 'leave', reason: 'skip-policy', detail: 'skip-recreate' }
  if (isKept(resource, live) || manifest.ref.kind === 'CustomResourceDefinition') {
    return blocked(
      resource,
      'immutable',
      fieldsText(answer),
      'the object is never deleted: change it by hand, or undo the change',
    )
  }
  if (isAsked || (isJob && isFinished(live))) return recreation(resource, reason)
  if (isJob) {
    return blocked(
      resource,
      'immutable',
      `${fieldsText(answer)}, and the Job is still running`,
      'wait for it, or set werf.io/delete-policy: before-creation',
    )
  }
  return refusal(resource, answer, planning, 'update')
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

type Refusal = Extract<DryRun, { kind: 'conflict' | 'immutable' | 'forbidden' | 'refused' }>

function refusal(resource: Resource, answer: Refusal, planning: Planning, doing: 'create' | 'update'): Change {
  switch (answer.kind) {
    case 'conflict':
      return blocked(
        resource,
        'conflict',
        `fields belong to other managers: ${answer.conflicts.map(conflictText).join(', ')}`,
        'remove the fields from the chart, or set the input force-conflicts to true',
      )
    case 'immutable':
      return blocked(
        resource,
        'immutable',
        fieldsText(answer),
        'undo the change, or set werf.io/delete-policy: before-creation-if-immutable on the object',
      )
    case 'forbidden':
      return blocked(resource, 'forbidden', answer.message, 'grant the right, or deploy with another account')
    case 'refused': {
      const { apiVersion, kind } = resource.manifest.ref
      // The schema that refused it is replaced by this very plan.
      if (planning.coming.has(`${groupOf(apiVersion)}/${kind}`)) {
        return { kind: 'apply', change: doing, reason: unknownYet('dry-run-refused') }
      }
      return blocked(resource, 'rejected', answer.message, 'correct the manifest, or the policy that refuses it')
    }
    default:
      return unreachable(answer)
  }
}

function isNamespaceComing(resource: Resource, input: PlanInput): boolean {
  const { namespace } = resource.manifest.ref
  if (namespace === input.namespace && input.options.createNamespace) return true
  return input.desired.some(({ manifest }) => manifest.ref.kind === 'Namespace' && manifest.ref.name === namespace)
}

/** By a CRD of this plan, or by a hook that installs CRDs as public charts do. */
function mayBeServedLater(resource: Resource, input: PlanInput, planning: Planning): boolean {
  const { apiVersion, kind } = resource.manifest.ref
  if (planning.coming.has(`${groupOf(apiVersion)}/${kind}`)) return true
  return input.desired.some(({ directives, manifest }) => {
    const runsBefore = directives.occasions.some(({ verb, stage }) => verb === input.verb && stage === 'pre')
    return runsBefore && (manifest.ref.kind === 'Job' || manifest.ref.kind === 'Pod')
  })
}

function blocked(resource: Resource, reason: Problem['reason'], what: string, hint: string): Change {
  const { origin, ref } = resource.manifest
  const place = origin.line === undefined ? { file: origin.file, ref } : { file: origin.file, line: origin.line, ref }
  return { kind: 'blocked', problem: { severity: 'error', reason, place, what, hint } }
}

function missingNamespace(namespace: string): Problem {
  return {
    severity: 'error',
    reason: 'invalid-input',
    place: {},
    what: `namespace ${namespace} does not exist`,
    hint: 'create it, or set the input create-namespace to true where it is the namespace of the release',
  }
}

/** `/spec/containers/0/image` of the server's `spec.containers[0].image`. */
function pointerOfField(field: string): string {
  return pointerOf(field.split(/[.[\]]+/).filter((step) => step !== ''))
}

function fieldsText(answer: { readonly fields: readonly string[] }): string {
  return `${answer.fields.join(', ')} may not change`
}

function conflictText(conflict: FieldConflict): string {
  return `${conflict.field} (${conflict.manager})`
}
