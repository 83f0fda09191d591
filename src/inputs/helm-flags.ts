import type { InputName } from './input-names.ts'

type HelmCommand = 'upgrade' | 'install' | 'template'

/**
 * How Helm reads what is given to a flag. Source: spf13/pflag v1.0.10.
 * - `boolean`: Go's ParseBool, true where nothing is given; never the word behind the flag
 * - `word`: only after `=`, else what `alone` says
 * - `text`: after `=`, or the word behind it
 * - `list`: as `text`, one line of CSV, and more with each flag (StringSlice)
 * - `entries`: as `text`, one more with each flag (StringArray)
 */
export type FlagForm = 'boolean' | 'word' | 'text' | 'list' | 'entries'

/** What becomes of a flag. */
export type FlagEffect =
  | {
      readonly kind: 'input'
      readonly input: InputName
      /** How the input is written; absent: as the flag is. */
      readonly as?: FlagConversion
    }
  | { readonly kind: 'plan' }
  | {
      readonly kind: 'none'
      /** One clause: why the run does without it. */
      readonly why: string
      /** A value that asks for something else, and what to do. */
      readonly except?: { readonly value: string; readonly instead: string }
    }
  | {
      readonly kind: 'refused'
      /** One clause: why, and what to do instead. */
      readonly instead: string
    }

/** `when-true`: the word that a boolean flag stands for; where it is false, the input is not written. */
export type FlagConversion = 'negated' | 'duration' | 'waits' | { readonly whenTrue: string }

export interface HelmFlag {
  readonly name: string
  readonly short?: string
  readonly takes: FlagForm
  /** Of a `word`: what the flag means without a value. */
  readonly alone?: string
  /** Of a `word`: values that it takes from the word behind it as well, as one of the commands does. */
  readonly behind?: readonly string[]
  readonly helm3: readonly HelmCommand[]
  readonly helm4: readonly HelmCommand[]
  readonly effect: FlagEffect
}

type Commands = Pick<HelmFlag, 'helm3' | 'helm4'>

const ALL: readonly HelmCommand[] = ['upgrade', 'install', 'template']
const EVERY: Commands = { helm3: ALL, helm4: ALL }
const HELM_4: Commands = { helm3: [], helm4: ALL }
const UPGRADE: Commands = { helm3: ['upgrade'], helm4: ['upgrade'] }
const TEMPLATE: Commands = { helm3: ['template'], helm4: ['template'] }
const UPGRADE_INSTALL: Commands = { helm3: ['upgrade', 'install'], helm4: ['upgrade', 'install'] }
const INSTALL_TEMPLATE: Commands = { helm3: ['install', 'template'], helm4: ['install', 'template'] }

const into = (input: InputName, as?: FlagConversion): FlagEffect =>
  as === undefined ? { kind: 'input', input } : { kind: 'input', input, as }
const idle = (why: string): FlagEffect => ({ kind: 'none', why })
const refused = (instead: string): FlagEffect => ({ kind: 'refused', instead })

const LOG = idle('the log says what is done; for more, run the job again with debug logging')
const NOTES = idle('the notes of the chart stand in the job summary, as the chart writes them')
const SERVER_CHECKS = idle('the API server checks every object in any case')
const KUBECONFIG = refused('write it in the kubeconfig of input kubeconfig')
const REPLACE = refused('objects are not replaced: force-conflicts takes over fields that others have changed')
const REGISTRIES = refused('write it in input registries, with the host that it belongs to')
const PACED = idle('the action paces its requests itself')
const CACHE = idle('the action has a cache of its own')
const COLORS = idle('the log has no colors')
const POST_RENDERER = refused(
  'no program is started on what was rendered: change the values, or render in a step before and deploy the files with input manifests',
)
const NAMED = refused('write the name in input release')

