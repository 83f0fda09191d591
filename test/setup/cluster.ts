import type { TestProject } from 'vitest/node'
import { startCluster } from '../cluster/cluster.ts'

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

/** vitest global setup of the project `cluster`: one control plane per run, or the one that TEST_KUBECONFIG names. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.TEST_KUBECONFIG
  if (given !== undefined && given !== '') {
    project.provide('cluster', { kubeconfig: given })
    return undefined
  }
  const cluster = await startCluster()
  const { kubeconfig, kubeconfigs, auditLog, folder } = cluster
  const { viewer, nobody } = kubeconfigs
  project.provide('cluster', { kubeconfig, local: { auditLog, viewer, nobody, folder } })
  return cluster.stop
}
