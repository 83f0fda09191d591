import { Buffer } from 'node:buffer'
import { gzipSync } from 'node:zlib'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import type { ReleaseStatus } from '../../src/model/release.ts'

/** Where a broken history stands. */
export interface Place {
  readonly release: string
  readonly namespace: string
  readonly nowMs: number
}

/** What killed runs, other tools and people have left of the records of a release. */
export interface BrokenHistory {
  readonly name: string
  /** Revision whose objects are live; absent where none are. */
  readonly live?: number
  readonly stored: (place: Place) => readonly KubeObject[]
}

const HOUR_MS = 3_600_000

/** Each revision has an object of its own beside the one that all share. */
export function settingsOf(revision: number | string): string {
  return `apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { revision: "${revision}" }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: part-${revision} }
`
}

/** The objects of one revision as Helm leaves them. */
export function liveObjects(revision: number, { release, namespace }: Place): readonly KubeObject[] {
  const metadata = (name: string) => ({
    name,
    namespace,
    labels: { 'app.kubernetes.io/managed-by': 'Helm' },
    annotations: { 'meta.helm.sh/release-name': release, 'meta.helm.sh/release-namespace': namespace },
  })
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: metadata('settings'),
      data: { revision: `${revision}` },
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata(`part-${revision}`) },
  ] as readonly KubeObject[]
}

interface Change {
  /** Of the record inside. */
  readonly release?: string
  readonly version?: number
  readonly ageMs?: number
  /** Instead of Helm's; null for one that is absent. */
  readonly labels?: { readonly [key: string]: string | null }
  readonly packed?: (packed: string) => string
  readonly type?: string
}

/** The record of a revision, in the Secret that Helm would put it in. */
function stored(revision: number, status: string, place: Place, change: Change = {}): KubeObject {
  const { release, namespace, nowMs } = place
  const { ageMs = 30 * HOUR_MS, labels = {}, packed = (text: string) => text, type = 'helm.sh/release.v1' } = change
  const all = { name: release, owner: 'helm', status, version: `${revision}`, ...labels }
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: `sh.helm.release.v1.${release}.v${revision}`,
      namespace,
      labels: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as {
        [key: string]: string
      },
    },
    type,
    data: {
      release: Buffer.from(packed(packedRecord(revision, status, place, change, nowMs - ageMs))).toString('base64'),
    },
  } as KubeObject
}

function packedRecord(
  revision: number,
  status: string,
  { release, namespace }: Place,
  change: Change,
  atMs: number,
): string {
  const time = new Date(atMs).toISOString()
  const record: JsonObject = {
    name: change.release ?? release,
    version: change.version ?? revision,
    namespace,
    info: { first_deployed: time, last_deployed: time, deleted: '', description: 'Left by a test', status },
    chart: { metadata: { name: 'shop', version: '0.1.0', apiVersion: 'v2' }, templates: [], values: {} },
    config: {},
    manifest: `---\n${settingsOf(revision)}`,
    hooks: [],
  }
  return gzipSync(JSON.stringify(record)).toString('base64')
}

const many = (place: Place, ...statuses: readonly ReleaseStatus[]) =>
  statuses.map((status, index) => stored(index + 1, status, place))

