import type { AccessRequest } from './access.ts'

/**
 * What an error of the API server means: why a request was refused, or why there was no answer. `message` is the
 * server's.
 */
export type Refusal =
  /** Fields belong to other field managers, and the apply was not forced. */
  | { readonly kind: 'conflict'; readonly message: string; readonly conflicts: readonly FieldConflict[] }
  /** The object must be recreated for this change. `fields` is empty where the server names none. */
  | { readonly kind: 'immutable'; readonly message: string; readonly fields: readonly string[] }
  /** A field has a wrong value. `fields`: those that the server names. */
  | { readonly kind: 'invalid'; readonly message: string; readonly fields: readonly string[] }
  /** The account lacks a right. `right` is absent where the message does not name it. */
  | { readonly kind: 'forbidden'; readonly message: string; readonly right?: AccessRequest }
  | { readonly kind: 'kind-not-served' }
  | { readonly kind: 'namespace-missing' }
  | { [Kind in WordedKind]: { readonly kind: Kind; readonly message: string } }[WordedKind]

export type RefusalKind = Refusal['kind']

export interface FieldConflict {
  readonly manager: string
  /** As the API server writes it: `.spec.replicas`. */
  readonly field: string
}

/** The server refuses the object itself. */
export type ObjectRefusal = Extract<Refusal, { kind: ObjectKind | 'invalid' }>

type ObjectKind =
  /** The object is not the one that the request was made for: another `resourceVersion` or `uid`. */
  | 'changed-meanwhile'
  | 'already-exists'
  /** The object grants rights that the account does not have itself. */
  | 'escalation'
  | 'quota'
  | 'webhook-denied'
  /** A policy or a plugin of the server: Pod Security, ValidatingAdmissionPolicy, LimitRange, PriorityClass. */
  | 'admission-denied'
  | 'namespace-terminating'
  /** Any other answer, such as a body that the server cannot decode. */
  | 'rejected'

/** Kinds that have the server's message and nothing else. */
type WordedKind =
  | ObjectKind
  /** An admission or conversion webhook does not answer. */
  | 'webhook-failed'
  /** A webhook with side effects cannot be asked in a dry run. */
  | 'dry-run-unsupported'
  | 'not-found'
  /** The credentials are not accepted. */
  | 'unauthorized'
  | 'throttled'
  | 'server-error'
  | 'unreachable'
