/** Verdict on one live object. */
export type Readiness =
  | { readonly state: 'ready'; readonly reason: ReadinessReason }
  | {
      readonly state: 'progressing'
      readonly reason: ReadinessReason
      /** After this many seconds without a change of the verdict it becomes `then` (docs/decisions/0022). */
      readonly afterSeconds?: number
      readonly then?: Readiness
    }
  | { readonly state: 'failed'; readonly reason: ReadinessReason }
  | { readonly state: 'unknown'; readonly reason: ReadinessReason }

/** Why, as data; sentences are made in `report/`. `message` and names are foreign text. */
export type ReadinessReason =
  | { readonly code: 'replicas'; readonly what: ReplicaCount; readonly have: number; readonly want: number }
  | {
      readonly code: 'condition'
      readonly type: string
      readonly status: string
      readonly reason?: string
      readonly message?: string
    }
  | { readonly code: 'field'; readonly path: string; readonly value: string; readonly message?: string }
  | { readonly code: 'generation'; readonly observed: number; readonly want: number }
  | {
      readonly code: 'pod'
      readonly pod: string
      readonly container?: string
      /** Kubernetes' own word: `CrashLoopBackOff`, `ImagePullBackOff`, `Unschedulable`, `Failed`. */
      readonly problem: string
      readonly message?: string
      readonly exitCode?: number
      readonly restarts?: number
    }
  | { readonly code: 'address-missing' }
  | { readonly code: 'unbound'; readonly phase: string }
  | { readonly code: 'waits-for-first-consumer' }
  | { readonly code: 'names-not-accepted'; readonly message?: string }
  | { readonly code: 'not-served' }
  | { readonly code: 'absent' }
  | { readonly code: 'deleting'; readonly finalizers: readonly string[] }
  | { readonly code: 'no-status' }
  | { readonly code: 'suspended' }
  /** It succeeded where a failure was expected (Helm 2's `test-failure`). */
  | { readonly code: 'no-failure' }
  | { readonly code: 'exists' }
  | { readonly code: 'property'; readonly path: string; readonly have: string | null; readonly want: string }

export type ReplicaCount = 'updated' | 'ready' | 'available' | 'old' | 'scheduled' | 'current' | 'succeeded'

/** What the rules know in addition to the object and its relatives. */
export interface ReadinessFacts {
  /** Now, in ms since the epoch, from the injected clock. */
  readonly nowMs: number
  /** Whether the CRD of this object's kind has a status subresource; absent for built-in kinds. */
  readonly hasStatusSubresource?: boolean
  /** `volumeBindingMode` of the claim's StorageClass, for PersistentVolumeClaims. */
  readonly volumeBindingMode?: string
  /** Whether discovery serves the kind that a CRD defines, for CRDs. */
  readonly isServed?: boolean
  /** Since when this run waits for the object: what a controller reported before may be about an older spec. */
  readonly waitingSinceMs?: number
  /** More failures of pods than this fail the resource. */
  readonly failuresAllowed?: number
}
