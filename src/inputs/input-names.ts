/** The text of an input by its name; empty where it is not given. `action.yml` holds the defaults. */
export type RawInputs = (name: InputName) => string

/** Every input that the code reads. A test keeps this list, `action.yml` and the README equal. */
export const INPUT_NAMES = [
  'command',
  'chart',
  'chart-version',
  'repository',
  'charts',
  'manifests',
  'release',
  'namespace',
  'create-namespace',
  'values-files',
  'values',
  'set',
  'set-string',
  'set-json',
  'set-file',
  'set-literal',
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
  'on-failure',
  'atomic',
  'history-max',
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

/** Inputs whose leading blanks count: indented text. */
const INDENTED: ReadonlySet<InputName> = new Set(['values', 'kubeconfig', 'charts'])

export function trimmed(read: RawInputs): RawInputs {
  return (name) => (INDENTED.has(name) ? read(name) : read(name).trim())
}
