import type { AccessRequest } from './access.ts'
import type { InputHint } from './input-hint.ts'
import type { RefusalKind } from './refusal.ts'

/** What to do next about a failure or a problem, as data: `report/` words it. Only `kind` is printed as it is. */
export type Hint =
  | InputHint
  | { readonly kind: PlainHint | BaseHint }
  /** The API server refused: a dry run while planning, an operation of the plan, or a request around them. */
  | {
      readonly kind: 'refused-dry-run' | 'refused-operation' | 'refused-request'
      readonly refusal: { readonly kind: RefusalKind }
    }
  /** These rights are missing: a Role to paste. */
  | { readonly kind: 'bind-role'; readonly rights: readonly AccessRequest[] }
  | { readonly kind: 'choose-revision'; readonly revisions: readonly ChoosableRevision[] }
  /** `helm` may still be working on this release. */
  | { readonly kind: 'wait-for-helm'; readonly release: string }
  /** These were deployed before, in the same run: what the chart looked up is known only now. */
  | { readonly kind: 'plan-after-earlier'; readonly releases: readonly string[] }
  | { readonly kind: 'check-out'; readonly commit: string }
  | { readonly kind: 'give-kubeconfig'; readonly orPlanWithout: boolean }
  | { readonly kind: 'supported-exec-versions'; readonly versions: readonly string[] }
  | { readonly kind: 'name-credential-plugin'; readonly known: readonly string[] }

export interface ChoosableRevision {
  readonly revision: number
  readonly status: string
}

/** Hints that need no data. */
export type PlainHint =
  // Of a plan
  | 'type-that-is-served'
  | 'correct-dependency'
  | 'change-weight'
  | 'break-circle'
  | 'raise-quota-for-plan'
  | 'take-ownership'
  | 'object-is-never-deleted'
  | 'wait-for-job'
  | 'grant-reading'
  // Of an operation, and of a pass around it
  | 'operation-timed-out'
  | 'operation-lost-lock'
  | 'operation-cancelled'
  | 'pass-timed-out'
  | 'pass-lost-lock'
  | 'pass-cancelled'
  | 'plan-for-new-object'
  // Of the record and its lock
  | 'deploy-first'
  | 'shrink-chart'
  | 'lock-taken-over'
  | 'revision-taken'
  | 'record-changed'
  | 'unknown-record'
  | 'restore-record'
  | 'look-for-records'
  | 'wait-for-lock'
  // Of the event and of approval
  | 'run-for-pull-requests-only'
  | 'ask-as-writer'
  | 'allow-fork'
  | 'let-read-pull-requests'
  | 'deploy-new-plan'
  | 'expect-new-plan'
  | 'plan-on-pull-request'
  | 'fix-what-varies'
  | 'sign-what-is-hidden'
  // Of the kubeconfig
  | 'set-context'
  | 'use-exec-or-token'
  | 'correct-proxy'
  | 'embed-files'
  | 'correct-kubeconfig-variable'
  | 'allow-workspace-kubeconfig'
  | 'path-or-content'

/** About the files of the base branch, which a plan without a cluster is compared with. */
export type BaseHint = 'check-out-at-base-path' | 'set-base-path' | 'make-base-reachable' | 'check-out-base'
