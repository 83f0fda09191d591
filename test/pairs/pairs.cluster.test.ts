import { afterAll, beforeAll, describe, inject, test } from 'vitest'
import { startRenderer } from '../../src/render/renderer.ts'
import { buildEngine } from '../../src/tools/builds/engine-build.ts'
import { type Cluster, startCluster } from '../../src/tools/local/cluster/start-cluster.ts'
import { readAudit } from '../cluster/audit.ts'
import type { HelmVersion } from './helm-templates.ts'
import { readPairs } from './pair-file.ts'
import { findingsIn } from './table.ts'
import { type Bench, tell } from './tell.ts'
import { verdictOn } from './verdict.ts'

/** One of each kind of story; `npm run pairs` tells all of them. */
const SAMPLES: readonly (readonly [string, HelmVersion])[] = [
  ['configmap-checksum', 'helm3'],
  ['crd-in-templates-new-field', 'helm4'],
  ['hook-migration', 'helm4'],
  ['rbac-grows', 'helm3'],
  ['secret-random-lookup', 'helm3'],
  ['service-types', 'helm4'],
]

describe.skipIf(inject('cluster').local === undefined)('the action beside Helm', () => {
  const { kubeconfig, local } = inject('cluster')
  let twin: Cluster | undefined
  let bench: Bench

  beforeAll(async () => {
    const [started, engine] = await Promise.all([startCluster(), buildEngine()])
    twin = started
    bench = { renderer: startRenderer({ folder: engine }), ours: kubeconfig, helms: started.kubeconfig }
  })
  afterAll(async () => {
    await bench.renderer.close()
    await twin?.stop()
  })

  test.concurrent.for(SAMPLES)('%s, %s: announced is written is what Helm leaves', async ([name, helm], { expect }) => {
    const pair = (await readPairs()).find((one) => one.name === name)
    if (pair === undefined) throw new Error(`there is no pair ${name}`)
    const story = await tell(pair, helm, bench)
    expect(findingsIn(verdictOn(story, await readAudit(local?.auditLog ?? '')))).toEqual([])
    // The same deploy, had it written nothing.
    expect(findingsIn(verdictOn(story, []))).toContainEqual(expect.stringContaining('announced and not done'))
  })
})
