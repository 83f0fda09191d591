import { beforeEach, describe, expect, test } from 'vitest'
import type { Settings } from '../src/inputs/inputs.ts'
import type { PassResult } from '../src/model/pass.ts'
import { noValues, type ReleaseSpec } from '../src/model/release.ts'
import { createSecrets } from '../src/model/secrets.ts'
import type { Reporter } from '../src/reporter.ts'
import { run } from '../src/run.ts'
import { type FakeClock, fakeClock } from './doubles/fake-clock.ts'
import { type FakeCluster, fakeCluster } from './doubles/fake-cluster.ts'
import { type FakeRenderer, fakeRenderer } from './doubles/fake-renderer.ts'

const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: NAME }\ndata: { a: "1" }'
const HOOK = `apiVersion: batch/v1
kind: Job
metadata: { name: migrate, annotations: { helm.sh/hook: "pre-install,pre-upgrade" } }
spec: {}`

const chart = (release: string): ReleaseSpec => ({
  release,
  namespace: 'web',
  weight: 0,
  source: { kind: 'chart', path: release, values: noValues },
})

const settings: Settings = {
  command: 'deploy',
  releases: [chart('shop')],
  leftOut: [],
  revision: undefined,
  keepHistory: false,
  prune: true,
  test: false,
  testFilter: [],
  kubeconfig: undefined,
  context: undefined,
  comment: 'never',
  githubToken: '',
  summary: false,
  createNamespace: false,
  takeOwnership: false,
  forceConflicts: false,
  wait: true,
  historyMax: 10,
  onFailure: 'stop',
  timeoutSeconds: 600,
  withCrds: true,
  withHooks: true,
}

let clock: FakeClock
let cluster: FakeCluster
let renderer: FakeRenderer
let notes: string[]

beforeEach(() => {
  clock = fakeClock()
  cluster = fakeCluster(clock)
  renderer = fakeRenderer()
  notes = []
  cluster.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'web' } })
  const kind = (group: string, version: string, name: string) => ({
    group,
    version,
    kind: name,
    resource: `${name.toLowerCase()}s`,
    singular: name.toLowerCase(),
    shortNames: [],
    isNamespaced: name !== 'Namespace',
    verbs: ['get', 'list', 'watch'],
    hasStatus: true,
    isPreferred: true,
  })
  const core = ['ConfigMap', 'Secret', 'Namespace', 'Pod', 'ServiceAccount'].map((name) => kind('', 'v1', name))
  const others = [kind('batch', 'v1', 'Job'), kind('coordination.k8s.io', 'v1', 'Lease')]
  cluster.setDiscovery({ kinds: [...core, ...others], failed: [] })
  cluster.statusWhenApplied({ kind: 'Job' }, 1_000, { conditions: [{ type: 'Complete', status: 'True' }] })
})

async function runWith(change: Partial<Settings>): Promise<readonly PassResult[]> {
  const reporter: Reporter = {
    note: (line) => notes.push(line),
    started: () => {},
    planned: () => {},
    event: () => {},
    finished: async () => {},
  }
  const request = {
    settings: { ...settings, ...change },
    holder: 'https://github.example/runs/1',
    bundle: 'b1',
    signal: new AbortController().signal,
    onHeld: () => {},
  }
  return clock.runUntil(run(request, { cluster, renderer, clock, secrets: createSecrets() }, reporter))
}

const story = (results: readonly PassResult[]) =>
  results.map(({ command, outcome, release }) => `${command} ${release}: ${outcome.status}`)

describe('a run', () => {
  test('deploys its releases in their order, after a forecast of all of them', async () => {
    renderer.chart(CONFIG.replace('NAME', 'a'))
    const results = await runWith({ releases: [chart('shop'), { ...chart('other'), namespace: 'web' }] })
    expect(notes[0]).toMatch(/^Forecast/)
    expect(story(results)[0]).toBe('deploy shop: deployed')
  })

  test('writes nothing where a later release has a mistake of its inputs', async () => {
    renderer.chart(
      `${CONFIG.replace('NAME', 'a')}\n---\n${CONFIG.replace('NAME', 'b, annotations: { werf.io/weight: high }')}`,
    )
    const results = await runWith({ releases: [chart('shop'), chart('other')] })
    expect(story(results)).toEqual(['plan shop: failed', 'plan other: failed'])
    expect(cluster.writes()).toEqual([])
  })

  test('stops at the first release that fails', async () => {
    renderer.chart(HOOK)
    cluster.statusWhenApplied({ kind: 'Job' }, 500, { conditions: [{ type: 'Failed', status: 'True' }] })
    const results = await runWith({ releases: [chart('shop'), chart('other')] })
    expect(story(results)).toEqual(['deploy shop: failed'])
  })

  test('names a release that was in the list and is not any more, and leaves it alone', async () => {
    renderer.chart('')
    await runWith({ releases: [chart('a'), chart('b'), chart('gone')] })
    notes = []
    await runWith({ releases: [chart('a'), chart('b')] })
    expect(notes.at(-1)).toBe(
      'Release web/gone was in this list and is not any more. It stays as it is; command: uninstall removes it.',
    )
  })

  test('on-failure: rollback goes back after a failed upgrade, and the run still fails', async () => {
    renderer.chart(CONFIG.replace('NAME', 'a'))
    await runWith({ onFailure: 'rollback' })
    renderer.chart(
      `${CONFIG.replace('NAME', 'a').replace('"1"', '"2"')}\n---\n${HOOK.replace('pre-install,pre-upgrade', 'post-upgrade')}`,
    )
    cluster.statusWhenApplied({ kind: 'Job' }, 500, { conditions: [{ type: 'Failed', status: 'True' }] })
    expect(story(await runWith({ onFailure: 'rollback' }))).toEqual([
      'deploy shop: failed',
      'rollback shop: rolled-back',
    ])
    const config = cluster.object({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'web', name: 'a' })
    expect(config?.data).toEqual({ a: '1' })
  })

  test('on-failure: rollback undoes nothing on a first install, and says so', async () => {
    renderer.chart(HOOK)
    cluster.statusWhenApplied({ kind: 'Job' }, 500, { conditions: [{ type: 'Failed', status: 'True' }] })
    expect(story(await runWith({ onFailure: 'rollback' }))).toEqual(['deploy shop: failed'])
    expect(notes.at(-1)).toMatch(/^Nothing is rolled back/)
  })

  test('test: true runs the test hooks after the deploy', async () => {
    renderer.chart(HOOK.replace('pre-install,pre-upgrade', 'test'))
    expect(story(await runWith({ test: true }))).toEqual(['deploy shop: deployed', 'test shop: tested'])
  })
})