/** Flags of klog, which Helm hides. Source: k8s.io/klog/v2, InitFlags. */
const klogFlags: readonly HelmFlag[] = (
  [
    ['v', 'text'],
    ['vmodule', 'text'],
    ['add-dir-header', 'boolean'],
    ['alsologtostderr', 'boolean'],
    ['alsologtostderrthreshold', 'text'],
    ['legacy-stderr-threshold-behavior', 'boolean'],
    ['log-backtrace-at', 'text'],
    ['log-dir', 'text'],
    ['log-file', 'text'],
    ['log-file-max-size', 'text'],
    ['logtostderr', 'boolean'],
    ['one-output', 'boolean'],
    ['skip-headers', 'boolean'],
    ['skip-log-headers', 'boolean'],
    ['stderrthreshold', 'text'],
  ] as const
).map(([name, takes]) => ({ name, takes, ...EVERY, effect: LOG, ...(name === 'v' ? { short: 'v' } : {}) }))

/**
 * Every flag of `helm upgrade`, `helm install` and `helm template` of 3.22.0 and 4.3.1, hidden and deprecated ones too.
 * Of two flags for one input the first of this list wins, as in Helm.
 * Source: Helm v3.22.0, cmd/helm; v4.3.1, pkg/cmd; pkg/cli, environment.go.
 */
