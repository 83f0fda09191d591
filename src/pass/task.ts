/** What is done with a release. */
export type Task =
  | { readonly kind: 'deploy' }
  | { readonly kind: 'rollback'; readonly revision?: number }
  | { readonly kind: 'uninstall'; readonly keepHistory: boolean }
  | { readonly kind: 'test'; readonly filter: TestFilter }

/** Names of test hooks to run. Empty: all. One with `!` in front is left out. */
export type TestFilter = readonly string[]
