/** One right, as RBAC names it. */
export interface AccessRequest {
  readonly verb: string
  readonly group: string
  /** Plural, with a subresource where that is meant: `pods/log`. */
  readonly resource: string
  /** Absent: of the whole cluster. */
  readonly namespace?: string
  readonly name?: string
}

/** A right that a plan needs. */
export interface NeededRight extends AccessRequest {
  /** The run works without it, and shows less. */
  readonly isAdvisory?: true
}
