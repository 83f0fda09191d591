import { isJsonObject, type KubeObject } from '../../src/model/object.ts'
import { type Api, at, type Json } from '../../src/tools/local/cluster/cluster-api.ts'
import { waitFor } from '../../src/tools/local/cluster/wait-for.ts'

/** What a cluster holds of a release, by `Kind/name`. */
export type Snapshot = ReadonlyMap<string, KubeObject>

/** Whose objects: those of the kinds of a release, in its namespace or (`Kind/name`) without one. */
export interface Scope {
  readonly api: Api
  readonly namespace: string
  readonly names: ReadonlySet<string>
  /** With the apiVersion in which each is read. */
  readonly kinds: ReadonlyMap<string, string>
}

/** Taken once nothing changes any more: controllers are given the time to follow. */
export async function takeSnapshot(scope: Scope): Promise<Snapshot> {
  let last = await listAll(scope)
  return waitFor({ what: `nothing changes in ${scope.namespace}`, limitMs: 30_000 }, async () => {
    const found = await listAll(scope)
    const isQuiet = versionsOf(found) === versionsOf(last)
    last = found
    return isQuiet && found
  })
}

/** Written by none but the control plane, or to look after a release. */
const LEFT_OUT: readonly { readonly why: string; readonly is: (object: KubeObject) => boolean }[] = [
  { why: 'follows from its owner', is: ({ metadata }) => (metadata.ownerReferences ?? []).length > 0 },
  { why: 'release records', is: ({ type }) => type === 'helm.sh/release.v1' },
  {
    why: 'made with every namespace',
    is: ({ kind, metadata: { name } }) =>
      (kind === 'ConfigMap' && name === 'kube-root-ca.crt') || (kind === 'ServiceAccount' && name === 'default'),
  },
]

async function listAll({ api, namespace, names, kinds }: Scope): Promise<Snapshot> {
  const resources = await resourcesOf(api, kinds)
  const lists = await Promise.all(
    resources.map(async ({ path, apiVersion, kind, isNamespaced }) => {
      const answer = await api.request('GET', isNamespaced ? path.replace('NAMESPACE', namespace) : path)
      // A kind whose CRD has gone in the meantime holds nothing.
      const items = answer.status === 200 ? at(JSON.parse(answer.text) as Json, 'items') : []
      const objects = (Array.isArray(items) ? items : []).flatMap((item) => (isJsonObject(item) ? [item] : []))
      return objects
        .map((object): KubeObject => ({ metadata: {}, ...object, apiVersion, kind }))
        .filter((object) => isNamespaced || names.has(keyOf(object)))
    }),
  )
  const objects = lists.flat().filter((object) => !LEFT_OUT.some(({ is }) => is(object)))
  return new Map(objects.map((object) => [keyOf(object), object]))
}

/** Deletes the namespace, and waits only for what has none: another release may bring it again. */
export async function removeAll(scope: Scope): Promise<void> {
  const { api, namespace, kinds } = scope
  const found = await listAll(scope)
  await api.request('DELETE', `/api/v1/namespaces/${namespace}`)
  const resources = (await resourcesOf(api, kinds)).filter(({ isNamespaced }) => !isNamespaced)
  const paths = [...found.values()].flatMap(({ kind, metadata }) =>
    resources.filter((resource) => resource.kind === kind).map(({ path }) => `${path}/${metadata.name}`),
  )
  await Promise.all(
    paths.map((path) =>
      waitFor({ what: `${path} is gone` }, async () => (await api.request('DELETE', path)).status === 404),
    ),
  )
}

export function keyOf({ kind, metadata: { name } }: KubeObject): string {
  return `${kind}/${name}`
}

interface Listable {
  /** With `NAMESPACE` where the name of one belongs. */
  readonly path: string
  readonly apiVersion: string
  readonly kind: string
  readonly isNamespaced: boolean
}

/** Those that are served now, and claims: a StatefulSet makes some that nobody owns. */
async function resourcesOf(api: Api, kinds: Scope['kinds']): Promise<readonly Listable[]> {
  const wanted = new Map([...kinds, ['PersistentVolumeClaim', 'v1']])
  const lists = await Promise.all(
    [...new Set(wanted.values())].map(async (apiVersion) => {
      const path = `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}`
      const answer = await api.request('GET', path)
      const resources = answer.status === 200 ? at(JSON.parse(answer.text) as Json, 'resources') : []
      return (Array.isArray(resources) ? resources : []).flatMap((resource) => listableOf(path, apiVersion, resource))
    }),
  )
  return lists.flat().filter(({ kind, apiVersion }) => wanted.get(kind) === apiVersion)
}

function listableOf(path: string, apiVersion: string, resource: Json): readonly Listable[] {
  const [name, kind, verbs] = [at(resource, 'name'), at(resource, 'kind'), at(resource, 'verbs')]
  if (typeof name !== 'string' || typeof kind !== 'string' || !Array.isArray(verbs)) return []
  if (name.includes('/') || !verbs.includes('list')) return []
  const isNamespaced = at(resource, 'namespaced') === true
  return [{ path: `${path}/${isNamespaced ? 'namespaces/NAMESPACE/' : ''}${name}`, apiVersion, kind, isNamespaced }]
}

function versionsOf(snapshot: Snapshot): string {
  return JSON.stringify([...snapshot].map(([key, { metadata }]) => [key, metadata.resourceVersion]).toSorted())
}
