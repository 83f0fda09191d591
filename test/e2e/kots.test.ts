import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { at, type Json, openApi } from '../../src/tools/local/cluster/cluster-api.ts'
import { waitFor } from '../../src/tools/local/cluster/wait-for.ts'
import { createNamespace, type Namespace } from '../cluster/namespace.ts'
import { type Chapter, emptyWorkspace, live, namesIn } from './life.ts'
import { releaseFolder } from './release-folder.ts'
import { deletions, goneAt, historyOf, type Steps, violations } from './timeline.ts'

const { kubeconfig, local } = inject('cluster')
const CRD_PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const GROUP = 'demo.staged-helm-deploy.dev'
const CRDS = [`shops.${GROUP}`, `coupons.${GROUP}`]

/**
 * A release folder of KOTS as it is (docs/sources.md#kots-orchestrating-resource-deployment): plain manifests with
 * phases and waits, and two charts with weights, the second of which needs what the first one makes.
 */
describe.skipIf(local === undefined)('a release folder of KOTS', () => {
  let namespace: Namespace
  let install: Chapter
  let lookedUp: Json
  let upgrade: Chapter
  let rollback: Chapter
  let uninstall: Chapter

  beforeAll(async () => {
    await removeCrds()
    namespace = await createNamespace(kubeconfig, 'kots')
    const manifests = { manifests: 'release' }
    const charts = ['vault', 'catalog']
    install = await chapter({ command: 'deploy', ...manifests }, await releaseFolder(charts))
    lookedUp = await namespace.api.get(`${namespace.path}/configmaps`)
    upgrade = await chapter(
      { command: 'deploy', ...manifests },
      await releaseFolder([], ['leaves.yaml', 'helmchart.yaml']),
    )
    rollback = await chapter({ command: 'rollback' }, await emptyWorkspace())
    uninstall = await chapter({ command: 'uninstall', ...manifests }, await releaseFolder([]))
  })
  afterAll(async () => {
    await namespace?.remove()
    await removeCrds()
  })

  async function chapter(inputs: { readonly [name: string]: string }, workspace: string): Promise<Chapter> {
    const told = await live(namespace, inputs, { workspace })
    const isOurs = (name: string | undefined, place: string | undefined) =>
      place === namespace.name || CRDS.includes(name ?? '')
    return { ...told, events: told.events.filter(({ ref }) => isOurs(ref.name, ref.namespace)) }
  }

  describe('on install', () => {
    test('becomes one release of plain manifests and one for each HelmChart, in the order of their weights', () => {
      expect(install.exitCode, install.log).toBe(0)
      expect(releasesOf(install)).toEqual(['app deployed 1', 'vault deployed 1', 'shop-catalog deployed 1'])
    })

    test('creates by phases, the CRD in phase -1 first', () => {
      const { events } = install
      const phases: Steps = [
        [`customresourcedefinitions/shops.${GROUP}`],
        ['configmaps/settings'],
        ['shops/main'],
        ['configmaps/after-shop'],
      ]
      expect(violations(events, phases)).toEqual([])
    })

    test('waits for the database with wait-for-ready before anything else, of its own phase too', () => {
      expect(violations(install.events, [['statefulsets/postgresql'], ['jobs/seed'], ['deployments/vault']])).toEqual(
        [],
      )
      expect(violations(install.events, [['statefulsets/postgresql'], ['shops/main']])).toEqual([])
    })

    test('waits for the properties of a custom resource before the next phase', () => {
      expect(violations(install.events, [['shops/main'], ['configmaps/after-shop']])).toEqual([])
    })

    test('deploys all plain manifests, then the chart of the lower weight, then the other one', () => {
      const releases: Steps = [
        ['configmaps/after-shop', 'statefulsets/postgresql'],
        [`customresourcedefinitions/coupons.${GROUP}`],
        ['secrets/vault-token', 'deployments/vault'],
        ['configmaps/looked-up', 'coupons/welcome'],
      ]
      expect(violations(install.events, releases)).toEqual([])
    })

    test('renders the second chart when the first is there: it finds the Secret and the kind', () => {
      const maps = at(lookedUp, 'items')
      const found = Array.isArray(maps)
        ? maps.find((map: Json) => at(map, 'metadata', 'name') === 'looked-up')
        : undefined
      const checksum = createHash('sha256').update('from-the-release-folder').digest('hex')
      expect(at(found, 'data', 'checksum')).toBe(checksum)
      expect(historyOf('coupons/welcome', install.events).readyAt).toBeDefined()
    })

    test('leaves out what KOTS reads for itself and what is excluded, and lists it', () => {
      expect(install.log).toContain('Application/shop: ')
      expect(install.log).toContain('Config/config: ')
      expect(install.log).toMatch(/ConfigMap\/\S+\/never: /)
      expect(historyOf('configmaps/never', install.events).writtenAt).toBeUndefined()
    })

    test('deletes a Job with hook-succeeded after it succeeded', () => {
      const seed = historyOf('jobs/seed', install.events)
      expect(seed.deletedAt).toBeGreaterThan(seed.readyAt ?? Number.NaN)
    })
  })

  describe('on upgrade', () => {
    test('leaves the charts that left the folder alone', () => {
      expect(releasesOf(upgrade)).toEqual(['app deployed 2'])
      expect(historyOf('deployments/vault', upgrade.events).writtenAt).toBeUndefined()
    })

    test('deletes what left the folder, except what kots.io/keep protects', () => {
      expect(upgrade.exitCode, upgrade.log).toBe(0)
      expect(deletions(upgrade.events)).toContain('configmaps/leaves')
      expect(deletions(upgrade.events)).not.toContain('configmaps/precious')
    })
  })

  describe('on rollback of the plain manifests', () => {
    test('brings back what had left, from an empty directory', () => {
      expect(rollback.exitCode, rollback.log).toBe(0)
      expect(releasesOf(rollback)).toEqual(['app rolled-back 3'])
      expect(historyOf('configmaps/leaves', rollback.events).writtenAt).toBeDefined()
    })
  })

  describe('on uninstall', () => {
    test('goes the other way round: charts by falling weight, then the manifests', () => {
      expect(uninstall.exitCode, uninstall.log).toBe(0)
      expect(releasesOf(uninstall).map((line) => line.split(' ')[0])).toEqual(['shop-catalog', 'vault', 'app'])
      const { events } = uninstall
      expect(goneAt('coupons/welcome', events)).toBeLessThan(deletedAt('deployments/vault'))
      expect(goneAt('deployments/vault', events)).toBeLessThan(deletedAt('configmaps/after-shop'))
    })

    test('deletes by phases: the CRD in phase 1 last, the others in the reverse of their creation', () => {
      const ours = ['configmaps/after-shop', 'shops/main', 'statefulsets/postgresql', 'configmaps/settings']
      const order = [...ours, `customresourcedefinitions/shops.${GROUP}`]
      expect(deletions(uninstall.events).filter((name) => order.includes(name))).toEqual(order)
      for (const [index, name] of order.entries()) {
        const next = order[index + 1]
        if (next !== undefined) expect(goneAt(name, uninstall.events)).toBeLessThanOrEqual(deletedAt(next))
      }
    })

    test('leaves nothing but the CRD of the chart', async () => {
      expect(await namesIn(namespace, 'v1', 'configmaps')).toEqual([])
      expect(await namesIn(namespace, 'v1', 'secrets')).toEqual([])
      expect((await namespace.api.request('GET', `${CRD_PATH}/shops.${GROUP}`)).status).toBe(404)
      expect((await namespace.api.request('GET', `${CRD_PATH}/coupons.${GROUP}`)).status).toBe(200)
    })

    function deletedAt(name: string): number {
      return historyOf(name, uninstall.events).deletedAt ?? Number.NaN
    }
  })
})

/** `release status revision` of each release of the run. */
function releasesOf({ outputs }: Chapter): readonly string[] {
  const releases = JSON.parse(outputs.releases ?? '[]') as readonly {
    readonly release: string
    readonly status: string
    readonly revision: number | string
  }[]
  return releases.map(({ release, status, revision }) => `${release} ${status} ${revision}`)
}

async function removeCrds(): Promise<void> {
  const api = openApi(kubeconfig)
  for (const name of CRDS) {
    await api.request('DELETE', `${CRD_PATH}/${name}`)
    const isGone = async () => (await api.request('GET', `${CRD_PATH}/${name}`)).status === 404
    await waitFor({ what: `the CRD ${name} is gone` }, isGone)
  }
}
