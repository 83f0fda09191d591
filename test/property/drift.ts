import { at, type JsonObject, type KubeObject } from '../../src/model/object.ts'
import type { Api } from '../../src/tools/local/cluster/cluster-api.ts'
import { waitFor } from '../../src/tools/local/cluster/wait-for.ts'
import { objectsOf } from './objects.ts'
import type { Drift, DriftKind } from './pairs.ts'
import { type KindName, type Place, resources } from './things.ts'

const MANAGER = 'somebody'

/** Somebody else changes the live object. What cannot be done to this object, or to one that is not there, is not done. */
export async function drift({ thing, how }: Drift, place: Place, api: Api): Promise<void> {
  const object = objectsOf(thing, place).at(-1)
  if (object === undefined) return
  const path = pathOf(object, resources[thing.kind])
  await change(object, path, { drift: { thing, how }, api })
  if (thing.kind === 'Deployment') await untilNoted(path, api)
}

async function change(
  object: KubeObject,
  path: string,
  { drift: { thing, how }, api }: { readonly drift: Drift; readonly api: Api },
): Promise<void> {
  if (how === 'deletes it') {
    await api.request('DELETE', path)
    // The protection of a claim is taken off by a controller.
    return void (await waitFor(
      { what: `${path} is gone` },
      async () => (await api.request('GET', path)).status === 404,
    ))
  }
  if (how === 'was Helm 3') return makeClientSide(path, api)
  if (how === 'takes our field') {
    const taken = { apiVersion: object.apiVersion, kind: object.kind, ...changes(thing.kind, 'changes our field') }
    return void (await api.request('PATCH', `${path}?fieldManager=${MANAGER}&force=true`, taken, APPLY))
  }
  if (how === 'scales it') {
    return void (await api.request('PATCH', `${path}/scale`, { spec: { replicas: 1 } }, MERGE))
  }
  await api.request('PATCH', `${path}?fieldManager=${MANAGER}`, changes(thing.kind, how), MERGE)
}

const APPLY = 'application/apply-patch+yaml'
const MERGE = 'application/merge-patch+json'

function pathOf({ apiVersion, metadata }: KubeObject, resource: string): string {
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  return `${group}/namespaces/${metadata.namespace}/${resource}/${metadata.name}`
}

/** A merge patch. */
function changes(kind: KindName, how: DriftKind): JsonObject {
  const label = (labels: JsonObject): JsonObject => ({ metadata: { labels } })
  const note = (annotations: JsonObject): JsonObject => ({ metadata: { annotations } })
  switch (how) {
    case 'removes our label':
      return label({ app: null })
    case 'changes our label':
      return label({ app: 'somebody' })
    case 'keeps it':
      return note({ 'helm.sh/resource-policy': 'keep' })
    case 'claims it':
      return note({ 'meta.helm.sh/release-name': 'other' })
    case 'changes our field':
      return fields[kind]?.changed ?? label({ app: 'somebody' })
    case 'adds a field':
      return fields[kind]?.added ?? label({ added: 'somebody' })
    case 'removes our field':
      return fields[kind]?.removed ?? label({ app: null })
    default:
      return label({ added: 'somebody' })
  }
}

type FieldDrift = { readonly [how in 'changed' | 'added' | 'removed']: JsonObject }

const fields: { readonly [kind in KindName]?: FieldDrift } = {
  ConfigMap: { changed: { data: { level: 'x' } }, added: { data: { other: 'x' } }, removed: { data: { level: null } } },
  Secret: {
    changed: { data: { level: 'eHh4' } },
    added: { data: { other: 'eHh4' } },
    removed: { data: { level: null } },
  },
  Service: {
    changed: { spec: { selector: { app: 'somebody' } } },
    added: { spec: { sessionAffinity: 'ClientIP' } },
    removed: { spec: { selector: { app: null } } },
  },
  Deployment: {
    changed: { spec: { paused: true } },
    added: { spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': 'now' } } } } },
    removed: { spec: { paused: null } },
  },
  StatefulSet: {
    changed: { spec: { template: { spec: { containers: [{ name: 'main', image: 'example.com/somebody:1' }] } } } },
    added: { spec: { minReadySeconds: 3 } },
    removed: {
      spec: { template: { spec: { containers: [{ name: 'main', image: 'example.com/web:1', env: null }] } } },
    },
  },
  CronJob: {
    changed: { spec: { schedule: '9 9 9 9 *' } },
    added: { spec: { failedJobsHistoryLimit: 3 } },
    removed: { spec: { suspend: null, schedule: '8 8 8 8 *' } },
  },
  Role: { changed: { rules: [] }, added: label('added'), removed: { rules: null } },
  HorizontalPodAutoscaler: {
    changed: { spec: { maxReplicas: 9 } },
    added: { spec: { minReplicas: 2 } },
    removed: { spec: { metrics: null } },
  },
}

function label(name: string): JsonObject {
  return { metadata: { labels: { [name]: 'somebody' } } }
}

/** Its controller writes an annotation on it, which would come between the plan and the deploy. */
async function untilNoted(path: string, api: Api): Promise<void> {
  await waitFor({ what: `${path} is seen by its controller` }, async () => {
    const { status, text } = await api.request('GET', path)
    if (status !== 200) return true
    const live = JSON.parse(text) as KubeObject
    return at(live, 'status', 'observedGeneration') === live.metadata.generation
  })
}

/** As if Helm 3 had applied it: what `helm` owns, it owns by client-side apply. */
async function makeClientSide(path: string, api: Api): Promise<void> {
  const { status, text } = await api.request('GET', path)
  if (status !== 200) return
  const { metadata } = JSON.parse(text) as KubeObject
  const managedFields = (metadata.managedFields ?? []).map((entry) =>
    entry.manager === 'helm' && entry.subresource === undefined ? { ...entry, operation: 'Update' } : entry,
  )
  await api.request('PATCH', path, { metadata: { managedFields } }, MERGE)
}
