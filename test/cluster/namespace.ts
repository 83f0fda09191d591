import { randomBytes } from 'node:crypto'
import { type Api, at, type Json, openApi } from '../../src/tools/local/cluster/cluster-api.ts'
import { waitFor } from '../../src/tools/local/cluster/wait-for.ts'

export type Namespace = {
  readonly name: string
  /** Path of the namespace in the core API, for `api.get(`${path}/pods`)`. */
  readonly path: string
  /** Path of the namespace in another API group, such as `apps/v1`. */
  readonly in: (groupVersion: string) => string
  readonly api: Api
  readonly kubeconfig: string
  /** Asks for its deletion and does not wait for it. */
  readonly remove: () => Promise<void>
}

/** A new namespace of its own for one test, ready to run pods in. */
export function createNamespace(kubeconfig: string, prefix = 'test'): Promise<Namespace> {
  return createNamespaceNamed(`${prefix}-${randomBytes(4).toString('hex')}`, kubeconfig)
}

export async function createNamespaceNamed(name: string, kubeconfig: string): Promise<Namespace> {
  const api = openApi(kubeconfig)
  const path = `/api/v1/namespaces/${name}`
  await api.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  await waitFor({ what: `the default ServiceAccount of namespace ${name} exists` }, async () => {
    const account = await api.request('GET', `${path}/serviceaccounts/default`)
    return account.status === 200
  })
  return {
    name,
    path,
    in: (groupVersion) => `/apis/${groupVersion}/namespaces/${name}`,
    api,
    kubeconfig,
    remove: async () => {
      await api.request('DELETE', path)
    },
  }
}

/** Polls one object until the condition holds, and returns it. */
export async function waitForObject(
  api: Api,
  path: string,
  what: string,
  holds: (object: Json) => boolean,
): Promise<Json> {
  let last = ''
  try {
    return await waitFor({ what: `${path} ${what}` }, async () => {
      const response = await api.request('GET', path)
      last = response.text
      if (response.status !== 200) return undefined
      const object = JSON.parse(response.text) as Json
      return holds(object) ? object : undefined
    })
  } catch (cause) {
    throw new Error(`${path} did not become ${what}; last seen: ${last}`, { cause })
  }
}

/** Is a status condition of that type true? */
export function isTrue(object: Json, type: string): boolean {
  const conditions = at(object, 'status', 'conditions')
  return (
    Array.isArray(conditions) &&
    conditions.some((entry) => at(entry, 'type') === type && at(entry, 'status') === 'True')
  )
}
