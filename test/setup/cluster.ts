import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { missingBinaries } from '../../src/tools/builds/binaries.ts'
import { ensureBuilt } from '../../src/tools/builds/builder.ts'
import { buildEngine, engineWasm } from '../../src/tools/builds/engine-build.ts'
import { CLUSTER_BINARIES, startCluster } from '../../src/tools/local/cluster/start-cluster.ts'

/** What tests compare with, run workflows by, and fetch charts from. */
const PEERS = ['helm4', 'helm3', 'act', 'registry'] as const

/** What tests get to know about the cluster of this run, by `inject('cluster')`. */
export type TestCluster = {
  readonly kubeconfig: string
  /** Absent where TEST_KUBECONFIG names a cluster that is not ours. */
  readonly local?: {
    readonly auditLog: string
    readonly viewer: string
    readonly nobody: string
    readonly folder: string
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly cluster: TestCluster
  }
}

/**
 * vitest global setup of the project `cluster`: all programs and the engine that its tests need, built before the first of them, and one
 * control plane per run, or the one that TEST_KUBECONFIG names.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.TEST_KUBECONFIG
  const isGiven = given !== undefined && given !== ''
  await ensureBuilt([engineWasm, ...(await missingBinaries(isGiven ? PEERS : [...CLUSTER_BINARIES, ...PEERS]))])
  await buildEngine()
  if (isGiven) {
    project.provide('cluster', describe(given))
    return undefined
  }
  const cluster = await startCluster()
  project.provide('cluster', describe(cluster.kubeconfig))
  return cluster.stop
}

/** A cluster of ours is known by the files beside its kubeconfig, so one that `npm run cluster` started serves fully. */
function describe(kubeconfig: string): TestCluster {
  const folder = dirname(kubeconfig)
  const auditLog = join(folder, 'audit.log')
  if (!existsSync(auditLog)) return { kubeconfig }
  const [viewer, nobody] = [join(folder, 'viewer.kubeconfig'), join(folder, 'nobody.kubeconfig')]
  return { kubeconfig, local: { auditLog, viewer, nobody, folder } }
}
