import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { OpenCluster } from '../../src/kube/cluster-adapter.ts'
import { isApiError } from '../../src/model/errors.ts'
import { at, type KubeObject, stringAt } from '../../src/model/object.ts'
import type { Ref } from '../../src/model/ref.ts'
import { waitFor } from '../../src/tools/local/cluster/wait-for.ts'
import { readAudit } from '../cluster/audit.ts'
import { createNamespace, type Namespace, waitForObject } from '../cluster/namespace.ts'
import { createUser } from '../cluster/user.ts'
import { openCluster, until } from './opened.ts'

const { kubeconfig, local } = inject('cluster')
const careful = { force: false }

let cluster: OpenCluster
let namespace: Namespace
beforeAll(async () => {
  cluster = await openCluster(kubeconfig)
  namespace = await createNamespace(kubeconfig, 'kube')
})
afterAll(async () => {
  await cluster.close()
  await namespace.remove()
})

function configMap(name: string, data: { readonly [key: string]: string } = { a: '1' }): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: namespace.name }, data }
}
function refTo(kind: string, name: string, apiVersion = 'v1'): Ref {
  return { apiVersion, kind, namespace: namespace.name, name }
}
async function refusalOf(promise: Promise<unknown>) {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!isApiError(error)) throw new Error(`no ApiError, but ${String(error)}`)
  return error.details
}

describe('objects', () => {
  test('are applied, read, listed and deleted; what is gone is undefined', async () => {
    const applied = await cluster.apply(configMap('life'), careful)
    expect(await cluster.get(refTo('ConfigMap', 'life'))).toEqual(applied)
    const query = { apiVersion: 'v1', kind: 'ConfigMap', namespace: namespace.name }
    const [listed] = await cluster.list({ ...query, fieldSelector: 'metadata.name=life' })
    expect(listed).toEqual(applied)
    const { uid = '' } = applied.metadata
    await cluster.delete(refTo('ConfigMap', 'life'), { propagation: 'Background', uid })
    expect(await cluster.get(refTo('ConfigMap', 'life'))).toBeUndefined()
    await cluster.delete(refTo('ConfigMap', 'life'), { propagation: 'Background', uid })
  })

  test('an apply that changes nothing keeps the version', async () => {
    const first = await cluster.apply(configMap('same'), careful)
    const second = await cluster.apply(configMap('same'), careful)
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion)
    expect(first.metadata.managedFields?.map((entry) => [entry.manager, entry.operation])).toEqual([['helm', 'Apply']])
  })

  test('a dry run says what would be and keeps nothing', async () => {
    const dry = await cluster.dryRunApply(configMap('dry'), careful)
    expect(dry.metadata.uid).toBeDefined()
    expect(await cluster.get(refTo('ConfigMap', 'dry'))).toBeUndefined()
  })

  test('create and replace tell a second writer', async () => {
    const created = await cluster.create(configMap('twice'))
    expect((await refusalOf(cluster.create(configMap('twice')))).reason).toBe('AlreadyExists')
    await cluster.replace({ ...created, data: { a: '2' } })
    expect((await refusalOf(cluster.replace({ ...created, data: { a: '3' } }))).reason).toBe('Conflict')
  })

  test('a JSON patch changes what it names', async () => {
    await cluster.create(configMap('patched'))
    const patched = await cluster.patch(refTo('ConfigMap', 'patched'), [{ op: 'add', path: '/data/b', value: '2' }])
    expect(patched.data).toEqual({ a: '1', b: '2' })
  })

  test('delete with the uid of another object is refused', async () => {
    await cluster.create(configMap('other'))
    const options = { propagation: 'Background', uid: '00000000-0000-0000-0000-000000000000' } as const
    expect((await refusalOf(cluster.delete(refTo('ConfigMap', 'other'), options))).reason).toBe('Conflict')
  })
})

