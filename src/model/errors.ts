import type { Hint } from './hint.ts'
import type { Failure, FailureReason } from './outcome.ts'
import type { Problem } from './problem.ts'
import type { Ref } from './ref.ts'

/** Ends a pass. Carries the whole failure; `cause` is kept for the debug log. */
export class DeployError extends Error {
  override readonly name = 'DeployError'
  readonly failure: Failure
  constructor(failure: Failure, options?: ErrorOptions) {
    super(`${failure.doing}: ${failure.message}`, options)
    this.failure = failure
  }
}

/** Ends a run before its first write, with all problems of the input. */
export class ProblemsError extends Error {
  override readonly name = 'ProblemsError'
  readonly problems: readonly Problem[]
  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => problem.what).join('; '))
    this.problems = problems
  }
}

/**
 * The API server's answer to one request, or the lack of one, translated at the adapter.
 * `status` is the HTTP status; 0 where no answer came (`reason: Unreachable`).
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly details: {
    readonly doing: string
    readonly status: number
    /** Kubernetes' `reason` (`NotFound`, `Conflict`, `Invalid`, `Forbidden`), or `Unreachable`. */
    readonly reason: string
    readonly message: string
    readonly ref?: Ref
    readonly causes: readonly ApiCause[]
  }
  constructor(details: ApiError['details'], options?: ErrorOptions) {
    super(`${details.doing}: ${details.message}`, options)
    this.details = details
  }
}

/** One cause of a Kubernetes Status: `{ reason: 'FieldValueInvalid', field: 'spec.selector', message }`. */
export interface ApiCause {
  readonly reason: string
  readonly field: string
  readonly message: string
}

export function isApiError(error: unknown, ...reasons: readonly string[]): error is ApiError {
  return error instanceof ApiError && (reasons.length === 0 || reasons.includes(error.details.reason))
}

/** Rendering failed. Chart, template and line as Helm names them. */
export class RenderError extends Error {
  override readonly name = 'RenderError'
  readonly details: {
    readonly message: string
    readonly chart?: string
    readonly template?: string
    readonly line?: number
    readonly reason?: FailureReason
  }
  constructor(details: RenderError['details'], options?: ErrorOptions) {
    super(details.message, options)
    this.details = details
  }
}

/** A chart, or a values file, could not be fetched. */
export class FetchError extends Error {
  override readonly name = 'FetchError'
  readonly details: {
    /** What was wrong, as one clause that names the source: `https://charts.example/index.yaml does not exist (404)`. */
    readonly what: string
    readonly hint: Hint
    /** What else of the same chart could not be fetched. */
    readonly others?: readonly FetchError[]
  }
  constructor(details: FetchError['details'], options?: ErrorOptions) {
    super(details.what, options)
    this.details = details
  }
}

/** What kept a comment from being read or written, and what the user can do about it. */
export class CommentError extends Error {
  override readonly name = 'CommentError'
  /**
   * `permission`: the token may not; `too-long`: the body must be shorter; `other`: GitHub cannot be reached or fails.
   */
  readonly kind: 'permission' | 'too-long' | 'other'
  /** What failed, as one clause; the message may go on with what to do. */
  readonly what: string
  constructor(
    kind: CommentError['kind'],
    { what, advice }: { readonly what: string; readonly advice?: string },
    options?: ErrorOptions,
  ) {
    super(advice === undefined ? what : `${what}. ${advice}`, options)
    this.kind = kind
    this.what = what
  }
}

/** Text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
