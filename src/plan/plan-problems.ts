import { reasonOfRefusal } from '../model/api-refusal.ts'
import type { Resource } from '../model/directives.ts'
import type { Hint } from '../model/hint.ts'
import type { DryRun } from '../model/observed.ts'
import type { Problem } from '../model/problem.ts'
import type { FieldConflict, ObjectRefusal, RefusalKind } from '../model/refusal.ts'
import type { ServedKind } from '../model/served.ts'
import type { Judged } from './new-schema.ts'
import { readingRights } from './rights.ts'

/** Answers that leave no change to make. */
export type Refused = Extract<DryRun, { kind: 'conflict' | 'immutable' | 'forbidden' | 'not-found' | 'refused' }>
type Immutable = Extract<DryRun, { kind: 'immutable' }>

/** Why the API server will not take an object, as a problem with its way out. */
export function refusalProblem(resource: Resource, answer: Refused): Problem {
  const refusal = answer.kind === 'refused' ? answer.refusal : answer
  return problemAt(resource, { what: refusedDryRunText(refusal), ...consequenceOf(refusal.kind) })
}

/** The CRD comes before the object in this plan, and its schema refuses it then. */
export function newSchemaProblem(resource: Resource, { crd, problems }: Extract<Judged, { kind: 'refused' }>): Problem {
  const what = problems.map(({ field, what: why }) => (field === '' ? why : `${field} ${why}`)).join('; ')
  return problemAt(resource, {
    what: `by the schema that CRD ${crd} gets in this plan: ${what}`,
    ...consequenceOf('invalid'),
  })
}

/** `keep`, or a CRD, meets a change that only a recreation could make (docs/decisions/0019). */
export function keptProblem(resource: Resource, answer: Immutable): Problem {
  return problemAt(resource, {
    reason: 'immutable',
    what: fieldsText(answer),
    hint: { kind: 'object-is-never-deleted' },
  })
}

export function runningJobProblem(resource: Resource, answer: Immutable): Problem {
  return problemAt(resource, {
    reason: 'immutable',
    what: `${fieldsText(answer)}, and the Job is still running`,
    hint: { kind: 'wait-for-job' },
  })
}

export function unreadableProblem(resource: Resource, message: string, served: readonly ServedKind[]): Problem {
  const rights = readingRights(resource.manifest.ref, served)
  const hint: Hint = rights.length === 0 ? { kind: 'grant-reading' } : { kind: 'bind-role', rights }
  return problemAt(resource, { reason: 'forbidden', what: message, hint })
}

export function unservedProblem(resource: Resource): Problem {
  const { apiVersion, kind } = resource.manifest.ref
  return problemAt(resource, {
    what: `the cluster does not serve ${kind} of ${apiVersion}`,
    ...consequenceOf('kind-not-served'),
  })
}

/** Of many objects, not of one of them. */
export function namespaceProblem(namespace: string): Problem {
  return {
    severity: 'error',
    place: {},
    what: `namespace ${namespace} does not exist`,
    ...consequenceOf('namespace-missing'),
  }
}

export function consequenceOf(kind: RefusalKind): Pick<Problem, 'reason' | 'hint'> {
  return { reason: reasonOfRefusal(kind), hint: { kind: 'refused-dry-run', refusal: { kind } } }
}

function problemAt(resource: Resource, found: Pick<Problem, 'reason' | 'what' | 'hint'>): Problem {
  const { origin, ref } = resource.manifest
  const place = origin.line === undefined ? { file: origin.file, ref } : { file: origin.file, line: origin.line, ref }
  return { severity: 'error', place, ...found }
}

function refusedDryRunText(refusal: Exclude<Refused, { kind: 'refused' }> | ObjectRefusal): string {
  if (refusal.kind === 'conflict') {
    return `fields are owned by other field managers: ${refusal.conflicts.map(conflictText).join(', ')}`
  }
  return refusal.kind === 'immutable' ? fieldsText(refusal) : refusal.message
}

function fieldsText({ fields, message }: Immutable): string {
  return fields.length === 0 ? message : `${fields.join(', ')} ${fields.length === 1 ? 'is' : 'are'} immutable`
}

function conflictText(conflict: FieldConflict): string {
  return `${conflict.field} (${conflict.manager})`
}