export const brokenHistories: readonly BrokenHistory[] = [
  { name: 'an install that was cut short', stored: (place) => many(place, 'pending-install') },
  {
    name: 'an upgrade that was cut short',
    live: 1,
    stored: (place) => many(place, 'deployed', 'pending-upgrade'),
  },
  {
    name: 'an upgrade that may still be under way',
    live: 1,
    stored: (place) => [stored(1, 'deployed', place), stored(2, 'pending-upgrade', place, { ageMs: HOUR_MS / 4 })],
  },
  {
    name: 'a rollback that was cut short',
    live: 2,
    stored: (place) => many(place, 'superseded', 'deployed', 'pending-rollback'),
  },
  { name: 'two deployed revisions', live: 2, stored: (place) => many(place, 'deployed', 'deployed') },
  { name: 'no deployed revision', live: 2, stored: (place) => many(place, 'superseded', 'superseded') },
  {
    name: 'a superseded revision on top',
    live: 2,
    stored: (place) => many(place, 'superseded', 'deployed', 'superseded'),
  },
  {
    name: 'a gap in the numbers',
    live: 7,
    stored: (place) => [stored(1, 'superseded', place), stored(7, 'deployed', place)],
  },
  {
    name: 'a newest record that is cut off',
    live: 2,
    stored: (place) => [
      stored(1, 'superseded', place),
      stored(2, 'deployed', place, { packed: (packed) => packed.slice(0, packed.length / 2) }),
    ],
  },
  {
    name: 'a newest record that is no base64',
    live: 2,
    stored: (place) => [
      stored(1, 'superseded', place),
      stored(2, 'deployed', place, { packed: () => '*** not a release ***' }),
    ],
  },
  {
    name: 'a newest record that is empty',
    live: 2,
    stored: (place) => [stored(1, 'superseded', place), stored(2, 'deployed', place, { packed: () => '' })],
  },
  {
    name: 'no record that can be read',
    live: 2,
    stored: (place) =>
      [1, 2].map((revision) => stored(revision, 'deployed', place, { packed: (packed) => packed.slice(0, 40) })),
  },
  {
    name: 'a status of a Helm that is yet to come',
    live: 1,
    stored: (place) => [stored(1, 'deployed', place), stored(2, 'quarantined', place)],
  },
  {
    name: 'labels that say something else than the record',
    live: 2,
    stored: (place) => [
      stored(1, 'superseded', place, { labels: { status: 'deployed', version: '9' } }),
      stored(2, 'deployed', place, { labels: { status: 'pending-upgrade', version: '1' } }),
    ],
  },
  {
    name: 'labels of another owner',
    live: 2,
    stored: (place) => [stored(1, 'superseded', place), stored(2, 'deployed', place, { labels: { owner: 'TILLER' } })],
  },
  {
    name: 'no labels',
    live: 1,
    stored: (place) => [
      stored(1, 'deployed', place, { labels: { owner: null, name: null, status: null, version: null } }),
    ],
  },
  {
    name: 'an uninstall that kept the history',
    stored: (place) => many(place, 'superseded', 'uninstalled'),
  },
  {
    name: 'an uninstall that was cut short',
    live: 2,
    stored: (place) => many(place, 'superseded', 'uninstalling'),
  },
  {
    name: 'a record of another release inside',
    live: 1,
    stored: (place) => [stored(1, 'deployed', place), stored(2, 'deployed', place, { release: 'other' })],
  },
  {
    name: 'a record of another revision inside',
    live: 1,
    stored: (place) => [stored(1, 'deployed', place), stored(2, 'deployed', place, { version: 5 })],
  },
  {
    name: 'a Secret of another type with the labels of a record',
    live: 1,
    stored: (place) => [stored(1, 'deployed', place), stored(2, 'deployed', place, { type: 'Opaque' })],
  },
  {
    name: 'records in ConfigMaps',
    live: 1,
    stored: (place) =>
      many(place, 'deployed').map(({ metadata, data }) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata,
        data: { release: Buffer.from(String((data as JsonObject).release), 'base64').toString() },
      })) as readonly KubeObject[],
  },
  {
    name: 'what Helm 2 left',
    live: 1,
    stored: ({ release, namespace }) =>
      ['ConfigMap', 'Secret'].map((kind) => ({
        apiVersion: 'v1',
        kind,
        metadata: {
          name: `${release}.v1`,
          namespace,
          labels: { NAME: release, OWNER: 'TILLER', STATUS: 'DEPLOYED', VERSION: '1' },
        },
        data: { release: 'H4sIAAAAAAAA' },
      })) as readonly KubeObject[],
  },
  {
    name: '400 revisions',
    live: 400,
    stored: (place) =>
      Array.from({ length: 400 }, (_, index) => stored(index + 1, index === 399 ? 'deployed' : 'superseded', place)),
  },
]
