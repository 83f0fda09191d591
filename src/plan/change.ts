import { isBuiltIn } from '../manifest/built-in-kinds.ts'
import { pointerOfField } from '../manifest/json-pointer.ts'
import { isKept, isRecreated } from '../manifest/recreation.ts'
import { defined } from '../model/defined.ts'
import type { Resource } from '../model/directives.ts'
import { arrayAt, type KubeObject, stringAt } from '../model/object.ts'
import type { DryRun } from '../model/observed.ts'
import type { ChangeKind, Reason, UntouchedReason } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import { refKey } from '../model/ref.ts'
import { unreachable } from '../model/unreachable.ts'
import { changeReason } from './change-reason.ts'
import {
  isLeftOutByCrd,
  liveByThen,
  mayBeServedByThen,
  mayGetUnknownSchema,
  namespaceExistsByThen,
  type PlanContext,
} from './context.ts'
import { isJudgedAnew } from './judged-before.ts'
import { isRefusedBySchema, type Judged, judgedByNewSchema } from './new-schema.ts'
import { isOwner, ownershipProblem } from './owner.ts'
import {
  keptProblem,
  namespaceProblem,
  newSchemaProblem,
  type Refused,
  refusalProblem,
  runningJobProblem,
  unreadableProblem,
  unservedProblem,
} from './plan-problems.ts'
import { isSharedCrd, servesMore } from './shared-crd.ts'

export interface ApplyChange {
  readonly kind: 'apply'
  readonly change: ChangeKind
  readonly reason: Reason
  /** The object afterwards, by the dry run. Absent where there was none. */
  readonly result?: KubeObject
  readonly isWithoutDryRun?: true
  /** The CRD by whose new schema the object was judged. */
  readonly newSchema?: string
}

/** What to do with one resource, or why nothing is done. */
export type Change =
  | ApplyChange
  | { readonly kind: 'leave'; readonly reason: UntouchedReason; readonly detail?: string }
  | { readonly kind: 'blocked'; readonly problem: Problem }

/** What to do with the resource, at this point of the plan. Complexity: linear in the size of the object. */
export function plannedChange(resource: Resource, context: PlanContext): Change {
  const { existing, input } = context
  const { directives, manifest } = resource
  const key = refKey(manifest.ref)
  const live = liveByThen(manifest.ref, context)
  const unreadable = input.observed.unreadable.get(key)
  if (unreadable !== undefined) return blocked(unreadableProblem(resource, unreadable, input.served))
  const answer = input.observed.dryRuns.get(key) ?? { kind: 'not-asked' }
  if (live === undefined) {
    if (existing.has(key)) return changeOfAlreadyMade(resource, answer, context)
    if (directives.skips.includes('create')) return left('skip-create')
    return creation(resource, input.observed.live.has(key) ? answerForNewObject(answer) : answer, context)
  }
  if (!isOwner(resource, live, context)) {
    if (isSharedCrd(resource)) return changeOfForeignCrd(resource, live, answer, context)
    return blocked(ownershipProblem(resource, live, input))
  }
  if (isRecreated(resource, { kept: input.observed.kept, verb: input.verb }))
    return recreation(resource, { code: 'delete-policy' })
  return update(resource, live, answer, context)
}

/** Of an object that an earlier stage of the same plan made from the same body: a hook of several events. */
function changeOfAlreadyMade(resource: Resource, answer: DryRun, { input }: PlanContext): Change {
  if (isRecreated(resource, { kept: input.observed.kept, verb: input.verb }))
    return recreation(resource, { code: 'delete-policy' })
  if (answer.kind !== 'accepted') return applied('update', unknownYet('dry-run-refused'))
  return { ...applied('update', { code: 'unchanged' }), ...dryRunMark(answer), result: answer.object }
}

/** Of a CRD that another release owns: the deploy takes nothing from what that one serves, and does not fail by it. */
function changeOfForeignCrd(resource: Resource, live: KubeObject, answer: DryRun, context: PlanContext): Change {
  if (answer.kind === 'unchanged') return applied('none', { code: 'unchanged' })
  if (answer.kind === 'accepted') {
    const isSame = changeReason(resource, live, answer.object, context).code === 'unchanged'
    if (isSame || servesMore(live, answer.object)) return acceptedUpdate(resource, live, answer, context)
  }
  return { kind: 'leave', reason: 'not-owned', detail: 'a CRD is updated only where it serves more than before' }
}

function recreation(resource: Resource, reason: Reason): Change {
  return resource.directives.skips.includes('recreate') ? left('skip-recreate') : applied('recreate', reason)
}

/** What still holds of an answer about an object that the plan has deleted by then. */
function answerForNewObject(answer: DryRun): DryRun {
  return ABOUT_THE_OLD_OBJECT.has(answer.kind) ? { kind: 'not-asked' } : answer
}

const ABOUT_THE_OLD_OBJECT: ReadonlySet<DryRun['kind']> = new Set(['accepted', 'conflict', 'immutable', 'not-found'])

