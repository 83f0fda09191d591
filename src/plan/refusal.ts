import type { Resource } from '../model/directives.ts'
import type { Hint } from '../model/hint.ts'
import type { DryRun, FieldConflict } from '../model/observed.ts'
import type { Problem } from '../model/problem.ts'
import type { ServedKind } from '../model/served.ts'
import { unreachable } from '../model/unreachable.ts'
import { readingRights } from './rights.ts'

export type Refusal = Extract<DryRun, { kind: 'conflict' | 'immutable' | 'forbidden' | 'refused' }>
type Immutable = Extract<DryRun, { kind: 'immutable' }>

/** Why the API server will not take an object, as a problem with its way out. */
export function refusalProblem(resource: Resource, answer: Refusal): Problem {
  switch (answer.kind) {
    case 'conflict':
      return problemAt(resource, {
        reason: 'conflict',
        what: `fields belong to other managers: ${answer.conflicts.map(conflictText).join(', ')}`,
        hint: 'remove the fields from the chart, or set the input force-conflicts to true',
      })
    case 'immutable':
      return problemAt(resource, {
        reason: 'immutable',
        what: fieldsText(answer),
        hint: 'undo the change, or set werf.io/delete-policy: before-creation-if-immutable on the object',
      })
    case 'forbidden':
      return problemAt(resource, {
        reason: 'forbidden',
        what: answer.message,
        hint: 'grant the right, or deploy with another account',
      })
    case 'refused':
      return problemAt(resource, {
        reason: 'rejected',
        what: answer.message,
        hint: 'correct the manifest, or the policy that refuses it',
      })
    default:
      return unreachable(answer)
  }
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
    reason: 'rejected',
    what: `the cluster does not serve ${kind} of ${apiVersion}`,
    hint: 'install the CustomResourceDefinition first, or correct apiVersion and kind',
  })
}

/** Of many objects, not of one of them. */
export function namespaceProblem(namespace: string): Problem {
  return {
    severity: 'error',
    reason: 'invalid-input',
    place: {},
    what: `namespace ${namespace} does not exist`,
    hint: 'create it, or set the input create-namespace to true where it is the namespace of the release',
  }
}

function problemAt(resource: Resource, found: Pick<Problem, 'reason' | 'what' | 'hint'>): Problem {
  const { origin, ref } = resource.manifest
  const place = origin.line === undefined ? { file: origin.file, ref } : { file: origin.file, line: origin.line, ref }
  return { severity: 'error', place, ...found }
}

function fieldsText(answer: { readonly fields: readonly string[] }): string {
  return `${answer.fields.join(', ')} may not change`
}

function conflictText(conflict: FieldConflict): string {
  return `${conflict.field} (${conflict.manager})`
}
