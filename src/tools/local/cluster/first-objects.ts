import { type Api, at, type Json } from './cluster-api.ts'
import { LATE_STORAGE_CLASS, PROVISIONER, STORAGE_CLASS } from './simulation/other-stages.ts'

/** More than one, so that a DaemonSet has something to spread over. */
const NODES = ['node-1', 'node-2', 'node-3']
const CAPACITY = { cpu: '64', memory: '256Gi', pods: '2000', 'ephemeral-storage': '1Ti' }

/** Creates the simulated nodes; `areReady` tells when pods can run on all of them. */
export async function createNodes(api: Api): Promise<{ readonly areReady: () => Promise<boolean> }> {
  await Promise.all(
    NODES.map(async (name) => {
      await api.create('/api/v1/nodes', {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: {
          name,
          labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' },
          annotations: { 'kwok.x-k8s.io/node': 'fake' },
        },
      })
      await api.patch(`/api/v1/nodes/${name}/status`, { status: { capacity: CAPACITY, allocatable: CAPACITY } })
    }),
  )
  return {
    areReady: async () => {
      const nodes = await api.get('/api/v1/nodes')
      return NODES.every((_, index) => isReady(at(nodes, 'items', index)))
    },
  }
}

export async function createStorageClasses(api: Api): Promise<void> {
  const path = '/apis/storage.k8s.io/v1/storageclasses'
  await api.create(
    path,
    storageClass(STORAGE_CLASS, 'Immediate', { 'storageclass.kubernetes.io/is-default-class': 'true' }),
  )
  await api.create(path, storageClass(LATE_STORAGE_CLASS, 'WaitForFirstConsumer', {}))
}

/** The user `viewer` gets what Kubernetes calls `view`: everything but Secrets and RBAC, read only. */
export async function grantViewer(api: Api): Promise<void> {
  await api.create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'viewer' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'viewer' }],
  })
}

function storageClass(name: string, volumeBindingMode: string, annotations: Readonly<Record<string, string>>): unknown {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name, annotations },
    provisioner: PROVISIONER,
    reclaimPolicy: 'Delete',
    volumeBindingMode,
    allowVolumeExpansion: true,
  }
}

function isReady(node: Json | undefined): boolean {
  const conditions = at(node, 'status', 'conditions')
  return (
    Array.isArray(conditions) &&
    conditions.some((entry) => at(entry, 'type') === 'Ready' && at(entry, 'status') === 'True')
  )
}
