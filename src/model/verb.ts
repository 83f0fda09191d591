/** What a pass does to its release. `install` until a revision of the release has been deployed once. */
export type Verb = 'install' | 'upgrade' | 'rollback' | 'uninstall' | 'test'

/** Ordered barrier of a plan. `delete` exists on uninstall only, `test` on test only. */
export type StageName = 'crds' | 'pre' | 'main' | 'delete' | 'prune' | 'post' | 'test'

/** One moment at which a resource is deployed. Several per resource: `helm.sh/hook: pre-install,post-upgrade`. */
export interface Occasion {
  readonly verb: Verb
  readonly stage: 'crds' | 'pre' | 'main' | 'post' | 'test'
}

export interface VerbRow {
  /** Stages of its plan, in order. */
  readonly stages: readonly StageName[]
  /**
   * As annotations name it: `pre-delete`, and `werf.io/deploy-on` for the main stage: `delete`. Of one verb only. Absent:
   * annotations cannot name the verb.
   */
  readonly event?: 'install' | 'upgrade' | 'rollback' | 'delete' | 'test'
  /** In a headline, before the release. */
  readonly phrase: string
  /** Of a verb that makes a revision; the others work on the one that is there. */
  readonly revision?: RevisionWords
  /** Nothing of the release was ever deployed, so that everything is new. */
  readonly isFirst?: true
  /** What a deploy is, be it the first one. */
  readonly isDeploy?: true
  /** There is a deployed revision to go back to where it fails. */
  readonly mayGoBack?: true
  /** Nothing of the release is left afterwards. */
  readonly removes?: true
}

/**
 * How Helm's record of the revision names the verb. Sources: docs/sources.md#helm-install,
 * docs/sources.md#helm-upgrade, docs/sources.md#helm-rollback.
 */
export interface RevisionWords {
  /** Status of the record while the run lives. */
  readonly pending: 'pending-install' | 'pending-upgrade' | 'pending-rollback'
  /** First word of the description. */
  readonly title: string
}

const DEPLOY: readonly StageName[] = ['crds', 'pre', 'main', 'prune', 'post']

/** Everything that follows from a verb's name alone. What it deploys and how it is recorded is in `pass/`. */
export const verbs = {
  install: {
    stages: DEPLOY,
    event: 'install',
    phrase: 'first install of',
    revision: { pending: 'pending-install', title: 'Install' },
    isDeploy: true,
    isFirst: true,
  },
  upgrade: {
    stages: DEPLOY,
    event: 'upgrade',
    phrase: 'upgrade',
    revision: { pending: 'pending-upgrade', title: 'Upgrade' },
    isDeploy: true,
    mayGoBack: true,
  },
  rollback: {
    // CRDs of `crds/` are not in the record (docs/sources.md#nelm-stages).
    stages: ['pre', 'main', 'prune', 'post'],
    event: 'rollback',
    phrase: 'roll back',
    revision: { pending: 'pending-rollback', title: 'Rollback' },
  },
  uninstall: { stages: ['pre', 'main', 'delete', 'post'], event: 'delete', phrase: 'uninstall', removes: true },
  test: { stages: ['test'], event: 'test', phrase: 'test' },
} as const satisfies Record<Verb, VerbRow>

/** The verbs that make a revision. */
export type RevisionVerb = { [V in Verb]: (typeof verbs)[V] extends { readonly revision: object } ? V : never }[Verb]

export const verbNames = Object.keys(verbs) as readonly Verb[]

export function rowOf(verb: Verb): VerbRow {
  return verbs[verb]
}

export function isRevisionVerb(verb: Verb): verb is RevisionVerb {
  return rowOf(verb).revision !== undefined
}
