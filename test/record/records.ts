import { Buffer } from 'node:buffer'
import { gzipSync } from 'node:zlib'
import type { Event } from '../../src/model/event.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import type { History, ReleaseHook, ReleaseRecord, ReleaseStatus, StoredRevision } from '../../src/model/release.ts'
import { historyOf, readHistory } from '../../src/record/history.ts'
import { draftDeploy, type RevisionDraft } from '../../src/record/new-record.ts'
import { toSecret } from '../../src/record/secret.ts'
import type { RecordPorts } from '../../src/record/writer.ts'
import { fakeClock } from '../doubles/fake-clock.ts'
import { fakeCluster } from '../doubles/fake-cluster.ts'

/** Builders of release records: only what a test is about is written in the test. */

export const run = 'https://github.example/shop/actions/runs/884/attempts/1'
export const nextRun = 'https://github.example/shop/actions/runs/885/attempts/1'

export function recordOf(version: number, status: ReleaseStatus, change: Partial<ReleaseRecord> = {}): ReleaseRecord {
  return {
    name: 'web',
    info: {
      first_deployed: '2026-01-01T00:00:00Z',
      last_deployed: '2026-01-01T00:00:00Z',
      description: 'Upgrade complete',
      status,
    },
    chart: { metadata: { name: 'web', version: '1.0.0' } },
    config: { replicas: 2 },
    manifest: '---\n# Source: web/templates/web.yaml\nkind: ConfigMap\n',
    hooks: [],
    version,
    namespace: 'shop',
    apply_method: 'ssa',
    ...change,
  }
}

export const migrate: ReleaseHook = {
  name: 'migrate',
  kind: 'Job',
  path: 'web/templates/migrate.yaml',
  manifest: 'kind: Job\n',
  events: ['pre-install', 'pre-upgrade'],
  weight: -5,
  delete_policies: ['before-hook-creation'],
}

/** A Secret as Helm stores it, from any JSON. */
export function secretOf(
  release: JsonObject,
  change: { readonly name?: string; readonly data?: string } = {},
): KubeObject {
  const name = change.name ?? `sh.helm.release.v1.${String(release.name)}.v${String(release.version)}`
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'shop', labels: { name: 'web', owner: 'helm' }, resourceVersion: '1' },
    type: 'helm.sh/release.v1',
    data: { release: change.data ?? dataOf(JSON.stringify(release)) },
  }
}

/** `data.release` of this text: packed, and in base64 twice. */
export function dataOf(text: string): string {
  return Buffer.from(gzipSync(text).toString('base64')).toString('base64')
}

export function historyWith(...statuses: readonly ReleaseStatus[]): History {
  return historyOf(
    statuses.map((status, index) => secretOf(recordOf(index + 1, status))),
    'web',
  )
}

export function draftOf(history: History, holder = run, change: Partial<ReleaseRecord> = {}): RevisionDraft {
  const { record, labels } = draftDeploy(history, {
    verb: 'upgrade',
    release: 'web',
    namespace: 'shop',
    parts: { chart: {}, config: {}, manifest: 'kind: ConfigMap\n', hooks: [] },
    notes: '',
    holder,
    nowMs: Date.UTC(2026, 0, 1),
  })
  return { record: { ...record, ...change }, labels }
}

/** A cluster in memory with these revisions of the release `web`, and what is needed to write further ones. */
export function start(...statuses: readonly ReleaseStatus[]) {
  const clock = fakeClock()
  const cluster = fakeCluster(clock)
  const events: Event[] = []
  for (const [index, status] of statuses.entries()) {
    cluster.put(toSecret(recordOf(index + 1, status), { namespace: 'shop', nowMs: 0, labels: {} }))
  }
  const ports: RecordPorts = { cluster, clock, emit: (event) => events.push(event), namespace: 'shop' }
  return { clock, cluster, events, ports, read: () => readHistory(cluster, 'web', 'shop') }
}

/** `1 superseded, 2 deployed`. */
export function textOf(history: History): string {
  return history.revisions.map(({ record }) => `${record.version} ${record.info.status}`).join(', ')
}

export function revision(history: History, version: number): StoredRevision {
  const found = history.revisions.find(({ record }) => record.version === version)
  if (found === undefined) throw new Error(`no revision ${version} in ${textOf(history)}`)
  return found
}
