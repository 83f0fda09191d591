import type { HandOver } from './handed-over.ts'
import type { KubeObject } from './object.ts'
import type { ObjectRefusal, Refusal } from './refusal.ts'

/** What the cluster says about the objects of a release, read without a single write. Keys are `refKey(ref)`. */
export interface Observed {
  readonly live: ReadonlyMap<string, KubeObject>
  /** Live objects that ask to be kept, whatever the chart says: nothing may delete them (docs/decisions/0008). */
  readonly kept: ReadonlySet<string>
  readonly dryRuns: ReadonlyMap<string, DryRun>
  /** Bodies as they would be sent, with ownership metadata and without fields that another field manager keeps. */
  readonly bodies: ReadonlyMap<string, KubeObject>
  /** What manager `helm` takes over before the apply: of objects last applied client-side by Helm 3. */
  readonly handOvers: ReadonlyMap<string, HandOver>
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
  | DryRunRefusal
  /** Refused by validation, admission or quota. */
  | { readonly kind: 'refused'; readonly refusal: ObjectRefusal }
  /**
   * A webhook does not support dry runs, or cannot be called: only the apply will show its answer. `object`: what a live
   * object would be afterwards, computed from the rendered fields.
   */
  | {
      readonly kind: 'not-possible'
      readonly because: 'dry-run-refused' | 'webhook-down'
      readonly object?: KubeObject
    }
  /** Not asked: the object is deleted first (hooks, recreation), or this verb does not apply it. */
  | { readonly kind: 'not-asked' }

/** Refusals that the plan can act on, or reports as a problem of its own. */
type DryRunRefusal = Extract<
  Refusal,
  { kind: 'conflict' | 'immutable' | 'forbidden' | 'kind-not-served' | 'namespace-missing' | 'not-found' }
>
