import type { KubeObject } from './object.ts'

/** What the cluster says about the objects of a release, read without a single write. Keys are `refKey(ref)`. */
export interface Observed {
  readonly live: ReadonlyMap<string, KubeObject>
  readonly dryRuns: ReadonlyMap<string, DryRun>
  /** Bodies as they would be sent, with ownership marks and without fields that another manager owns for good. */
  readonly bodies: ReadonlyMap<string, KubeObject>
  /** Objects of Helm 3's client-side apply: their managed fields are migrated before the apply. */
  readonly migrates: ReadonlySet<string>
  /** Objects that could not be read, with the server's message. */
  readonly unreadable: ReadonlyMap<string, string>
  /** Namespaces that objects of the release live in and that do not exist yet. */
  readonly missingNamespaces: ReadonlySet<string>
  /** ResourceQuotas of the namespaces in which objects are to be created, as far as they may be read. */
  readonly quotas?: readonly KubeObject[]
}

/** The API server's answer to a dry run of one object. */
export type DryRun =
  /** `object`: what the object would be afterwards; computed from the rendered fields where the account may not ask. */
  | { readonly kind: 'accepted'; readonly object: KubeObject; readonly isWithoutDryRun?: true }
  /** Nothing would change: known without asking, because neither the manifest nor the live object changed. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'conflict'; readonly message: string; readonly conflicts: readonly FieldConflict[] }
  | { readonly kind: 'immutable'; readonly message: string; readonly fields: readonly string[] }
  | { readonly kind: 'forbidden'; readonly message: string }
  /** Validation, admission or quota said no. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'kind-not-served' }
  | { readonly kind: 'namespace-missing' }
  /** A webhook with side effects cannot be asked. */
  | { readonly kind: 'not-possible'; readonly message: string }
  /** Not asked: the object is deleted first (hooks, recreation), or this verb does not apply it. */
  | { readonly kind: 'not-asked' }

export interface FieldConflict {
  readonly manager: string
  /** As the API server writes it: `.spec.replicas`. */
  readonly field: string
}
