/** A folder (or a file beside the folders) of `src/`, and what it may import. `docs/architecture.md` is printed from it. */
export interface Room {
  readonly name: string
  readonly holds: string
  readonly imports: readonly string[] | 'everything'
  readonly packages?: readonly string[]
}

const PURE = ['model', 'manifest']

export const rooms: readonly Room[] = [
  { name: 'model', holds: 'types, errors, the set of secrets, tiny pure functions on them', imports: [] },
  { name: 'ports.ts', holds: 'interfaces of the outside', imports: ['model'] },
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
    packages: ['json-p3'],
  },
  {
    name: 'directives',
    holds: 'one file per dialect of annotations, and their merge',
    imports: PURE,
    packages: ['re2js'],
  },
  { name: 'readiness', holds: 'live object becomes ready, progressing, failed or unknown', imports: PURE },
  {
    name: 'observe',
    holds: 'what the cluster says of a release, without a write',
    imports: ['model', 'ports.ts', 'manifest'],
  },
  { name: 'plan', holds: 'desired, previous and observed become a plan', imports: [...PURE, 'readiness'] },
  {
    name: 'execute',
    holds: 'walks a plan, waits, gathers evidence; events out',
    imports: [...PURE, 'ports.ts', 'readiness'],
    packages: ['re2js'],
  },
  { name: 'record', holds: "Helm's release Secret, the Lease, the order of writes", imports: [...PURE, 'ports.ts'] },
  {
    name: 'report',
    holds: 'passes become log lines, summary, comment, outputs',
    imports: PURE,
    packages: ['diff', 'js-yaml'],
  },
  {
    name: 'kube',
    holds: 'adapter on the Kubernetes client',
    imports: ['model', 'ports.ts'],
    packages: ['@kubernetes/client-node', 'js-yaml', 'undici'],
  },
  {
    name: 'github',
    holds: "adapters on GitHub's toolkit: runner, pull request, event",
    imports: ['model', 'ports.ts'],
    packages: ['@actions/core', '@actions/github', '@octokit/plugin-retry', '@octokit/plugin-throttling'],
  },
  {
    name: 'host',
    holds: 'adapters on the machine: files and clock',
    imports: ['model', 'ports.ts'],
    packages: ['tar-stream'],
  },
  {
    name: 'pass',
    holds: 'one release through the flow with one verb',
    imports: ['model', 'ports.ts', 'manifest', 'directives', 'observe', 'plan', 'execute', 'record'],
  },
  {
    name: 'review.ts',
    holds: 'the pull request: what was approved there, and the comment',
    imports: ['model', 'ports.ts', 'plan', 'report'],
  },
  {
    name: 'reporter.ts',
    holds: 'shows a run while it goes on, through the ports',
    imports: ['model', 'ports.ts', 'report', 'review.ts'],
  },
  {
    name: 'gate.ts',
    holds: 'what must be approved before the first write of a run',
    imports: ['model', 'ports.ts', 'inputs', 'plan', 'pass', 'report', 'review.ts'],
  },
  {
    name: 'run.ts',
    holds: 'all passes, and their reports',
    imports: ['model', 'ports.ts', 'inputs', 'pass', 'gate.ts', 'review.ts', 'reporter.ts'],
  },
  {
    name: 'admission.ts',
    holds: 'whether a run may reach the cluster, and whether the right code is checked out',
    imports: ['model', 'ports.ts', 'inputs', 'pass'],
  },
  {
    name: 'offline-run.ts',
    holds: 'all plans of a run without a cluster',
    imports: ['model', 'ports.ts', 'inputs', 'pass', 'run.ts', 'reporter.ts'],
  },
  { name: 'post-step.ts', holds: 'the second process', imports: ['model', 'ports.ts', 'record'] },
  { name: 'step.ts', holds: 'the first process: builds the real ports, runs', imports: 'everything' },
  { name: 'main.ts', holds: 'entry of both processes', imports: 'everything' },
]
