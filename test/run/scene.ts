import type { Settings } from '../../src/inputs/inputs.ts'
import { defined } from '../../src/model/defined.ts'
import type { PassResult } from '../../src/model/pass.ts'
import { noValues, type ReleaseSpec } from '../../src/model/release.ts'
import { clusterWorld } from '../../src/pass/cluster-world.ts'
import type { Stop } from '../../src/pass/last-writes.ts'
import type { Renderer } from '../../src/ports.ts'
import type { Reporter } from '../../src/run/reporter.ts'
import { runReleases } from '../../src/run/run.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import type { PlanReview } from '../../src/trust/plan-review.ts'
import { type FakeClock, fakeClock } from '../doubles/fake-clock.ts'
import { type FakeCluster, fakeCluster } from '../doubles/fake-cluster.ts'
import { type FakeRenderer, fakeRenderer } from '../doubles/fake-renderer.ts'
import { releaseOptions } from '../doubles/release-options.ts'
import { servedKind } from '../doubles/served-kind.ts'
import { neverStopped } from '../doubles/stops.ts'

/** A cluster in memory with the namespace `web`, and runs against it. */
export interface RunScene {
  readonly clock: FakeClock
  readonly cluster: FakeCluster
  readonly renderer: FakeRenderer
  /** Lines of our own that the last run has told. */
  notes(): readonly string[]
  chart(release: string): ReleaseSpec
  /** What others do right before each pass of the runs that follow. */
  beforePass(happen: (pass: number) => void): void
  run(change: Partial<Settings>, review?: PlanReview, stop?: Stop): Promise<readonly PassResult[]>
}

/** `reading`: who renders instead, from texts that no chart of ours has. */
export function runScene(reading?: Renderer): RunScene {
  const clock = fakeClock()
  const cluster = fakeCluster(clock)
  const renderer = fakeRenderer()
  let notes: string[] = []
  let happen: (pass: number) => void = () => {}
  cluster.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'web' } })
  const core = ['ConfigMap', 'Secret', 'Namespace', 'Pod', 'ServiceAccount'].map((name) => servedKind('', 'v1', name))
  const others = [servedKind('batch', 'v1', 'Job'), servedKind('coordination.k8s.io', 'v1', 'Lease')]
  cluster.setDiscovery({ kinds: [...core, ...others], failed: [] })
  cluster.statusWhenApplied({ kind: 'Job' }, 1_000, { conditions: [{ type: 'Complete', status: 'True' }] })
  return {
    clock,
    cluster,
    renderer,
    notes: () => notes,
    chart,
    beforePass: (given) => {
      happen = given
    },
    run: async (change, review, stop = neverStopped()) => {
      notes = []
      let passes = 0
      const reporter: Reporter = {
        note: (line) => notes.push(line),
        started: () => {
          passes += 1
          happen(passes)
        },
        planned: () => {},
        event: () => {},
        finished: async () => {},
      }
      const request = {
        settings: { ...settings, ...change },
        holder: 'https://github.example/runs/1',
        bundle: 'b1',
        stop,
        onHeld: () => {},

        onFreed: () => {},
      }
      const ports = {
        world: clusterWorld(cluster),
        renderer: reading ?? renderer,
        clock,
        secrets: createSecrets(),
        ...defined({ review }),
      }
      return clock.runUntil(runReleases(request, ports, reporter))
    },
  }
}

const chart = (release: string): ReleaseSpec => ({
  release,
  namespace: 'web',
  weight: 0,
  source: { kind: 'chart', path: release, values: noValues },
})

export const settings: Settings = {
  command: 'deploy',
  releases: [chart('shop')],
  leftOut: [],
  rollbackTimeoutSeconds: 600,
  lockTimeoutSeconds: 0,
  revision: undefined,
  keepHistory: false,
  prune: true,
  test: false,
  testFilter: [],
  workingDirectory: '',
  kubeconfig: undefined,
  context: undefined,
  comment: 'never',
  commentMode: 'update',
  pullRequest: undefined,
  failOnChanges: false,
  diffContext: 3,
  cluster: 'auto',
  allowFork: false,
  allowWorkspaceKubeconfig: false,
  credentialPlugins: [],
  credentialPluginEnv: [],
  approval: 'none',
  approvalIgnore: [],
  expectPlanHash: undefined,
  approvalKey: undefined,
  label: undefined,
  basePath: undefined,
  kubeVersion: undefined,
  apiVersions: [],
  githubToken: '',
  fetching: { dependencies: 'missing', verify: 'never', keyring: undefined, registries: [], cache: undefined },
  summary: false,
  ...releaseOptions,
}
