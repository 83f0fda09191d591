import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { mapLimited } from '../../src/concurrency/map-limited.ts'
import type { OpenCluster } from '../../src/kube/cluster-adapter.ts'
import { clusterWorld } from '../../src/pass/cluster-world.ts'
import { runReleases } from '../../src/run/run.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import { createNamespace, type Namespace } from '../cluster/namespace.ts'
import { fakeRenderer } from '../doubles/fake-renderer.ts'
import { neverStopped } from '../doubles/stops.ts'
import { helmIn } from '../e2e/helm.ts'
import { HELM_VERSIONS, helmView } from '../oracle/helm-view.ts'
import { settings } from '../run/scene.ts'
import { type BrokenHistory, brokenHistories, liveObjects, settingsOf } from './broken-histories.ts'
import { openCluster, systemClock } from './helm.ts'

const { kubeconfig } = inject('cluster')
const HISTORIES_AT_A_TIME = 3

let cluster: OpenCluster
beforeAll(async () => {
  cluster = await openCluster(kubeconfig)
})
afterAll(() => cluster.close())

/** How a deploy of this action ends. */
async function deploy(release: string, namespace: string): Promise<string> {
  const renderer = fakeRenderer()
  renderer.chart(settingsOf('new'))
  const releases = settings.releases.map((spec) => ({ ...spec, release, namespace }))
  const request = {
    settings: { ...settings, releases },
    holder: 'https://github.example/runs/1',
    bundle: 'b1',
    stop: neverStopped(),
    onHeld: () => {},
    onFreed: () => {},
  }
  const reporter = { note: () => {}, started: () => {}, planned: () => {}, event: () => {}, finished: async () => {} }
  const ports = { world: clusterWorld(cluster), renderer, clock: systemClock, secrets: createSecrets() }
  const [result] = await runReleases(request, ports, reporter)
  const { failure, status } = result?.outcome ?? {}
  return failure === undefined ? `${status}` : failure.reason
}

/** What `helm` 3 and 4 read of the release: its history, its newest revision, and how many objects that has. */
async function readByHelm(release: string, namespace: Namespace): Promise<readonly string[]> {
  return mapLimited(HELM_VERSIONS, 2, async (version) => {
    const { revisions, newest, manifest } = await helmView(namespace, release, version, { withStatus: true })
    await (await helmIn(namespace, version))('get', 'all', release)
    const history = revisions.map(({ revision, status }) => `${revision} ${status}`).slice(-3)
    return `${history.join(', ')}; newest ${newest?.revision} ${newest?.status}; ${manifest.length} objects`
  })
}

async function played({ name, live, stored }: BrokenHistory): Promise<string> {
  const namespace = await createNamespace(kubeconfig, 'broken')
  try {
    const place = { release: 'shop', namespace: namespace.name, nowMs: Date.now() }
    const { api, path } = namespace
    for (const object of live === undefined ? [] : liveObjects(live, place)) {
      // As Helm 4 writes them: the fields are its own.
      const of = `${path}/configmaps/${object.metadata.name}?fieldManager=helm`
      await api.request('PATCH', of, object, 'application/apply-patch+yaml')
    }
    await mapLimited(stored(place), 8, (object) =>
      api.create(`${path}/${object.kind === 'Secret' ? 'secrets' : 'configmaps'}`, object),
    )
    const end = await deploy(place.release, namespace.name)
    const [helm3 = '', helm4] = await readByHelm(place.release, namespace).catch((error) => [
      String(error).slice(0, 300),
    ])
    return `${name}: ${end}; ${helm3 === helm4 ? helm3 : `helm 3 ${helm3}, helm 4 ${helm4}`}`
  } finally {
    await namespace.remove()
  }
}

test(`helm 3 and 4 read what a deploy has made of ${brokenHistories.length} broken histories`, async () => {
  expect(await mapLimited(brokenHistories, HISTORIES_AT_A_TIME, played)).toEqual([
    'an install that was cut short: deployed; 1 failed, 2 deployed; newest 2 deployed; 2 objects',
    'an upgrade that was cut short: deployed; 1 superseded, 2 failed, 3 deployed; newest 3 deployed; 2 objects',
    'an upgrade that may still be under way: locked; 1 deployed, 2 pending-upgrade; newest 2 pending-upgrade; 2 objects',
    'a rollback that was cut short: deployed; 2 superseded, 3 failed, 4 deployed; newest 4 deployed; 2 objects',
    'two deployed revisions: deployed; 1 superseded, 2 superseded, 3 deployed; newest 3 deployed; 2 objects',
    'no deployed revision: deployed; 1 superseded, 2 superseded, 3 deployed; newest 3 deployed; 2 objects',
    'a superseded revision on top: deployed; 2 superseded, 3 superseded, 4 deployed; newest 4 deployed; 2 objects',
    'a gap in the numbers: deployed; 1 superseded, 7 superseded, 8 deployed; newest 8 deployed; 2 objects',
    'a newest record that is cut off: deployed; 1 superseded, 3 deployed; newest 3 deployed; 2 objects',
    'a newest record that is no base64: deployed; 1 superseded, 3 deployed; newest 3 deployed; 2 objects',
    'a newest record that is empty: deployed; 1 superseded, 3 deployed; newest 3 deployed; 2 objects',
    'no record that can be read: deployed; 3 deployed; newest 3 deployed; 2 objects',
    'a status of a Helm that is yet to come: deployed; 1 superseded, 2 quarantined, 3 deployed; newest 3 deployed; 2 objects',
    'labels that say something else than the record: deployed; 1 superseded, 2 superseded, 3 deployed; newest 3 deployed; 2 objects',
    'labels of another owner: deployed; 1 superseded, 3 deployed; newest 3 deployed; 2 objects',
    'no labels: deployed; 2 deployed; newest 2 deployed; 2 objects',
    'an uninstall that kept the history: deployed; 1 superseded, 2 uninstalled, 3 deployed; newest 3 deployed; 2 objects',
    'an uninstall that was cut short: deployed; 1 superseded, 2 uninstalling, 3 deployed; newest 3 deployed; 2 objects',
    'a record of another release inside: deployed; 1 superseded, 2 deployed, 3 deployed; newest 3 deployed; 2 objects',
    'a record of another revision inside: deployed; 1 superseded, 5 deployed, 6 deployed; newest 6 deployed; 2 objects',
    'a Secret of another type with the labels of a record: deployed; 1 superseded, 2 deployed, 3 deployed; newest 3 deployed; 2 objects',
    'records in ConfigMaps: deployed; 1 deployed; newest 1 deployed; 2 objects',
    'what Helm 2 left: deployed; 1 deployed; newest 1 deployed; 2 objects',
    '400 revisions: deployed; 399 superseded, 400 superseded, 401 deployed; newest 401 deployed; 2 objects',
  ])
})
