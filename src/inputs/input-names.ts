/** The text of an input by its name; empty where it is not given. */
export type RawInputs = (name: InputName) => string

/** Every input that the code reads. A test keeps this list, `action.yml` and the README equal. */
export const INPUT_NAMES = [
  'command',
  'chart',
  'chart-version',
  'repository',
  'dependencies',
  'registries',
  'verify',
  'keyring',
  'chart-cache',
  'charts',
  'manifests',
  'release',
  'namespace',
  'create-namespace',
  'working-directory',
  'values-files',
  'values',
  'set',
  'set-string',
  'set-json',
  'set-file',
  'set-literal',
  'helm-args',
  'reuse-values',
  'kubeconfig',
  'context',
  'allow-workspace-kubeconfig',
  'credential-plugins',
  'credential-plugin-env',
  'timeout',
  'rollback-timeout',
  'lock-timeout',
  'wait',
  'prune',
  'hooks',
  'skip-crds',
  'on-failure',
  'atomic',
  'history-max',
  'description',
  'release-labels',
  'revision',
  'keep-history',
  'test',
  'test-filter',
  'take-ownership',
  'force-conflicts',
  'comment',
  'comment-mode',
  'label',
  'pull-request',
  'approval',
  'approval-ignore',
  'approval-key',
  'expect-plan-hash',
  'fail-on-changes',
  'diff-context',
  'cluster',
  'base-path',
  'kube-version',
  'api-versions',
  'allow-fork',
  'github-token',
  'summary',
] as const
export type InputName = (typeof INPUT_NAMES)[number]

/**
 * The defaults of `action.yml`. The runner fills them in for inputs that are not written; one that is passed on empty, as
 * reusable workflows do, comes as empty text. Without `github-token`: empty means that there is none, and only the runner
 * knows its default.
 */
export const INPUT_DEFAULTS: { readonly [name in InputName]?: string } = {
  command: 'deploy',
  dependencies: 'missing',
  verify: 'never',
  'create-namespace': 'false',
  'allow-workspace-kubeconfig': 'false',
  timeout: '10m',
  wait: 'true',
  prune: 'true',
  hooks: 'true',
  'skip-crds': 'false',
  'reuse-values': 'none',
  'on-failure': 'stop',
  atomic: 'false',
  'history-max': '10',
  'keep-history': 'false',
  test: 'false',
  'take-ownership': 'false',
  'force-conflicts': 'false',
  comment: 'changes',
  'comment-mode': 'update',
  approval: 'none',
  'fail-on-changes': 'false',
  'diff-context': '3',
  cluster: 'auto',
  'allow-fork': 'false',
  summary: 'true',
}

/** Inputs whose leading blanks count: indented text. */
const INDENTED: ReadonlySet<InputName> = new Set(['values', 'kubeconfig', 'charts', 'registries'])

/** Inputs without the blanks around them; one that holds nothing else counts as not given and has its default. */
export function withDefaults(read: RawInputs): RawInputs {
  return (name) => {
    const text = read(name)
    const trimmed = text.trim()
    if (trimmed === '') return INPUT_DEFAULTS[name] ?? ''
    return INDENTED.has(name) ? text : trimmed
  }
}
