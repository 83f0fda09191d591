import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KubeConfig } from '@kubernetes/client-node'
import { at } from '../../src/tools/local/cluster/cluster-api.ts'
import { writeKubeconfig } from '../../src/tools/local/cluster/cluster-credentials.ts'
import type { Namespace } from './namespace.ts'

/** As in a Role. */
export type Rule = {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

/** A user who may do only what the rules say, in this namespace only. Gives the path of a kubeconfig. */
export async function createUser(namespace: Namespace, rules: readonly Rule[]): Promise<string> {
  const { api, path, name: namespaceName } = namespace
  const name = `user-${randomBytes(4).toString('hex')}`
  const rbac = namespace.in('rbac.authorization.k8s.io/v1')
  await api.create(`${path}/serviceaccounts`, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } })
  await api.create(`${rbac}/roles`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name },
    rules,
  })
  await api.create(`${rbac}/rolebindings`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace: namespaceName }],
  })
  const answer = await api.create(`${path}/serviceaccounts/${name}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 3600 },
  })
  const token = at(answer, 'status', 'token')
  if (typeof token !== 'string') throw new Error(`no token for ServiceAccount ${namespaceName}/${name}`)
  return writeKubeconfig(join(tmpdir(), `${name}.kubeconfig`), {
    ...serverOf(namespace.kubeconfig),
    user: name,
    token,
    namespace: namespaceName,
  })
}

function serverOf(kubeconfig: string): { readonly server: string; readonly certificateAuthority: string } {
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  const cluster = config.getCurrentCluster()
  if (cluster?.caData === undefined) throw new Error(`the kubeconfig ${kubeconfig} holds no certificate authority data`)
  return { server: cluster.server, certificateAuthority: Buffer.from(cluster.caData, 'base64').toString() }
}
