import type { AccessRequest } from './access.ts'
import { defined } from './defined.ts'
import type { ApiCause, ApiError } from './errors.ts'
import type { Hint } from './hint.ts'
import type { FailureReason } from './outcome.ts'
import { compareText } from './ref.ts'
import type { FieldConflict, Refusal } from './refusal.ts'
import { unreachable } from './unreachable.ts'

/** Wordings for what status and reason do not distinguish: those of Kubernetes and of the rules in public CRDs. */
const IMMUTABLE =
  /immutable|updates to .{1,300} are forbidden|updates may not change |may not change once set|may not be changed|cannot change /i
const QUOTA = /exceeded quota/i
const WEBHOOK_FAILED = /failed calling webhook|conversion webhook/i
const WEBHOOK_DENIED = /admission webhook ".{0,300}" denied|denied the request/i
const POLICY_DENIED = /violates PodSecurity|AdmissionPolicy .{0,1000}denied request/i
const TERMINATING = /because it is being terminated/i
const ESCALATION = /attempting to grant RBAC permissions not currently held/
const RIGHT = /cannot (\w+) resource "([^"]+)"(?: in API group "([^"]*)")?(?: in the namespace "([^"]+)")?/
/** In the messages of Kubernetes' authorizer and admission plugins, but not in those of a proxy in front of it. */
const IS_FORBIDDEN = / is forbidden: /

/**
 * What an error of the API server means, the same for a dry run, an apply and any other request. The message counts
 * more than the status, because webhooks choose their status themselves (docs/decisions/0036).
 */
export function refusalOf({ details }: ApiError): Refusal {
  const { status, reason, message, causes } = details
  if (reason === 'Unreachable' || status === 0) return { kind: 'unreachable', message }
  if (reason === 'NotServed') return { kind: 'kind-not-served' }
  // Before the denials: a webhook passes on the causes of what it validated.
  if (reason === 'Invalid' && causes.length > 0) return invalidObject(message, causes)
  if (QUOTA.test(message)) return { kind: 'quota', message }
  if (WEBHOOK_FAILED.test(message)) return { kind: 'webhook-failed', message }
  if (WEBHOOK_DENIED.test(message)) return { kind: 'webhook-denied', message }
  if (POLICY_DENIED.test(message)) return { kind: 'admission-denied', message }
  if (TERMINATING.test(message)) return { kind: 'namespace-terminating', message }
  if (status === 400 && /dry ?run/i.test(message)) return { kind: 'dry-run-unsupported', message }
  switch (reason) {
    case 'Conflict':
      return conflictingApply(message, causes)
    case 'AlreadyExists':
      return { kind: 'already-exists', message }
    case 'Invalid':
      return IMMUTABLE.test(message)
        ? { kind: 'immutable', message, fields: [] }
        : { kind: 'invalid', message, fields: [] }
    case 'Forbidden':
      return forbiddenRequest(message)
    case 'Unauthorized':
      return { kind: 'unauthorized', message }
    case 'NotFound':
      return /^namespaces "/.test(message) ? { kind: 'namespace-missing' } : { kind: 'not-found', message }
    default:
      return byStatus(status, message)
  }
}

/** The `failure-reason` of a refusal, wherever it was met. */
export function reasonOfRefusal(kind: Refusal['kind']): FailureReason {
  switch (kind) {
    case 'conflict':
    case 'changed-meanwhile':
    case 'already-exists':
      return 'conflict'
    case 'immutable':
      return 'immutable'
    case 'forbidden':
    case 'unauthorized':
      return 'forbidden'
    case 'namespace-missing':
      return 'invalid-input'
    case 'throttled':
    case 'server-error':
    case 'unreachable':
      return 'cluster-unreachable'
    case 'invalid':
    case 'escalation':
    case 'quota':
    case 'webhook-denied':
    case 'admission-denied':
    case 'webhook-failed':
    case 'dry-run-unsupported':
    case 'namespace-terminating':
    case 'not-found':
    case 'kind-not-served':
    case 'rejected':
      return 'rejected'
    default:
      return unreachable(kind)
  }
}

/**
 * What to do about a refusal of an operation, or of a request around it: a Role to paste where the server names the
 * right.
 */
export function hintOfRefusal(where: 'refused-operation' | 'refused-request', refusal: Refusal): Hint {
  return refusal.kind === 'forbidden' && refusal.right !== undefined
    ? { kind: 'bind-role', rights: [refusal.right] }
    : { kind: where, refusal: { kind: refusal.kind } }
}

/** The message of a cause tells a field that may not change from a wrong value. */
function invalidObject(message: string, causes: readonly ApiCause[]): Refusal {
  const immutable = causes.filter((cause) => IMMUTABLE.test(cause.message))
  if (immutable.length > 0) {
    return { kind: 'immutable', message, fields: fieldsOf(immutable) }
  }
  if (WEBHOOK_DENIED.test(message)) return { kind: 'webhook-denied', message }
  if (POLICY_DENIED.test(message)) return { kind: 'admission-denied', message }
  return { kind: 'invalid', message, fields: fieldsOf(causes) }
}

function fieldsOf(causes: readonly ApiCause[]): readonly string[] {
  return causes.flatMap(({ field }) => (field === '' ? [] : [field]))
}

/** Without a field manager among the causes, the object has changed meanwhile. */
function conflictingApply(message: string, causes: readonly ApiCause[]): Refusal {
  const conflicts = causes.flatMap(fieldConflict)
  if (conflicts.length === 0) return { kind: 'changed-meanwhile', message }
  // The API server lists them in another order each time.
  return { kind: 'conflict', message, conflicts: conflicts.toSorted(compareConflicts) }
}

function fieldConflict(cause: ApiCause): FieldConflict[] {
  if (cause.reason !== 'FieldManagerConflict') return []
  const quoted = /conflict with "((?:[^"\\]|\\.)*)"/.exec(cause.message)
  return [{ manager: quoted?.[1] ?? cause.message, field: cause.field }]
}

function compareConflicts(a: FieldConflict, b: FieldConflict): number {
  return compareText(a.field, b.field) || compareText(a.manager, b.manager)
}

/** Admission plugins also answer Forbidden; only the authorizer names a user who "cannot" do it. */
function forbiddenRequest(message: string): Refusal {
  if (ESCALATION.test(message)) return { kind: 'escalation', message }
  const right = rightIn(message)
  if (right !== undefined) return { kind: 'forbidden', message, right }
  return { kind: IS_FORBIDDEN.test(message) ? 'admission-denied' : 'forbidden', message }
}

function rightIn(message: string): AccessRequest | undefined {
  const [, verb, resource, group = '', namespace] = RIGHT.exec(message) ?? []
  if (verb === undefined || resource === undefined) return undefined
  return { verb, group, resource, ...defined({ namespace }) }
}

function byStatus(status: number, message: string): Refusal {
  if (status === 401) return { kind: 'unauthorized', message }
  if (status === 403) return forbiddenRequest(message)
  if (status === 404) return { kind: 'not-found', message }
  if (status === 429) return { kind: 'throttled', message }
  return { kind: status >= 500 ? 'server-error' : 'rejected', message }
}
