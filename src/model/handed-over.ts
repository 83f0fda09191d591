import type { KubeObject } from './object.ts'

/**
 * What field manager `helm` takes over right before an apply, so that the apply removes it where the new manifest lacks
 * it (docs/decisions/0006).
 */
export interface HandOver {
  /**
   * Of what Helm applied client-side only that which stands in one of these manifests: the others are defaults. Absent:
   * all of it, because nobody knows what Helm wrote.
   */
  readonly written?: readonly KubeObject[]
  /** JSON pointers of defaults that nobody owns and that the API server refuses beside the new manifest. */
  readonly unset?: readonly string[]
}
