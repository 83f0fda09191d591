import { describe, expect, test } from 'vitest'
import { createCluster } from '../../src/kube/cluster-adapter.ts'
import type { HttpTry } from '../../src/kube/transport.ts'
import type { KubeObject } from '../../src/model/object.ts'
import { type FakeClock, fakeClock } from '../doubles/fake-clock.ts'
import {
  type FakeAnswer,
  type FakeTransport,
  fakeTransport,
  networkError,
  statusBody,
} from '../doubles/fake-transport.ts'

const TOKEN = 'token-of-the-kubeconfig'
const lost: FakeAnswer = { error: networkError('ECONNRESET') }
const notFound = { status: 404, body: statusBody(404, 'NotFound', 'gone', { name: 'app' }) }
const noSuchPath = { status: 404, body: '404 page not found' }

function kind(resource: string, name: string, scope = 'Namespaced'): object {
  return { resource, responseKind: { kind: name }, scope, singularResource: name.toLowerCase(), verbs: ['get'] }
}
function groups(...items: readonly object[]): FakeAnswer {
  return { status: 200, body: { kind: 'APIGroupDiscoveryList', items } }
}
const core = groups({
  versions: [
    { version: 'v1', resources: [kind('configmaps', 'ConfigMap'), kind('namespaces', 'Namespace', 'Cluster')] },
  ],
})
const demo = groups({
  metadata: { name: 'demo.example' },
  versions: [{ version: 'v1', resources: [kind('things', 'Thing')] }],
})

interface Setup {
  readonly clock: FakeClock
  readonly transport: FakeTransport
  readonly secrets: readonly string[]
  readonly cluster: ReturnType<typeof createCluster>
  /** Requests without those of discovery. */
  readonly asked: () => readonly string[]
}

/** `answer` gets each request that is not discovery, and how many of those went before it. */
function start(
  answer: (request: HttpTry, before: number) => FakeAnswer,
  apis: () => FakeAnswer = () => groups(),
): Setup {
  const clock = fakeClock()
  const secrets: string[] = []
  let before = 0
  const transport = fakeTransport((request) => {
    if (request.path === '/api') return core
    if (request.path === '/apis') return apis()
    before += 1
    return answer(request, before - 1)
  })
  const connection = {
    server: 'https://api.example',
    defaultNamespace: 'default',
    tls: { isUnverified: false },
    authentication: { kind: 'token', token: TOKEN },
    headers: {},
    secrets: [TOKEN],
    warnings: [],
  } as const
  const cluster = createCluster({
    connection,
    clock,
    transport,
    random: () => 0.5,
    secrets: {
      add: (value) => secrets.push(value),
      addLookedUp: () => {},
      redact: (text) => text,
      redactNames: (text) => text,
    },
  })
  const asked = () => transport.requests().filter((request) => !/ \/apis?$/.test(request))
  return { clock, transport, secrets, cluster, asked }
}

const inOrder = (...answers: readonly FakeAnswer[]) => {
  return (_request: HttpTry, before: number) => answers[Math.min(before, answers.length - 1)] ?? notFound
}

const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'app' }
const sent: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'app', namespace: 'shop', resourceVersion: '5' },
  data: { a: '1' },
}
/** As the server gives it back: with its own fields and defaults. */
const stored: KubeObject = {
  ...sent,
  metadata: { ...sent.metadata, uid: 'u1', resourceVersion: '9', creationTimestamp: '2026-01-01T00:00:00Z' },
  immutable: false,
}
const alreadyExists = { status: 409, body: statusBody(409, 'AlreadyExists', 'it exists', { name: 'app' }) }
const conflict = { status: 409, body: statusBody(409, 'Conflict', 'the object has been modified', { name: 'app' }) }