describe('refusals', () => {
  const deployment = (replicas: number, app = 'web'): KubeObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'refused', namespace: namespace.name },
    spec: {
      replicas,
      selector: { matchLabels: { app } },
      template: { metadata: { labels: { app } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } },
    },
  })

  test('a field of another manager: manager and field', async () => {
    await cluster.apply(deployment(0), careful)
    await namespace.api.apply(`${namespace.in('apps/v1')}/deployments/refused`, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'refused' },
      spec: { replicas: 1 },
    })
    const refusal = await refusalOf(cluster.dryRunApply(deployment(2), careful))
    expect(refusal.reason).toBe('Conflict')
    expect(refusal.causes).toEqual([
      {
        reason: 'FieldManagerConflict',
        field: '.spec.replicas',
        message: 'conflict with "test-setup"',
      },
    ])
    const forced = await cluster.apply(deployment(0), { force: true })
    expect(at(forced, 'spec', 'replicas')).toBe(0)
  })

  test('a field that may not change', async () => {
    await cluster.apply(deployment(0), { force: true })
    const refusal = await refusalOf(cluster.dryRunApply(deployment(0, 'other'), { force: true }))
    expect(refusal).toMatchObject({ status: 422, reason: 'Invalid' })
    expect(refusal.causes).toContainEqual(
      expect.objectContaining({ field: 'spec.selector', message: expect.stringContaining('immutable') }),
    )
  })

  test('a value that is not valid, a field that does not exist', async () => {
    expect(await refusalOf(cluster.dryRunApply(deployment(-1), { force: true }))).toMatchObject({ reason: 'Invalid' })
    const unknown = { ...configMap('unknown'), dtaa: { a: '1' } }
    const refusal = await refusalOf(cluster.dryRunApply(unknown, careful))
    expect(refusal).toMatchObject({ status: 400, reason: 'BadRequest' })
    expect(refusal.message).toContain('.dtaa')
  })

  test('a namespace that does not exist', async () => {
    const object = { ...configMap('lost'), metadata: { name: 'lost', namespace: 'not-there' } }
    expect(await refusalOf(cluster.dryRunApply(object, careful))).toMatchObject({ status: 404, reason: 'NotFound' })
    expect(await cluster.get({ ...refTo('ConfigMap', 'lost'), namespace: 'not-there' })).toBeUndefined()
  })

  test('a kind that is not served', async () => {
    const refusal = await refusalOf(cluster.get(refTo('Thing', 'a', 'not.served/v1')))
    expect(refusal).toMatchObject({ status: 404, reason: 'NotServed' })
  })
})

describe('a user with few rights', () => {
  test('is refused, and can ask what it may', async () => {
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'patch', 'create'] }]
    const weak = await openCluster(await createUser(namespace, rules))
    expect(weak.defaultNamespace).toBe(namespace.name)
    await weak.apply(configMap('mine'), careful)
    expect((await refusalOf(weak.get(refTo('Secret', 'a')))).reason).toBe('Forbidden')

    const ask = (verb: string, resource: string) => ({ verb, group: '', resource, namespace: namespace.name })
    const questions = [
      ask('get', 'configmaps'),
      ask('list', 'configmaps'),
      ask('get', 'secrets'),
      ask('patch', 'configmaps'),
    ]
    expect(await weak.mayI(questions)).toEqual([true, false, false, true])
    expect(await weak.mayI([{ verb: 'create', group: '', resource: 'namespaces' }])).toEqual([false])

    const watching = weak.watch({ apiVersion: 'v1', kind: 'ConfigMap', namespace: namespace.name })
    expect((await refusalOf(watching.ready)).reason).toBe('Forbidden')
    await weak.close()
  })
})

describe('discovery', () => {
  test('sees a new CRD at once where it is asked again, and its objects can be written', async () => {
    const group = `${namespace.name}.example`
    const schema = {
      type: 'object',
      properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    }
    await cluster.discovery()
    await cluster.apply(
      {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `things.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural: 'things', singular: 'thing', kind: 'Thing', shortNames: ['th'] },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: schema },
              subresources: { status: {} },
            },
          ],
        },
      },
      careful,
    )
    await waitForObject(
      namespace.api,
      `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.${group}`,
      'Established',
      (crd) => JSON.stringify(crd).includes('"type":"Established"'),
    )
    // Established comes a moment before the kind is in the discovery answer.
    await waitFor({ what: 'the kind is served' }, async () => {
      const { kinds } = await cluster.discovery({ refresh: true })
      return kinds.some((kind) => kind.group === group)
    })
    const count = 9007199254740993n
    const thing = {
      apiVersion: `${group}/v1`,
      kind: 'Thing',
      metadata: { name: 'a', namespace: namespace.name },
      spec: { count },
    }
    expect(await cluster.apply(thing, careful)).toMatchObject({ spec: { count } })
    const { kinds } = await cluster.discovery()
    expect(kinds.find((kind) => kind.group === group)).toEqual({
      group,
      version: 'v1',
      kind: 'Thing',
      resource: 'things',
      singular: 'thing',
      shortNames: ['th'],
      isNamespaced: true,
      hasStatus: true,
      isPreferred: true,
    })
    await namespace.api.remove(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.${group}`)
  })

  test('a group whose backend is down does not hide the others', async () => {
    const name = `v1.${namespace.name}.dead`
    await namespace.api.create('/apis/apiregistration.k8s.io/v1/apiservices', {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name },
      spec: {
        group: `${namespace.name}.dead`,
        version: 'v1',
        groupPriorityMinimum: 1,
        versionPriority: 1,
        insecureSkipTLSVerify: true,
        service: { name: 'none', namespace: namespace.name },
      },
    })
    await waitForObject(
      namespace.api,
      `/apis/apiregistration.k8s.io/v1/apiservices/${name}`,
      'unavailable',
      (service) => JSON.stringify(service).includes('"status":"False"'),
    )
    const { kinds, failed } = await cluster.discovery({ refresh: true })
    expect(kinds.some((kind) => kind.kind === 'Deployment')).toBe(true)
    expect(failed.map((entry) => entry.groupVersion)).toEqual([`${namespace.name}.dead/v1`])
    await namespace.api.remove(`/apis/apiregistration.k8s.io/v1/apiservices/${name}`)
  })
})