function creation(resource: Resource, answer: DryRun, context: PlanContext): Change {
  const judged = judgedByNewSchema(resource, undefined, answer, context)
  if (judged?.kind === 'refused') return blocked(newSchemaProblem(resource, judged))
  const created = (reason: Reason): ApplyChange => ({ ...applied('create', reason), ...schemaMark(judged) })
  switch (answer.kind) {
    case 'accepted':
      return { ...created({ code: 'new' }), ...dryRunMark(answer), result: judged?.object ?? answer.object }
    case 'unchanged':
    case 'not-asked':
      return created({ code: 'new' })
    case 'not-possible':
      return created(unknownYet(answer.because))
    case 'namespace-missing': {
      const namespace = resource.manifest.ref.namespace ?? ''
      return namespaceExistsByThen(namespace, context)
        ? created(unknownYet('namespace-missing'))
        : blocked(namespaceProblem(namespace))
    }
    case 'kind-not-served':
      return mayBeServedByThen(resource.manifest.ref, context) && !isLeftOutByCrd(resource.manifest.ref, context)
        ? created(unknownYet('kind-not-served'))
        : blocked(unservedProblem(resource))
    case 'conflict':
    case 'immutable':
    case 'forbidden':
    case 'not-found':
    case 'refused':
      return refusedChange(resource, answer, 'create', context)
    default:
      return unreachable(answer)
  }
}

function update(resource: Resource, live: KubeObject, answer: DryRun, context: PlanContext): Change {
  switch (answer.kind) {
    case 'unchanged':
      return applied('none', { code: 'unchanged' })
    case 'accepted':
      return acceptedUpdate(resource, live, answer, context)
    case 'immutable':
      return immutable(resource, live, answer, context)
    case 'not-possible':
      return { ...applied('update', unknownYet(answer.because)), ...defined({ result: answer.object }) }
    case 'not-asked':
    // Deleted since it was read.
    case 'not-found':
      return applied('update', unknownYet('dry-run-refused'))
    case 'kind-not-served':
    case 'namespace-missing':
      return applied('update', unknownYet(answer.kind))
    case 'conflict':
    case 'forbidden':
    case 'refused':
      return refusedChange(resource, answer, 'update', context)
    default:
      return unreachable(answer)
  }
}

function acceptedUpdate(
  resource: Resource,
  live: KubeObject,
  answer: Extract<DryRun, { kind: 'accepted' }>,
  context: PlanContext,
): Change {
  const judged = judgedByNewSchema(resource, live, answer, context)
  const object = judged?.kind === 'valid' ? judged.object : answer.object
  const reason = changeReason(resource, live, object, context)
  if (reason.code === 'unchanged') return { ...applied('none', reason), ...dryRunMark(answer) }
  if (resource.directives.skips.includes('update')) return left('skip-update')
  if (judged?.kind === 'refused') return blocked(newSchemaProblem(resource, judged))
  return { ...applied('update', reason), ...dryRunMark(answer), ...schemaMark(judged), result: object }
}

/** Only a finished Job is recreated unasked (docs/decisions/0019). */
function immutable(
  resource: Resource,
  live: KubeObject,
  answer: Extract<DryRun, { kind: 'immutable' }>,
  context: PlanContext,
): Change {
  const { directives, manifest } = resource
  const isJob = isBuiltIn(manifest.ref, 'Job')
  const isAsked = directives.deletePolicies.some((policy) => policy !== 'succeeded' && policy !== 'failed')
  if (directives.skips.includes('recreate')) return left('skip-recreate')
  if (isKept(resource, context.input.observed.kept) || isBuiltIn(manifest.ref, 'CustomResourceDefinition')) {
    return blocked(keptProblem(resource, answer))
  }
  if (isAsked || (isJob && isFinished(live))) {
    return recreation(resource, { code: 'immutable', paths: answer.fields.map(pointerOfField) })
  }
  return isJob ? blocked(runningJobProblem(resource, answer)) : refusedChange(resource, answer, 'update', context)
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

/** The refusal does not count where the object will be judged by another schema. */
function refusedChange(resource: Resource, answer: Refused, doing: 'create' | 'update', context: PlanContext): Change {
  const live = doing === 'create' ? undefined : liveByThen(resource.manifest.ref, context)
  const judged = judgedByNewSchema(resource, live, answer, context)
  if (judged?.kind === 'refused') return blocked(newSchemaProblem(resource, judged))
  if (judged !== undefined) {
    return { ...applied(doing, unknownYet('schema-changes')), ...schemaMark(judged), result: judged.object }
  }
  if (isRefusedBySchema(answer) && mayGetUnknownSchema(resource.manifest.ref, context)) {
    return applied(doing, unknownYet('schema-changes'))
  }
  if (isJudgedAnew(resource, answer, context)) return applied(doing, unknownYet('judged-by-earlier'))
  return blocked(refusalProblem(resource, answer))
}

function unknownYet(because: Extract<Reason, { code: 'unknown-until-applied' }>['because']): Reason {
  return { code: 'unknown-until-applied', because }
}

function applied(change: ChangeKind, reason: Reason): ApplyChange {
  return { kind: 'apply', change, reason }
}

function dryRunMark({ isWithoutDryRun }: Extract<DryRun, { kind: 'accepted' }>): Pick<ApplyChange, 'isWithoutDryRun'> {
  return isWithoutDryRun === true ? { isWithoutDryRun } : {}
}

function schemaMark(judged: Judged | undefined): Pick<ApplyChange, 'newSchema'> {
  return defined({ newSchema: judged?.crd })
}

function left(detail: string): Change {
  return { kind: 'leave', reason: 'skip-policy', detail }
}

function blocked(problem: Problem): Change {
  return { kind: 'blocked', problem }
}
