import type { FetchHint } from './fetch-hint.ts'

/** What to do next about something the user wrote: an input, a file of the workspace, a manifest or an annotation. */
export type InputHint =
  | FetchHint
  | { readonly kind: PlainInputHint }
  /** The accepted form of an annotation's value, as the table says it that reads the annotation. */
  | { readonly kind: 'write-form'; readonly form: string }
  | { readonly kind: 'write-one-of'; readonly choices: readonly string[] }
  | { readonly kind: 'write-list-of-charts' | 'write-registries'; readonly fields: readonly string[] }
  | { readonly kind: 'write-approval-key'; readonly minChars: number }
  | { readonly kind: 'write-release-name' | 'write-namespace-name' | 'write-one-line'; readonly maxChars: number }
  | { readonly kind: 'write-release-label'; readonly taken: readonly string[] }
  | { readonly kind: 'name-release'; readonly orGiveCharts: boolean }
  | { readonly kind: 'write-in-item-of-charts'; readonly field: string }
  | { readonly kind: 'put-archive-beside'; readonly file: string }
  | { readonly kind: 'write-without-flag'; readonly flag: string }
  | { readonly kind: 'write-flag-or-false'; readonly flag: string }
  | { readonly kind: 'leave-flag-out'; readonly known: readonly string[] }
  | { readonly kind: 'add-fields'; readonly fields: readonly string[] }
  | { readonly kind: 'correct-key'; readonly likely: string }
  | { readonly kind: 'write-in-input'; readonly input: string }
  /** Why a flag of Helm is refused and what to do instead, as the table says it that reads the flags. */
  | { readonly kind: 'instead-of-flag'; readonly instead: string }

/** Hints that need no data. */
export type PlainInputHint =
  // Values of any input or field
  | 'quote-text'
  | 'write-boolean'
  | 'write-quoted-boolean'
  | 'write-integer'
  | 'write-list-of-texts'
  | 'leave-out'
  | 'correct-name'
  | 'correct-yaml'
  // Of a chart
  | 'check-out-chart'
  | 'write-chart-directory'
  | 'package-chart'
  | 'write-chart-identity'
  | 'write-chart-path'
  | 'write-chart-address'
  | 'write-registry-address'
  | 'write-name-in-repository'
  | 'write-repository-address'
  | 'write-login-in-registries'
  | 'write-chart-path-or-others'
  | 'write-charts-file'
  | 'write-release-without-chart'
  // Of values
  | 'write-map-of-values'
  | 'write-values-files'
  | 'install-sops'
  | 'give-sops-key'
  | 'write-without-secrets'
  | 'write-set'
  | 'write-set-json'
  | 'write-set-file'
  // Of a HelmChart document
  | 'write-chart-name'
  | 'write-chart-version'
  | 'move-weight'
  | 'use-helm-install'
  | 'write-optional-values'
  | 'write-optional-value'
  | 'replace-template'
  | 'write-wait-false'
  | 'write-set-flag'
  | 'write-timeout-flag'
  | 'write-history-max-flag'
  // Of helm-args
  | 'write-expanded-text'
  | 'quote-or-leave-out'
  | 'quote-or-name-files'
  | 'name-files'
  | 'quote-value'
  | 'close-quote'
  | 'write-values-file'
  | 'write-inline-values'
  | 'write-comma-list'
  | 'give-one-of-both'
  | 'see-flags'
  // Of the inputs charts, manifests and release together
  | 'write-manifests'
  | 'stay-in-workspace'
  | 'write-working-directory'
  | 'write-chart-in-charts'
  | 'write-objects'
  | 'add-helm-chart'
  | 'name-objects'
  | 'shorten-name'
  | 'move-release-to-charts'
  | 'move-chart-to-charts'
  | 'tell-releases-apart'
  // Of the other inputs
  | 'write-pull-request'
  | 'write-lines'
  | 'write-duration'
  | 'write-history-max'
  | 'write-revision'
  | 'roll-back-one'
  | 'write-ignored-field'
  | 'write-plan-hash'
  | 'set-token'
  | 'set-cluster-auto'
  | 'plan-with-cluster'
  | 'write-kube-version'
  | 'write-api-version'
  | 'write-registry-host'
  | 'write-authority'
  // Of a manifest
  | 'write-object'
  | 'fix-object-name'
  | 'remove-duplicate'
