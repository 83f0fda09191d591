import { isDeepStrictEqual } from 'node:util'
import { type Api, at, type Json } from '../../src/tools/local/cluster/cluster-api.ts'
import type { Namespace } from '../cluster/namespace.ts'

/** Kinds in which an object may have been left behind, beside those of the manifest. */
const USUAL_KINDS = [
  ['v1', 'ConfigMap'],
  ['v1', 'Secret'],
  ['v1', 'Service'],
  ['v1', 'ServiceAccount'],
  ['v1', 'PersistentVolumeClaim'],
  ['apps/v1', 'Deployment'],
  ['apps/v1', 'StatefulSet'],
  ['apps/v1', 'DaemonSet'],
  ['batch/v1', 'Job'],
  ['batch/v1', 'CronJob'],
] as const

const APPLY = 'application/apply-patch+yaml'

/** What the server writes by itself, or what says who wrote. */
const BOOKKEEPING = ['managedFields', 'resourceVersion', 'generation', 'uid', 'creationTimestamp', 'selfLink']

/**
 * What the live objects of a namespace differ in from the manifest of the deployed revision: an apply of it must change
 * nothing, and nothing else may carry the marks of the release, but for hooks and what is kept.
 */
export async function objectFindings(
  namespace: Namespace,
  release: string,
  manifest: readonly Json[],
): Promise<readonly string[]> {
  const differences = await Promise.all(manifest.map((object) => difference(namespace, release, object)))
  return [...differences.flat(), ...(await orphans(namespace, release, manifest))]
}

async function difference(namespace: Namespace, release: string, object: Json): Promise<readonly string[]> {
  const { api } = namespace
  const folder = await folderOf(namespace, text(at(object, 'apiVersion')), text(at(object, 'kind')))
  const name = `${text(at(object, 'kind'))}/${text(at(object, 'metadata', 'name'))}`
  const path = `${folder}/${text(at(object, 'metadata', 'name'))}`
  const live = await api.request('GET', path)
  if (live.status !== 200) return [`${name} is in the manifest and not in the cluster: ${live.status}`]
  const query = 'dryRun=All&fieldManager=helm&force=true'
  const applied = await api.request('PATCH', `${path}?${query}`, marked(object, release, namespace.name), APPLY)
  if (applied.status !== 200) return [`${name} cannot be applied: ${applied.status} ${applied.text}`]
  const isEqual = isDeepStrictEqual(content(JSON.parse(live.text)), content(JSON.parse(applied.text)))
  return isEqual ? [] : [`${name} is not in the cluster what it is in the manifest`]
}

/** As Helm applies it: the marks are in no manifest. */
function marked(object: Json, release: string, namespace: string): object {
  const metadata = at(object, 'metadata') as { readonly [key: string]: Json }
  const labels = { ...(at(metadata, 'labels') as object | undefined), 'app.kubernetes.io/managed-by': 'Helm' }
  const annotations = {
    ...(at(metadata, 'annotations') as object | undefined),
    'meta.helm.sh/release-name': release,
    'meta.helm.sh/release-namespace': namespace,
  }
  return { ...(object as object), metadata: { ...metadata, labels, annotations } }
}

async function orphans(namespace: Namespace, release: string, manifest: readonly Json[]): Promise<readonly string[]> {
  const kinds = new Map(
    [
      ...USUAL_KINDS,
      ...manifest.map((object) => [text(at(object, 'apiVersion')), text(at(object, 'kind'))] as const),
    ].map(([apiVersion, kind]) => [`${apiVersion}/${kind}`, { apiVersion, kind }] as const),
  )
  const wanted = new Set(
    manifest.map((object) => `${text(at(object, 'kind'))}/${text(at(object, 'metadata', 'name'))}`),
  )
  const found: string[] = []
  for (const { apiVersion, kind } of kinds.values()) {
    const folder = await folderOf(namespace, apiVersion, kind)
    const items = at(await namespace.api.get(folder), 'items')
    for (const item of Array.isArray(items) ? (items as readonly Json[]) : []) {
      const name = `${kind}/${text(at(item, 'metadata', 'name'))}`
      if (isMarked(item, release) && !isExcused(item) && !wanted.has(name)) {
        found.push(`${name} carries the marks of ${release} and is in no manifest`)
      }
    }
  }
  return found
}

function isMarked(object: Json, release: string): boolean {
  return at(object, 'metadata', 'annotations', 'meta.helm.sh/release-name') === release
}

/** Hooks live by their own policies; what is kept outlives its release; what is being deleted is on its way. */
function isExcused(object: Json): boolean {
  const annotations = at(object, 'metadata', 'annotations')
  return (
    at(annotations, 'helm.sh/hook') !== undefined ||
    at(annotations, 'helm.sh/resource-policy') === 'keep' ||
    at(object, 'metadata', 'deletionTimestamp') !== undefined
  )
}

async function folderOf({ api, name }: Namespace, apiVersion: string, kind: string): Promise<string> {
  const { plural, isNamespaced } = await resourceOf(api, apiVersion, kind)
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`
  return isNamespaced ? `${root}/namespaces/${name}/${plural}` : `${root}/${plural}`
}

async function resourceOf(api: Api, apiVersion: string, kind: string) {
  const resources = at(await api.get(apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`), 'resources')
  const found = (Array.isArray(resources) ? (resources as readonly Json[]) : []).find(
    (resource) => at(resource, 'kind') === kind && !text(at(resource, 'name')).includes('/'),
  )
  if (found === undefined) throw new Error(`${apiVersion} ${kind} is not served`)
  return { plural: text(at(found, 'name')), isNamespaced: at(found, 'namespaced') === true }
}

function content(object: Json): Json {
  const { status: _, metadata, ...rest } = object as { readonly [key: string]: Json }
  const kept = Object.entries((metadata ?? {}) as { readonly [key: string]: Json }).filter(
    ([key]) => !BOOKKEEPING.includes(key),
  )
  return { ...rest, metadata: Object.fromEntries(kept) }
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