describe('watches and logs', () => {
  const pod = (name: string, annotations: { readonly [key: string]: string }): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: namespace.name, annotations, labels: { app: name } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'a:1' }] },
  })

  test('a watch sees what was there, what comes, changes and goes', async () => {
    await cluster.apply(configMap('w1'), careful)
    const watching = cluster.watch({ apiVersion: 'v1', kind: 'ConfigMap', namespace: namespace.name })
    await watching.ready
    expect(watching.get('w1')?.data).toEqual({ a: '1' })
    await cluster.apply(configMap('w2'), careful)
    await until(watching, () => watching.get('w2') !== undefined)
    await cluster.apply(configMap('w2', { a: '2' }), careful)
    await until(watching, () => stringAt(watching.get('w2'), 'data', 'a') === '2')
    await cluster.delete(refTo('ConfigMap', 'w1'), { propagation: 'Background' })
    await until(watching, () => watching.get('w1') === undefined)
    watching.close()
  })

  test('a log is read and followed to its end', async () => {
    const prefix = 'simulate.staged-helm-deploy.dev'
    await cluster.apply(pod('logs', { [`${prefix}/logs`]: 'one\ntwo', [`${prefix}/complete-after`]: '1s' }), careful)
    const watching = cluster.watch({
      apiVersion: 'v1',
      kind: 'Pod',
      namespace: namespace.name,
      labelSelector: 'app=logs',
    })
    await until(watching, () => stringAt(watching.get('logs'), 'status', 'phase') === 'Running')
    const query = { namespace: namespace.name, pod: 'logs', container: 'main' }
    const lines: string[] = []
    const stop = new AbortController()
    const following = cluster.followLog(
      query,
      (line) => {
        lines.push(line)
        if (line === 'two') stop.abort()
      },
      stop.signal,
    )
    await following
    expect(lines).toEqual(['one', 'two'])
    await until(watching, () => stringAt(watching.get('logs'), 'status', 'phase') === 'Succeeded')
    expect((await cluster.log({ ...query, tailLines: 1 })).trim()).toBe('two')
    watching.close()
  })

  test('the log of a container that is not there is an error', async () => {
    const refusal = await refusalOf(cluster.log({ namespace: namespace.name, pod: 'none', container: 'main' }))
    expect(refusal).toMatchObject({ status: 404, reason: 'NotFound' })
  })
})

test.runIf(local !== undefined)('what only reads writes nothing', async () => {
  const own = await createNamespace(kubeconfig, 'reads')
  const since = Date.now()
  await cluster.dryRunApply({ ...configMap('x'), metadata: { name: 'x', namespace: own.name } }, careful)
  await cluster.list({ apiVersion: 'v1', kind: 'Secret', namespace: own.name })
  await cluster.mayI([{ verb: 'get', group: '', resource: 'pods', namespace: own.name }])
  const events = await readAudit(local?.auditLog ?? '', { namespace: own.name, since })
  const writes = events.filter(
    (event) =>
      event.userAgent === 'staged-helm-deploy' && !event.isDryRun && !['get', 'list', 'watch'].includes(event.verb),
  )
  expect(writes).toEqual([])
  await own.remove()
})
