/** What a pass does to its release. `install` until a revision of the release has been deployed once. */
export type Verb = 'install' | 'upgrade' | 'rollback' | 'uninstall' | 'test'

/** Ordered barrier of a plan. `delete` exists on uninstall only, `test` on test only. */
export type StageName = 'crds' | 'pre' | 'main' | 'delete' | 'prune' | 'post' | 'test'

/** Input `command`. The three plans write nothing: of a deploy, of a rollback, of an uninstall. */
export type Command = 'plan' | 'plan-rollback' | 'plan-uninstall' | 'deploy' | 'rollback' | 'uninstall' | 'test'

/** One moment at which a resource is deployed. Several per resource: `helm.sh/hook: pre-install,post-upgrade`. */
export interface Occasion {
  readonly verb: Verb
  readonly stage: 'crds' | 'pre' | 'main' | 'post' | 'test'
}