describe('writes', () => {
  test('apply is a server-side apply by helm with strict fields; a dry run is one that keeps nothing', async () => {
    const { cluster, asked, transport } = start(() => ({ status: 200, body: stored }))
    await cluster.apply(sent, { force: false })
    await cluster.dryRunApply(sent, { force: true })
    const path = 'PATCH /api/v1/namespaces/shop/configmaps/app?fieldManager=helm&fieldValidation=Strict'
    expect(asked()).toEqual([path, `${path}&force=true&dryRun=All`])
    expect(transport.tries.at(-1)?.headers['content-type']).toBe('application/apply-patch+yaml')
  })

  test('the body leaves out managed fields, and the namespace of a cluster-scoped object', async () => {
    const { cluster, transport, asked } = start(() => ({ status: 200, body: stored }))
    const metadata = { name: 'shop', namespace: 'other', managedFields: [{ manager: 'x' }] }
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata }, { force: false })
    expect(asked()[0]).toContain('PATCH /api/v1/namespaces/shop?')
    expect(JSON.parse(transport.tries.at(-1)?.body ?? '')).toEqual({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'shop' },
    })
  })

  test('integers above 2^53 survive both ways', async () => {
    const { cluster, transport } = start(({ body }) => ({ status: 200, body: body ?? '' }))
    const big = { ...sent, spec: { count: 9007199254740993n } }
    expect(await cluster.apply(big, { force: false })).toMatchObject({ spec: { count: 9007199254740993n } })
    expect(transport.tries.at(-1)?.body).toContain('9007199254740993')
  })

  test('a namespaced object without a namespace is refused before a request is sent', async () => {
    const { cluster, asked } = start(() => notFound)
    const { namespace: _, ...metadata } = sent.metadata
    await expect(cluster.apply({ ...sent, metadata }, { force: false })).rejects.toThrow(
      'apply ConfigMap/app: the object has no namespace',
    )
    expect(asked()).toEqual([])
  })

  test('an unknown field, which the server answers with 500, is a bad request and not tried again', async () => {
    const message =
      'failed to create typed patch object (shop/app; v1, Kind=ConfigMap): .dtaa: field not declared in schema'
    const { cluster, asked } = start(() => ({ status: 500, body: statusBody(500, 'InternalError', message) }))
    await expect(cluster.apply(sent, { force: false })).rejects.toMatchObject({
      details: { status: 400, reason: 'BadRequest', message },
    })
    expect(asked()).toHaveLength(1)
  })

  test('delete names uid and propagation, and is content where nothing is left', async () => {
    const { cluster, transport } = start(() => notFound)
    await cluster.delete(ref, { propagation: 'Foreground', uid: 'u1' })
    expect(JSON.parse(transport.tries.at(-1)?.body ?? '')).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Foreground',
      preconditions: { uid: 'u1' },
    })
  })

  test('a JSON patch is sent once only, since doing it twice could do harm', async () => {
    const { cluster, asked } = start(() => lost)
    await expect(cluster.patch(ref, [{ op: 'add', path: '/data/b', value: '2' }])).rejects.toThrow('ECONNRESET')
    expect(asked()).toHaveLength(1)
  })
})

describe('a reply that is lost', () => {
  test('create: AlreadyExists afterwards is our own success where the object is what was sent', async () => {
    const { cluster, clock, asked } = start(inOrder(lost, alreadyExists, { status: 200, body: stored }))
    expect(await clock.runUntil(cluster.create(sent))).toEqual(stored)
    expect(asked().map((request) => request.split(' ')[0])).toEqual(['POST', 'POST', 'GET'])
  })

  test('create: it is not where the object is another one', async () => {
    const foreign = { ...stored, data: { a: '2' } }
    const { cluster, clock } = start(inOrder(lost, alreadyExists, { status: 200, body: foreign }))
    await expect(clock.runUntil(cluster.create(sent))).rejects.toMatchObject({ details: { reason: 'AlreadyExists' } })
  })

  test('create: AlreadyExists at the first try is just that', async () => {
    const { cluster, asked } = start(inOrder(alreadyExists, { status: 200, body: stored }))
    await expect(cluster.create(sent)).rejects.toMatchObject({ details: { reason: 'AlreadyExists' } })
    expect(asked()).toHaveLength(1)
  })

  test('create with generateName is not repeated: it would make two', async () => {
    const { cluster, asked } = start(() => lost)
    const metadata = { generateName: 'app-', namespace: 'shop' }
    await expect(cluster.create({ ...sent, metadata })).rejects.toThrow('ECONNRESET')
    expect(asked()).toHaveLength(1)
  })

  test('replace: Conflict afterwards is our own success where the object is what was sent', async () => {
    const { cluster, clock } = start(inOrder(lost, conflict, { status: 200, body: stored }))
    expect(await clock.runUntil(cluster.replace(sent))).toEqual(stored)
  })

  test('replace: Conflict at the first try is a conflict', async () => {
    const { cluster } = start(inOrder(conflict, { status: 200, body: stored }))
    await expect(cluster.replace(sent)).rejects.toMatchObject({ details: { reason: 'Conflict' } })
  })

  test('delete: another object of that name is left alone', async () => {
    const { cluster, clock } = start(inOrder(lost, conflict))
    await clock.runUntil(cluster.delete(ref, { propagation: 'Background', uid: 'u1' }))
  })

  test('delete without a uid is not repeated', async () => {
    const { cluster, asked } = start(() => lost)
    await expect(cluster.delete(ref, { propagation: 'Background' })).rejects.toThrow('ECONNRESET')
    expect(asked()).toHaveLength(1)
  })
})

