import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import type { OpenCluster } from '../../src/kube/cluster-adapter.ts'
import type { History, ReleaseRecord } from '../../src/model/release.ts'
import { deployVerb, lastDeployed, readHistory } from '../../src/record/history.ts'
import { draftDeploy, draftRollback } from '../../src/record/new-record.ts'
import { markStalePending } from '../../src/record/repair.ts'
import type { Labels } from '../../src/record/secret.ts'
import {
  createRevision,
  finishDeployed,
  finishFailed,
  type RecordPorts,
  updateRevision,
} from '../../src/record/writer.ts'
import { at, type Json } from '../../src/tools/local/cluster/cluster-api.ts'
import { test } from '../cluster/fixture.ts'
import { type Helm, helmOf, openCluster, systemClock, writeChart } from './helm.ts'
import { nextRun, revision, run, textOf } from './records.ts'

const { kubeconfig } = inject('cluster')
const VALUES = ['--set', 'greeting=hej', '--set', 'id=9007199254740993'] as const

let cluster: OpenCluster
let chart: string
beforeAll(async () => {
  cluster = await openCluster(kubeconfig)
  chart = await writeChart()
})
afterAll(() => cluster.close())

function open(namespace: string) {
  const ports: RecordPorts = { cluster, clock: systemClock, emit: () => {}, namespace }
  return { ports, read: () => readHistory(cluster, 'web', namespace) }
}

/** A deploy of ours after a release of helm's, as far as the record is concerned. */
async function deploy(
  ports: RecordPorts,
  history: History,
  { labels = {}, ...change }: Partial<ReleaseRecord> & { readonly labels?: Labels },
) {
  const last = lastDeployed(history)
  if (last === undefined) throw new Error('nothing is deployed')
  const draft = draftDeploy(history, {
    verb: deployVerb(history),
    release: 'web',
    namespace: ports.namespace,
    parts: { ...last.record, ...change },
    notes: 'Say moin.',
    labels,
    holder: run,
    nowMs: Date.now(),
  })
  return createRevision(ports, draft, { history, historyMax: 10 })
}

/** All that helm tells about a release. */
async function told(helm: Helm): Promise<readonly string[]> {
  const parts = ['manifest', 'values', 'hooks', 'notes', 'all']
  const texts: string[] = [await helm('history', 'web', '--output', 'json')]
  for (const part of parts) texts.push(await helm('get', part, 'web'))
  return [...texts, await helm('status', 'web', '--output', 'json')]
}

async function historyOf(helm: Helm): Promise<readonly string[]> {
  const entries = JSON.parse(await helm('history', 'web', '--output', 'json')) as readonly Json[]
  return entries.map((entry) => `${at(entry, 'revision')} ${at(entry, 'status')}: ${at(entry, 'description')}`)
}

