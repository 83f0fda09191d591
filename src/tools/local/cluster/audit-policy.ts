import { writeFile } from 'node:fs/promises'

/**
 * Everything on the level of metadata, reads too, so that tests can prove who read and wrote what and when. Left out:
 * health checks, and what the control plane's own parts read.
 */
export async function writeAuditPolicy(file: string): Promise<string> {
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived', 'ResponseStarted'],
    omitManagedFields: true,
    rules: [
      { level: 'None', nonResourceURLs: ['/healthz*', '/livez*', '/readyz*', '/metrics'] },
      { level: 'None', users: OWN_USERS, verbs: ['get', 'list', 'watch'] },
      { level: 'None', users: OWN_USERS, resources: [{ group: 'coordination.k8s.io' }] },
      { level: 'Request', users: OWN_USERS, resources: STATUS_RESOURCES },
      { level: 'Metadata' },
    ],
  }
  await writeFile(file, JSON.stringify(policy))
  return file
}

const OWN_USERS = ['system:apiserver', 'system:kube-controller-manager', 'system:kube-scheduler', 'simulation']
const STATUS_RESOURCES = [
  { group: '', resources: ['pods/status', 'persistentvolumeclaims/status', 'services/status'] },
  { group: 'apps', resources: ['*/status'] },
  { group: 'batch', resources: ['*/status'] },
  { group: 'apiextensions.k8s.io', resources: ['customresourcedefinitions/status'] },
  { group: 'demo.staged-helm-deploy.dev', resources: ['*/status'] },
]
