import { gunzipSync, gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { at, type Json } from '../../src/tools/local/cluster/cluster-api.ts'
import { test } from '../cluster/fixture.ts'
import type { Namespace } from '../cluster/namespace.ts'
import { chartOf } from '../e2e/chart-of.ts'
import { helmIn } from '../e2e/helm.ts'
import { objectFindings } from './object-findings.ts'
import { recordFindings } from './record-findings.ts'

const CHART = `apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { greeting: {{ .Values.greeting | default "hello" }} }
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80 }] }
`

/** What the oracle is for: each kind of loss is found, and a release of `helm` itself has none. */
test('finds what has been lost of a release of helm 4', async ({ namespace }) => {
  const chart = await chartOf(CHART)
  const helm = await helmIn(namespace, 'helm4')
  await helm('install', 'app', chart)
  await helm('upgrade', 'app', chart, '--set', 'greeting=bonjour')
  const { findings, view } = await recordFindings(namespace, 'app', { isSettled: true })
  const objects = () => objectFindings(namespace, 'app', view?.manifest ?? [])
  expect(findings).toEqual([])
  expect(await objects()).toEqual([])

  await namespace.api.patch(`${namespace.path}/configmaps/settings`, { data: { greeting: 'hello' } })
  await namespace.api.remove(`${namespace.path}/services/web`)
  await namespace.api.create(`${namespace.path}/configmaps`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'left-behind',
      annotations: { 'meta.helm.sh/release-name': 'app', 'meta.helm.sh/release-namespace': namespace.name },
    },
  })
  expect(await objects()).toEqual([
    'ConfigMap/settings is not in the cluster what it is in the manifest',
    'Service/web is in the manifest and not in the cluster: 404',
    'ConfigMap/left-behind carries the marks of app and is in no manifest',
  ])

  await setStatus(namespace, 1, 'deployed')
  expect((await recordFindings(namespace, 'app', { isSettled: true })).findings).toEqual([
    'helm3: 2 revisions are deployed: 1 deployed, 2 deployed',
    'helm4: 2 revisions are deployed: 1 deployed, 2 deployed',
  ])
  await setStatus(namespace, 1, 'superseded')
  await setStatus(namespace, 2, 'pending-upgrade')
  expect((await recordFindings(namespace, 'app', { isSettled: false })).findings).toEqual([])
  expect((await recordFindings(namespace, 'app', { isSettled: true })).findings).toEqual([
    'helm3: 0 revisions are deployed: 1 superseded, 2 pending-upgrade',
    'helm3: a revision is pending: 1 superseded, 2 pending-upgrade',
    'helm4: 0 revisions are deployed: 1 superseded, 2 pending-upgrade',
    'helm4: a revision is pending: 1 superseded, 2 pending-upgrade',
  ])

  await namespace.api.patch(recordPath(namespace, 2), { data: { release: 'bm9uZQ==' } })
  const { findings: unreadable } = await recordFindings(namespace, 'app', { isSettled: false })
  expect(unreadable).toEqual(['2 revisions are stored and helm reads 1', '2 revisions are stored and helm reads 1'])
})

/** In the record and in its label, as `helm` does. */
async function setStatus(namespace: Namespace, revision: number, status: string): Promise<void> {
  const path = recordPath(namespace, revision)
  const stored = at(await namespace.api.get(path), 'data', 'release')
  const packed = Buffer.from(Buffer.from(String(stored), 'base64').toString(), 'base64')
  const record = JSON.parse(gunzipSync(packed).toString()) as { readonly info: Json }
  const changed = { ...record, info: { ...(record.info as object), status } }
  const release = Buffer.from(gzipSync(JSON.stringify(changed)).toString('base64')).toString('base64')
  await namespace.api.patch(path, { metadata: { labels: { status } }, data: { release } })
}

function recordPath(namespace: Namespace, revision: number): string {
  return `${namespace.path}/secrets/sh.helm.release.v1.app.v${revision}`
}