export const helmFlags: readonly HelmFlag[] = [
  // Where it goes
  { name: 'namespace', short: 'n', takes: 'text', ...EVERY, effect: into('namespace') },
  { name: 'create-namespace', takes: 'boolean', ...EVERY, effect: into('create-namespace') },
  { name: 'kubeconfig', takes: 'text', ...EVERY, effect: into('kubeconfig') },
  { name: 'kube-context', takes: 'text', ...EVERY, effect: into('context') },

  // The chart
  { name: 'version', takes: 'text', ...EVERY, effect: into('chart-version') },
  { name: 'devel', takes: 'boolean', ...EVERY, effect: into('chart-version', { whenTrue: '>0.0.0-0' }) },
  { name: 'repo', takes: 'text', ...EVERY, effect: into('repository') },
  { name: 'verify', takes: 'boolean', ...EVERY, effect: into('verify', { whenTrue: 'always' }) },
  { name: 'keyring', takes: 'text', ...EVERY, effect: into('keyring') },

  // Values
  { name: 'values', short: 'f', takes: 'list', ...EVERY, effect: into('values-files') },
  { name: 'set', takes: 'entries', ...EVERY, effect: into('set') },
  { name: 'set-string', takes: 'entries', ...EVERY, effect: into('set-string') },
  { name: 'set-json', takes: 'entries', ...EVERY, effect: into('set-json') },
  { name: 'set-file', takes: 'entries', ...EVERY, effect: into('set-file') },
  { name: 'set-literal', takes: 'entries', ...EVERY, effect: into('set-literal') },
  { name: 'reset-values', takes: 'boolean', ...UPGRADE, effect: into('reuse-values', { whenTrue: 'none' }) },
  { name: 'reuse-values', takes: 'boolean', ...UPGRADE, effect: into('reuse-values', { whenTrue: 'reuse' }) },
  {
    name: 'reset-then-reuse-values',
    takes: 'boolean',
    ...UPGRADE,
    effect: into('reuse-values', { whenTrue: 'reset-then-reuse' }),
  },

  // How it is deployed
  { name: 'timeout', takes: 'text', ...EVERY, effect: into('timeout', 'duration') },
  { name: 'wait', takes: 'word', alone: 'true', ...EVERY, effect: into('wait', 'waits') },
  { name: 'rollback-on-failure', takes: 'boolean', ...HELM_4, effect: into('atomic') },
  { name: 'atomic', takes: 'boolean', ...EVERY, effect: into('atomic') },
  { name: 'no-hooks', takes: 'boolean', ...EVERY, effect: into('hooks', 'negated') },
  { name: 'skip-crds', takes: 'boolean', ...EVERY, effect: into('skip-crds') },
  { name: 'take-ownership', takes: 'boolean', ...EVERY, effect: into('take-ownership') },
  { name: 'force-conflicts', takes: 'boolean', ...HELM_4, effect: into('force-conflicts') },
  { name: 'history-max', takes: 'text', ...UPGRADE, effect: into('history-max') },
  { name: 'description', takes: 'text', ...EVERY, effect: into('description') },
  { name: 'labels', short: 'l', takes: 'list', ...EVERY, effect: into('release-labels') },

  // A plan
  { name: 'dry-run', takes: 'word', alone: 'true', ...EVERY, effect: { kind: 'plan' } },
  { name: 'kube-version', takes: 'text', ...TEMPLATE, effect: into('kube-version') },
  { name: 'api-versions', short: 'a', takes: 'list', ...TEMPLATE, effect: into('api-versions') },

  // What the run does in any case
  {
    name: 'install',
    short: 'i',
    takes: 'boolean',
    ...UPGRADE,
    effect: idle('a release that does not exist is installed in any case'),
  },
  {
    name: 'replace',
    takes: 'boolean',
    ...INSTALL_TEMPLATE,
    effect: idle('a release that was uninstalled is installed again in any case'),
  },
  {
    name: 'dependency-update',
    takes: 'boolean',
    ...EVERY,
    effect: idle('what charts/ lacks is fetched in any case, see input dependencies'),
  },
  {
    name: 'wait-for-jobs',
    takes: 'boolean',
    ...EVERY,
    effect: idle('Jobs are waited for as other resources are, see input wait'),
  },
  {
    name: 'server-side',
    takes: 'word',
    alone: 'true',
    behind: ['true', 'false', 'auto'],
    ...HELM_4,
    effect: {
      kind: 'none',
      why: 'the API server applies every object in any case',
      except: { value: 'false', instead: 'leave it out: objects are applied by the API server only' },
    },
  },
  {
    name: 'cleanup-on-fail',
    takes: 'boolean',
    ...UPGRADE,
    effect: idle('what a failed deploy has created is deleted by its rollback, or by the next deploy'),
  },
  { name: 'disable-openapi-validation', takes: 'boolean', ...EVERY, effect: SERVER_CHECKS },
  { name: 'validate', takes: 'boolean', ...TEMPLATE, effect: SERVER_CHECKS },
  {
    name: 'include-crds',
    takes: 'boolean',
    ...TEMPLATE,
    effect: idle('CRDs are part of the plan in any case'),
  },
  {
    name: 'is-upgrade',
    takes: 'boolean',
    ...TEMPLATE,
    effect: idle('the records of the release say whether it is an upgrade'),
  },
  { name: 'skip-tests', takes: 'boolean', ...TEMPLATE, effect: idle('test hooks run only with input test') },
  {
    name: 'hide-secret',
    takes: 'boolean',
    ...UPGRADE_INSTALL,
    effect: idle('values of Secrets are never shown'),
  },
  { name: 'hide-notes', takes: 'boolean', ...EVERY, effect: NOTES },
  { name: 'render-subchart-notes', takes: 'boolean', ...EVERY, effect: NOTES },
  {
    name: 'output',
    short: 'o',
    takes: 'text',
    ...UPGRADE_INSTALL,
    effect: idle('the outputs of the step tell the result'),
  },
  { name: 'debug', takes: 'boolean', ...EVERY, effect: LOG },
  { name: 'color', takes: 'text', ...HELM_4, effect: COLORS },
  { name: 'colour', takes: 'text', ...HELM_4, effect: COLORS },
  { name: 'burst-limit', takes: 'text', ...EVERY, effect: PACED },
  { name: 'qps', takes: 'text', ...EVERY, effect: PACED },
  { name: 'repository-cache', takes: 'text', ...EVERY, effect: CACHE },
  { name: 'content-cache', takes: 'text', ...HELM_4, effect: CACHE },
  ...klogFlags,

  // What the run does not do, or says otherwise
  { name: 'generate-name', short: 'g', takes: 'boolean', ...INSTALL_TEMPLATE, effect: NAMED },
  { name: 'name-template', takes: 'text', ...INSTALL_TEMPLATE, effect: NAMED },
  { name: 'force', takes: 'boolean', ...EVERY, effect: REPLACE },
  { name: 'force-replace', takes: 'boolean', ...HELM_4, effect: REPLACE },
  {
    name: 'recreate-pods',
    takes: 'boolean',
    helm3: ['upgrade'],
    helm4: [],
    effect: refused('pods restart where their template changes: put what changes into an annotation of it'),
  },
  {
    name: 'skip-schema-validation',
    takes: 'boolean',
    ...EVERY,
    effect: refused('values are always checked by the schema of the chart: correct the values'),
  },
  {
    name: 'enable-dns',
    takes: 'boolean',
    ...EVERY,
    effect: refused('charts are rendered without a network: give the address as a value'),
  },
  { name: 'post-renderer', takes: 'text', ...EVERY, effect: POST_RENDERER },
  { name: 'post-renderer-args', takes: 'entries', ...EVERY, effect: POST_RENDERER },
  { name: 'username', takes: 'text', ...EVERY, effect: REGISTRIES },
  { name: 'password', takes: 'text', ...EVERY, effect: REGISTRIES },
  { name: 'ca-file', takes: 'text', ...EVERY, effect: REGISTRIES },
  { name: 'plain-http', takes: 'boolean', ...EVERY, effect: REGISTRIES },
  {
    name: 'insecure-skip-tls-verify',
    takes: 'boolean',
    ...EVERY,
    effect: refused('certificates are always checked: write the authority as ca of the host in input registries'),
  },
  {
    name: 'pass-credentials',
    takes: 'boolean',
    ...EVERY,
    effect: refused('credentials go to their own host only: write each host in input registries'),
  },
  {
    name: 'cert-file',
    takes: 'text',
    ...EVERY,
    effect: refused('client certificates are not supported: log in with a name and a password or a token'),
  },
  {
    name: 'key-file',
    takes: 'text',
    ...EVERY,
    effect: refused('client certificates are not supported: log in with a name and a password or a token'),
  },
  {
    name: 'registry-config',
    takes: 'text',
    ...EVERY,
    effect: refused('set the environment variable HELM_REGISTRY_CONFIG of the step'),
  },
  {
    name: 'repository-config',
    takes: 'text',
    ...EVERY,
    effect: refused('set the environment variable HELM_REPOSITORY_CONFIG of the step'),
  },
  { name: 'kube-apiserver', takes: 'text', ...EVERY, effect: KUBECONFIG },
  { name: 'kube-token', takes: 'text', ...EVERY, effect: KUBECONFIG },
  { name: 'kube-ca-file', takes: 'text', ...EVERY, effect: KUBECONFIG },
  { name: 'kube-tls-server-name', takes: 'text', ...EVERY, effect: KUBECONFIG },
  { name: 'kube-insecure-skip-tls-verify', takes: 'boolean', ...EVERY, effect: KUBECONFIG },
  { name: 'kube-as-user', takes: 'text', ...EVERY, effect: KUBECONFIG },
  { name: 'kube-as-group', takes: 'entries', ...EVERY, effect: KUBECONFIG },
  {
    name: 'show-only',
    short: 's',
    takes: 'entries',
    ...TEMPLATE,
    effect: refused('a plan is always whole'),
  },
  {
    name: 'output-dir',
    takes: 'text',
    ...TEMPLATE,
    effect: refused('the plan is a file, see output plan-path'),
  },
  {
    name: 'release-name',
    takes: 'boolean',
    ...TEMPLATE,
    effect: refused('the plan is a file, see output plan-path'),
  },
  { name: 'help', short: 'h', takes: 'boolean', ...EVERY, effect: refused('leave it out: it only prints a text') },
]