describe.each(['helm3', 'helm4'] as const)('%s and this action on one release', (version) => {
  test('we read what helm install wrote', async ({ namespace }) => {
    await (await helmOf(version, kubeconfig, namespace.name))('install', 'web', chart, ...VALUES)
    const history = await open(namespace.name).read()
    const { record, labels } = revision(history, 1)
    expect(record).toMatchObject({
      name: 'web',
      namespace: namespace.name,
      version: 1,
      info: { status: 'deployed', description: 'Install complete', notes: 'Say hej to <everybody>.\n' },
      chart: { metadata: { name: 'web', version: '1.2.3' }, values: { greeting: 'hello' } },
      config: { greeting: 'hej' },
      manifest: expect.stringContaining('# Source: web/templates/map.yaml'),
      hooks: [{ kind: 'ConfigMap', name: 'web-hook', events: ['pre-install', 'pre-upgrade'], weight: -5 }],
    })
    expect(record.apply_method).toBe(version === 'helm4' ? 'ssa' : undefined)
    expect([history.unreadable, labels]).toMatchObject([
      [],
      { name: 'web', owner: 'helm', status: 'deployed', version: '1' },
    ])
  })

  test('helm tells the same after we have written its record back', async ({ namespace }) => {
    const helm = await helmOf(version, kubeconfig, namespace.name)
    await helm('install', 'web', chart, ...VALUES)
    const before = await told(helm)
    const { ports, read } = open(namespace.name)
    const stored = revision(await read(), 1)
    await updateRevision(ports, stored, stored.record)
    expect(await told(helm)).toEqual(before)
  })

  test('helm reads what we wrote, rolls back from it and upgrades it', async ({ namespace }) => {
    const helm = await helmOf(version, kubeconfig, namespace.name)
    await helm('install', 'web', chart, ...VALUES)
    const { ports, read } = open(namespace.name)
    const history = await read()
    const manifest = revision(history, 1).record.manifest.replace('hej', 'moin')
    const pending = await deploy(ports, history, { manifest, config: { greeting: 'moin', id: 9007199254740993n } })
    expect(await historyOf(helm)).toEqual([
      '1 deployed: Install complete',
      `2 pending-upgrade: Upgrade underway by ${run}`,
    ])

    await finishDeployed(ports, pending, history)
    expect(await historyOf(helm)).toEqual(['1 superseded: Install complete', '2 deployed: Upgrade complete'])
    expect(await helm('get', 'manifest', 'web')).toContain('greeting: "moin"')
    expect(await helm('get', 'notes', 'web')).toContain('Say moin.')
    expect(await helm('get', 'hooks', 'web')).toContain('web-hook')
    expect(await helm('get', 'values', 'web', '--output', 'json')).toContain('"greeting":"moin"')
    expect(JSON.parse(await helm('status', 'web', '--output', 'json'))).toMatchObject({
      version: 2,
      info: { status: 'deployed' },
    })

    await helm('rollback', 'web', '1')
    await helm('upgrade', 'web', chart, '--set', 'greeting=hi')
    expect(await historyOf(helm)).toEqual([
      '1 superseded: Install complete',
      '2 superseded: Upgrade complete',
      '3 superseded: Rollback to 1',
      '4 deployed: Upgrade complete',
    ])
    expect(textOf(await read())).toBe('1 superseded, 2 superseded, 3 superseded, 4 deployed')
  })

  test('helm lists by labels of ours, shows a description of ours, and takes the labels along', async ({
    namespace,
  }) => {
    const helm = await helmOf(version, kubeconfig, namespace.name)
    await helm('install', 'web', chart, ...VALUES, '--labels', 'team=shop,stage=test')
    const { ports, read } = open(namespace.name)
    const labels = { stage: 'prod', team: 'null' }
    const pending = await deploy(ports, await read(), { labels })
    await finishDeployed(ports, pending, await read(), 'build 42')
    expect(await historyOf(helm)).toEqual(['1 superseded: Install complete', '2 deployed: build 42'])
    expect(await helm('list', '--short', '--selector', 'stage=prod')).toBe('web\n')
    expect(await helm('list', '--short', '--selector', 'team=shop')).toBe('')
    await helm('upgrade', 'web', chart)
    expect(revision(await read(), 3).labels).toMatchObject({ stage: 'prod' })
  })

  test('helm goes on after a failed and an interrupted deploy of ours', async ({ namespace }) => {
    const helm = await helmOf(version, kubeconfig, namespace.name)
    await helm('install', 'web', chart, ...VALUES)
    const { ports, read } = open(namespace.name)
    const failing = await deploy(ports, await read(), {})
    await finishFailed(ports, failing, 'Deployment web is not ready')
    await deploy(ports, await read(), {})
    await markStalePending(ports, await read(), nextRun)
    expect(await historyOf(helm)).toEqual([
      '1 deployed: Install complete',
      '2 failed: Upgrade "web" failed: Deployment web is not ready',
      `3 failed: Upgrade interrupted: ${run} ended before it was done; marked by ${nextRun}`,
    ])
    await helm('upgrade', 'web', chart)
    expect(textOf(await read())).toBe('1 superseded, 2 failed, 3 failed, 4 deployed')
  })

  test('helm reads a rollback of ours', async ({ namespace }) => {
    const helm = await helmOf(version, kubeconfig, namespace.name)
    await helm('install', 'web', chart, ...VALUES)
    await helm('upgrade', 'web', chart, '--set', 'greeting=hi')
    const { ports, read } = open(namespace.name)
    const history = await read()
    const request = { target: revision(history, 1), namespace: namespace.name, holder: run, nowMs: Date.now() }
    const pending = await createRevision(ports, draftRollback(history, request), { history, historyMax: 10 })
    await finishDeployed(ports, pending, history)
    expect((await historyOf(helm)).at(-1)).toBe('3 deployed: Rollback to 1')
    expect(await helm('get', 'manifest', 'web')).toContain('greeting: "hej"')
    await helm('uninstall', 'web')
    expect((await read()).revisions).toEqual([])
  })
})
