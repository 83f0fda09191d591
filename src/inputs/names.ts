/** The text of an input by its name; empty where it is not given. `action.yml` holds the defaults. */
export type RawInputs = (name: InputName) => string

/** Every input that the code reads. A test keeps this list, `action.yml` and the README equal. */
export const INPUT_NAMES = [
  'command',
  'chart',
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
  'timeout',
  'wait',
  'prune',
  'on-failure',
  'history-max',
  'revision',
  'keep-history',
  'test',
  'test-filter',
  'take-ownership',
  'force-conflicts',
  'comment',
  'github-token',
  'summary',
] as const
export type InputName = (typeof INPUT_NAMES)[number]