describe('kinds', () => {
  const thing = { apiVersion: 'demo.example/v1', kind: 'Thing', namespace: 'shop', name: 'app' }
  const thingObject: KubeObject = {
    apiVersion: 'demo.example/v1',
    kind: 'Thing',
    metadata: { name: 'app', namespace: 'shop' },
  }

  test('a kind that is new since the last look is found', async () => {
    let isThere = false
    const { cluster } = start(
      () => ({ status: 200, body: thingObject }),
      () => (isThere ? demo : groups()),
    )
    await cluster.discovery()
    isThere = true
    expect(await cluster.get(thing)).toEqual(thingObject)
  })

  test('a kind that is not served is an error, after one more look', async () => {
    const { cluster, transport, asked } = start(() => notFound)
    await expect(cluster.get({ ...ref, apiVersion: 'v2' })).rejects.toThrow(
      'get ConfigMap/shop/app: the server does not serve ConfigMap of v2; it serves ConfigMap of v1',
    )
    expect(asked()).toEqual([])
    expect(transport.requests()).toEqual(['GET /api', 'GET /apis', 'GET /api', 'GET /apis'])
  })

  test('a kind of a group whose backend is down is not the same', async () => {
    const dead = groups({ metadata: { name: 'demo.example' }, versions: [{ version: 'v1', freshness: 'Stale' }] })
    const { cluster } = start(
      () => notFound,
      () => dead,
    )
    await expect(cluster.get(thing)).rejects.toMatchObject({ details: { reason: 'ServiceUnavailable' } })
  })

  test('a path that opens a moment after its kind is announced is tried again', async () => {
    const { cluster, clock } = start(inOrder(noSuchPath, noSuchPath, { status: 200, body: thingObject }), () => demo)
    expect(await clock.runUntil(cluster.apply(thingObject, { force: false }))).toEqual(thingObject)
  })

  test('an object that is missing is undefined, one in a missing namespace is an error', async () => {
    const { cluster } = start(() => notFound)
    expect(await cluster.get(ref)).toBeUndefined()
    await expect(cluster.create(sent)).rejects.toMatchObject({ details: { reason: 'NotFound' } })
  })
})

describe('lists', () => {
  const page = (names: readonly string[], next: string): FakeAnswer => ({
    status: 200,
    body: { metadata: { resourceVersion: '7', continue: next }, items: names.map((name) => ({ metadata: { name } })) },
  })
  const names = (objects: readonly KubeObject[]) => objects.map((object) => object.metadata.name)

  test('come page by page; items get apiVersion and kind', async () => {
    const { cluster, asked } = start(inOrder(page(['a', 'b'], 'n&1'), page(['c'], '')))
    const objects = await cluster.list({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      namespace: 'shop',
      labelSelector: 'a=b,c!=d',
    })
    expect(names(objects)).toEqual(['a', 'b', 'c'])
    expect(objects[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' })
    expect(asked()).toEqual([
      'GET /api/v1/namespaces/shop/configmaps?labelSelector=a%3Db%2Cc%21%3Dd&limit=500',
      'GET /api/v1/namespaces/shop/configmaps?labelSelector=a%3Db%2Cc%21%3Dd&limit=500&continue=n%261',
    ])
  })

  test('whose pages have expired start again in one piece', async () => {
    const expired = { status: 410, body: statusBody(410, 'Expired', 'too old') }
    const { cluster, asked } = start(inOrder(page(['a'], 'n1'), expired, page(['a', 'b'], '')))
    expect(names(await cluster.list({ apiVersion: 'v1', kind: 'ConfigMap' }))).toEqual(['a', 'b'])
    expect(asked().at(-1)).toBe('GET /api/v1/configmaps')
  })
})

test('the secrets of the connection are told, the token is sent, requests are counted', async () => {
  const version = { status: 200, body: { gitVersion: 'v1.37.1', major: '1', minor: '37' } }
  const { cluster, secrets, transport } = start(() => version)
  expect(await cluster.version()).toEqual({ gitVersion: 'v1.37.1' })
  expect(secrets).toEqual([TOKEN])
  expect(transport.tries[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`)
  expect(cluster.requestCount()).toBe(1)
})

test('a server that is no API server is named as such', async () => {
  const { cluster } = start(() => ({ status: 200, body: '<html>Sign in</html>' }))
  await expect(cluster.version()).rejects.toMatchObject({ details: { reason: 'Unreachable' } })
})
