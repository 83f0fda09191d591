import type { Ref } from '../model/ref.ts'

/** What is done with a release. */
export type Task =
  | { readonly kind: 'deploy' }
  | { readonly kind: 'rollback'; readonly revision?: number }
  | { readonly kind: 'uninstall'; readonly keepHistory: boolean; readonly ofFailedInstall?: FailedInstall }
  | { readonly kind: 'test'; readonly filter: TestFilter }

/** Names of test hooks to run. Empty: all. One with `!` in front is left out. */
export type TestFilter = readonly string[]

/** A first install that has just failed and is taken down again. */
export interface FailedInstall {
  /** What it took over of others (input `take-ownership`): left, because it was there before. */
  readonly adopted: readonly Ref[]
}
