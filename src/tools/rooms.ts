/** A folder (or a file beside the folders) of `src/`, and what it may import. `docs/architecture.md` is printed from it. */
export interface Room {
  readonly name: string
  readonly holds: string
  readonly imports: readonly string[] | 'everything'
  /** Packages, or single files of one. */
  readonly packages?: readonly string[]
  /** Packages of which it imports types only: nothing of them is in the bundle for its sake. */
  readonly typesOf?: readonly string[]
  /** Its folders, the lowest first, where it has any. */
  readonly folders?: readonly Folder[]
}

/** A folder of a room, and which of its sisters it may import. */
export interface Folder {
  readonly name: string
  readonly holds: string
  readonly imports: readonly string[]
}

const PURE = ['model', 'manifest']

export const rooms: readonly Room[] = [
  {
    name: 'model',
    holds: 'types, errors, tiny pure functions on them',
    imports: [],
    typesOf: ['@kubernetes/client-node'],
  },
  { name: 'ports.ts', holds: 'interfaces of the outside', imports: ['model'] },
  {
    name: 'concurrency',
    holds: 'deadlines, cancelled waits, one answer for many callers',
    imports: ['ports.ts'],
  },
  {
    name: 'secrecy',
    holds: 'the set of secret values, what takes them out of texts, and which texts print as they are',
    imports: ['model', 'ports.ts'],
  },
  {
    name: 'inputs',
    holds: 'inputs and files become releases; all problems at once',
    imports: ['model', 'ports.ts', 'manifest', 'directives'],
    packages: ['js-yaml'],
  },
  {
    name: 'render',
    holds: "adapter on Helm's engine; `render/engine/` is the Go module behind it",
    imports: ['model', 'ports.ts'],
  },
  {
    name: 'manifest',
    holds: 'what is true of any object: kind order, scope, JSONPath, comparison, managed fields',
    imports: ['model'],
    packages: ['json-p3', 're2js'],
  },
  {
    name: 'directives',
    holds: 'one file per dialect of annotations (three for werf: order, tracking, dependencies), and their merge',
    imports: PURE,
    packages: ['re2js'],
  },
  { name: 'readiness', holds: 'live object becomes ready, progressing, failed or unknown', imports: PURE },
  {
    name: 'observe',
    holds: 'what the cluster says of a release, without a write',
    imports: ['model', 'ports.ts', 'manifest'],
  },
  {
    name: 'impact',
    holds: 'what a change means to a reviewer: fields by name, noise, restarts, rights, schemas, risk',
    imports: PURE,
    packages: ['js-yaml'],
  },
  { name: 'plan', holds: 'desired, previous and observed become a plan', imports: [...PURE, 'impact', 'readiness'] },
  {
    name: 'execute',
    holds: 'walks a plan, waits, gathers evidence; events out',
    imports: [...PURE, 'ports.ts', 'concurrency', 'readiness'],
    packages: ['re2js'],
  },
  {
    name: 'record',
    holds: "Helm's release Secret, the Lease, the order of writes",
    imports: [...PURE, 'ports.ts', 'concurrency'],
    typesOf: ['@kubernetes/client-node'],
  },
  {
    name: 'report',
    holds: 'passes become log lines, summary, comment, outputs',
    imports: PURE,
    packages: ['diff', 'js-yaml'],
    folders: [
      { name: 'rows', holds: 'plan and events as rows, counts and states; no words yet', imports: [] },
      { name: 'words', holds: 'what is said of them, in the terms of the field; no markup yet', imports: ['rows'] },
      { name: 'markdown', holds: 'what comment and summary share', imports: ['rows', 'words'] },
      { name: 'log', holds: 'lines of the log', imports: ['rows', 'words'] },
      { name: 'comment', holds: 'the comment on the pull request', imports: ['rows', 'words', 'markdown'] },
      { name: 'summary', holds: 'the job summary', imports: ['rows', 'words', 'markdown'] },
      { name: 'outputs', holds: "the action's outputs, the plan as a file, annotations", imports: ['rows', 'words'] },
    ],
  },
  {
    name: 'network',
    holds: "what every connection needs: the environment's proxy and the way through it, whom the machine trusts",
    imports: ['model'],
    packages: ['undici'],
  },
  {
    name: 'kube',
    holds: 'adapter on the Kubernetes API: requests, retries, watches, kubeconfig and credentials',
    imports: ['model', 'ports.ts', 'concurrency', 'network'],
    packages: ['@kubernetes/client-node/dist/config_types.js', 'js-yaml', 'undici'],
    typesOf: ['@kubernetes/client-node'],
  },
  {
    name: 'github',
    holds: "adapters on GitHub's toolkit: runner, pull request, event",
    imports: ['model', 'ports.ts', 'concurrency'],
    packages: [
      '@actions/core',
      '@actions/github',
      '@actions/http-client',
      '@octokit/plugin-retry',
      '@octokit/plugin-throttling',
      'undici',
    ],
  },
  {
    name: 'archives',
    holds: 'single files of a packed chart, read without writing anything',
    imports: [],
    packages: ['tar-stream'],
  },
  {
    name: 'fetch',
    holds: 'charts and their dependencies from archives, repositories and registries; credentials; the cache',
    imports: ['model', 'ports.ts', 'archives', 'concurrency', 'network'],
    packages: ['js-yaml', 'undici'],
  },
  {
    name: 'host',
    holds: 'adapters on the machine: files, clock, and SOPS',
    imports: ['model', 'ports.ts', 'archives'],
    packages: ['tar-stream', 'js-yaml', 'age-encryption'],
  },
  {
    name: 'pass',
    holds: 'one release through the flow with one verb',
    imports: [
      'model',
      'ports.ts',
      'concurrency',
      'secrecy',
      'manifest',
      'directives',
      'observe',
      'plan',
      'execute',
      'record',
    ],
  },
  {
    name: 'trust',
    holds:
      'whether a run may reach the cluster and write: event, fork, checkout, approval, the review on the pull request',
    imports: ['model', 'ports.ts', 'secrecy', 'inputs', 'plan', 'pass', 'report'],
  },
  {
    name: 'run',
    holds: 'all passes and their reports; the first process, and the second one (the post step)',
    imports: 'everything',
  },
  { name: 'main.ts', holds: 'entry of both processes', imports: 'everything' },
]
