/** Kinds that the API server serves, from discovery. */
export interface ServedKind {
  readonly group: string
  readonly version: string
  readonly kind: string
  /** Plural name in URLs. */
  readonly resource: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly isNamespaced: boolean
  /** Whether the kind has a `status` subresource. */
  readonly hasStatus: boolean
  /** Whether this is the group's preferred version. */
  readonly isPreferred: boolean
}
