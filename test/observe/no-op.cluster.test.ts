import { afterAll, beforeAll, describe, expect, inject, onTestFinished } from 'vitest'
import type { OpenCluster } from '../../src/kube/cluster-adapter.ts'
import { changedPaths } from '../../src/manifest/compare.ts'
import { noValues, type ReleaseSpec } from '../../src/model/release.ts'
import { clusterWorld } from '../../src/pass/cluster-world.ts'
import { runReleases } from '../../src/run/run.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import { waitFor } from '../../src/tools/local/cluster/wait-for.ts'
import { test } from '../cluster/fixture.ts'
import { fakeRenderer } from '../doubles/fake-renderer.ts'
import { releaseOptions } from '../doubles/release-options.ts'
import { neverStopped } from '../doubles/stops.ts'
import { applies, applyAll, type Look, look, told } from '../plan/on-cluster.ts'
import { openCluster, systemClock } from '../record/helm.ts'
import { settings } from '../run/scene.ts'
import { customResources, drifts, everyKind, thousandObjects } from './every-kind.ts'

let cluster: OpenCluster
beforeAll(async () => {
  cluster = await openCluster(inject('cluster').kubeconfig)
})
afterAll(() => cluster.close())

/** Objects of a look about which the API server was asked, or whose answer does not stand in the plan as unchanged. */
const asked = ({ observed }: Look) =>
  [...observed.dryRuns].flatMap(([key, { kind }]) => (kind === 'unchanged' ? [] : [key]))

/** Everything of one scene, deployed, with its documents. */
async function deployed(namespace: string): Promise<{ readonly n: string; readonly all: string }> {
  const n = namespace.slice(-6)
  const first = await look(cluster, namespace, everyKind(n))
  // The others go with their namespace.
  onTestFinished(async () => {
    const ofCluster = applies(first).filter(({ ref }) => ref.namespace === undefined)
    await Promise.all(ofCluster.map(({ ref }) => cluster.delete(ref, { propagation: 'Background' })))
  })
  expect(first.plan.problems).toEqual([])
  await applyAll(cluster, first)
  await waitFor({ what: 'the CRD is served' }, async () => {
    const { kinds } = await cluster.discovery({ refresh: true })
    return kinds.some(({ group }) => group === `g${n}.example.com`)
  })
  await applyAll(cluster, await look(cluster, namespace, customResources(n)))
  return { n, all: `${everyKind(n)}\n---\n${customResources(n)}` }
}

describe('what was deployed and is the same', () => {
  test('costs no dry run, of whatever kind it is', async ({ namespace }) => {
    const { all } = await deployed(namespace.name)
    const again = await look(cluster, namespace.name, all, { previous: all })
    expect(asked(again)).toEqual([])
    expect(told(again).filter((line) => !line.startsWith('none'))).toEqual([])
  })

  test('is told from what somebody has edited, as the API server itself would', async ({ namespace }) => {
    const { n, all } = await deployed(namespace.name)
    for (const { apiVersion, kind, name, patch } of drifts(n)) {
      const at = { apiVersion, kind, name }
      const isOfCluster = (await cluster.discovery()).kinds.some((one) => one.kind === kind && !one.isNamespaced)
      const ref = isOfCluster ? at : { ...at, namespace: namespace.name }
      await namespace.api.patch(await pathOf(ref), patch)
    }
    const again = await look(cluster, namespace.name, all, { previous: all })
    const touched = new Set(drifts(n).map(({ kind, name }) => `${kind}/${name}`))
    const refused = again.plan.problems.flatMap(({ place }) => place.ref ?? [])
    const changed = applies(again).flatMap(({ change, ref }) => (change === 'none' ? [] : [ref]))
    // Where nothing was edited, nobody asks.
    expect(asked(again).length).toBeLessThanOrEqual(touched.size)
    for (const [key, answer] of again.observed.dryRuns) {
      if (answer.kind !== 'unchanged') continue
      const body = again.observed.bodies.get(key)
      const live = again.observed.live.get(key)
      if (body === undefined || live === undefined) throw new Error(`${key} was not looked at`)
      const result = await cluster.dryRunApply(body, { force: true })
      expect([key, changedPaths(live, result)]).toEqual([key, []])
    }
    expect([...changed, ...refused].map(({ kind, name }) => `${kind}/${name}`).toSorted()).toEqual(
      drifts(n)
        .flatMap(({ kind, name, isHarmless }) => (isHarmless === true ? [] : [`${kind}/${name}`]))
        .toSorted(),
    )
  })

  async function pathOf(ref: { apiVersion: string; kind: string; namespace?: string; name: string }): Promise<string> {
    const kind = (await cluster.discovery()).kinds.find(
      (one) =>
        one.kind === ref.kind && (one.group === '' ? one.version : `${one.group}/${one.version}`) === ref.apiVersion,
    )
    const root = kind?.group === '' ? `/api/${kind.version}` : `/apis/${ref.apiVersion}`
    const place = ref.namespace === undefined ? '' : `/namespaces/${ref.namespace}`
    return `${root}${place}/${kind?.resource}/${ref.name}`
  }
})

test('a plan over 1,000 unchanged objects costs 20 requests at most', async ({ namespace }) => {
  const renderer = fakeRenderer()
  renderer.chart(thousandObjects())
  const spec: ReleaseSpec = {
    release: 'shop',
    namespace: namespace.name,
    weight: 0,
    source: { kind: 'chart', path: 'shop', values: noValues },
  }
  const run = async (command: 'deploy' | 'plan') => {
    const [pass] = await runReleases(
      {
        settings: { ...settings, command, releases: [spec], ...releaseOptions, wait: false },
        holder: 'https://github.example/runs/1',
        bundle: 'b1',
        stop: neverStopped(),
        onHeld: () => {},

        onFreed: () => {},
      },
      { world: clusterWorld(cluster), renderer, clock: systemClock, secrets: createSecrets() },
      { note: () => {}, started: () => {}, planned: () => {}, event: () => {}, finished: async () => {} },
    )
    return pass
  }
  expect((await run('deploy'))?.outcome).toEqual({ status: 'deployed' })
  const plan = await run('plan')
  expect(plan?.plan?.writesRevision).toBe(false)
  const deploy = await run('deploy')
  expect(deploy?.outcome).toEqual({ status: 'no-changes' })
  expect(Math.max(plan?.requests ?? 99, deploy?.requests ?? 99)).toBeLessThanOrEqual(20)
})
