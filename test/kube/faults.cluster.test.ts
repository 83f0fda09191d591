import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { RetryLimits } from '../../src/kube/retry.ts'
import { type KubeObject, stringAt } from '../../src/model/object.ts'
import { waitFor } from '../../src/tools/local/cluster/wait-for.ts'
import { createNamespace, type Namespace } from '../cluster/namespace.ts'
import type { ProxyRequest } from '../doubles/proxy-fault.ts'
import { openBehindProxy, openCluster, until, watchedClock } from './opened.ts'

/** Faults of network and server, on a real API server behind a proxy. */

const { kubeconfig } = inject('cluster')

let namespace: Namespace
let close: (() => Promise<void>) | undefined
beforeAll(async () => {
  namespace = await createNamespace(kubeconfig, 'faults')
})
afterAll(async () => {
  await namespace.remove()
})

async function start(limits: Partial<RetryLimits> = {}, { clock } = watchedClock()) {
  const opened = await openBehindProxy(kubeconfig, limits, clock)
  close = opened.close
  await opened.cluster.discovery()
  return opened
}
async function stop(): Promise<void> {
  await close?.()
  close = undefined
}

function configMap(name: string, a = '1'): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: namespace.name }, data: { a } }
}
const refTo = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace: namespace.name, name })
const any = () => true
const isVerb = (method: string) => (request: ProxyRequest) => request.method === method
const isWatch = ({ path }: ProxyRequest) => path.includes('watch=true')

describe('single requests', () => {
  test('a reset, 429 with Retry-After, 500, 503 are ridden through', async () => {
    const { cluster, proxy } = await start()
    proxy.fail(isVerb('PATCH'), { kind: 'reset' }, 1)
    proxy.fail(isVerb('PATCH'), { kind: 'answer', status: 429, headers: { 'retry-after': '1' } }, 1)
    proxy.fail(isVerb('PATCH'), { kind: 'answer', status: 500, body: 'etcdserver: leader changed' }, 1)
    proxy.fail(isVerb('PATCH'), { kind: 'answer', status: 503 }, 1)
    expect(await cluster.apply(configMap('ridden'), { force: false })).toMatchObject({ data: { a: '1' } })
    expect(proxy.requests.filter(isVerb('PATCH'))).toHaveLength(5)
    await stop()
  })

  test('the reply to a create, a replace and a delete is lost: each has happened once', async () => {
    const { cluster, proxy } = await start()
    proxy.fail(isVerb('POST'), { kind: 'lost-reply' }, 1)
    const created = await cluster.create(configMap('lost'))
    expect(created.metadata.uid).toBeDefined()
    proxy.fail(isVerb('PUT'), { kind: 'lost-reply' }, 1)
    const replaced = await cluster.replace({ ...created, data: { a: '2' } })
    expect(replaced.data).toEqual({ a: '2' })
    proxy.fail(isVerb('DELETE'), { kind: 'lost-reply' }, 1)
    await cluster.delete(refTo('lost'), { propagation: 'Background', uid: created.metadata.uid ?? '' })
    expect(await cluster.get(refTo('lost'))).toBeUndefined()
    await stop()
  })

  test('an answer that breaks off half way is read again', async () => {
    const { cluster, proxy } = await start()
    await cluster.apply(configMap('half'), { force: false })
    proxy.fail(isVerb('GET'), { kind: 'truncated', bytes: 20 }, 2)
    expect(await cluster.get(refTo('half'))).toMatchObject({ data: { a: '1' } })
    await stop()
  })

  test('connections are kept, also after deletes, whose bodies make others close them', async () => {
    const { cluster, proxy } = await start()
    const before = proxy.connectionCount()
    for (const name of ['k1', 'k2', 'k3', 'k4', 'k5', 'k6']) {
      await cluster.apply(configMap(name), { force: false })
      await cluster.delete(refTo(name), { propagation: 'Background' })
    }
    // A second one is opened where the first is not free yet.
    expect(proxy.connectionCount() - before).toBeLessThan(3)
    await stop()
  })

  test('the server is down for a while', async () => {
    const watched = watchedClock()
    const { cluster, proxy } = await start({}, watched)
    await proxy.goDown()
    const applied = cluster.apply(configMap('down'), { force: false })
    await waitFor({ what: 'it has been refused three times' }, async () => watched.slept.length >= 3)
    await proxy.comeBack()
    expect(await applied).toMatchObject({ data: { a: '1' } })
    await stop()
  })

  test('a server that stays down is an error with its address', async () => {
    const { cluster, proxy } = await start({ withoutDeadlineMs: 500 })
    await proxy.goDown()
    await expect(cluster.get(refTo('down'))).rejects.toMatchObject({
      details: { status: 0, reason: 'Unreachable', message: expect.stringContaining(`${proxy.url} cannot be reached`) },
    })
    await stop()
  })

  test('a black hole ends with the signal', async () => {
    const { cluster, proxy } = await start()
    proxy.fail(any, { kind: 'black-hole' })
    const signal = AbortSignal.timeout(300)
    await expect(cluster.get(refTo('hole'), signal)).rejects.toMatchObject({ name: 'TimeoutError' })
    await stop()
  })

  test('latency does not add up: requests run side by side', async () => {
    const { cluster, proxy } = await start()
    const answered = Promise.withResolvers<void>()
    const before = proxy.requests.length
    proxy.fail(any, { kind: 'held', until: answered.promise })
    const reads = Promise.all(Array.from({ length: 16 }, () => cluster.get(refTo('late'))))
    await waitFor({ what: 'all 16 requests are there before the first is answered' }, async () => {
      return proxy.requests.length === before + 16
    })
    answered.resolve()
    await reads
    await stop()
  })
})

describe('a webhook that is still starting', () => {
  const configuration = (name: string): KubeObject => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: 'starting.example.com',
        // Nobody listens there: what the API server says of a Service without endpoints.
        clientConfig: { url: 'https://127.0.0.1:9/validate' },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace.name } },
        sideEffects: 'None',
        failurePolicy: 'Fail',
        admissionReviewVersions: ['v1'],
      },
    ],
  })

  test('a write waits for it, a dry run does not', async () => {
    const watched = watchedClock()
    const { cluster, proxy } = await start({ webhookOfReadMs: 300 }, watched)
    const made = await cluster.apply(configuration(namespace.name), { force: false })
    const refusal = 'failed calling webhook "starting.example.com"'
    await waitFor({ what: 'the API server calls the webhook' }, async () => {
      const answer = await cluster.dryRunApply(configMap('probe'), { force: false }).catch(String)
      return typeof answer === 'string' && answer.includes(refusal)
    })
    const signal = new AbortController().signal
    const before = proxy.requests.filter(isVerb('PATCH')).length
    const applied = cluster.apply(configMap('guarded'), { force: false }, signal)
    await waitFor({ what: 'it has been refused three times' }, async () => {
      return proxy.requests.filter(isVerb('PATCH')).length >= before + 4
    })
    const ref = { apiVersion: made.apiVersion, kind: made.kind, name: namespace.name }
    await cluster.delete(ref, { propagation: 'Background', uid: made.metadata.uid ?? '' })
    expect(await applied).toMatchObject({ data: { a: '1' } })
    await stop()
  })
})

describe('watches', () => {
  test('a stream that lasts less than a minute brings a bookmark before it ends', async () => {
    const { cluster, proxy } = await start()
    const watching = cluster.watch({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      namespace: namespace.name,
      fieldSelector: 'metadata.name=never-made',
    })
    await watching.ready
    const versions = () =>
      proxy.requests
        .filter(isWatch)
        .flatMap(({ path }) => new URLSearchParams(path.split('?')[1]).getAll('resourceVersion'))
    await waitFor({ what: 'the first stream is open' }, async () => versions().length === 1)
    // Moves the version of the cluster on, without an event for this watch.
    await cluster.apply(configMap('elsewhere'), { force: false })
    await waitFor({ what: 'the second stream is open', limitMs: 70_000 }, async () => versions().length === 2)
    expect(Number(versions()[1])).toBeGreaterThan(Number(versions()[0]))
    await stop()
  }, 90_000)

  test('401 after the wait began is told', async () => {
    const { cluster, proxy } = await start()
    const watching = cluster.watch({ apiVersion: 'v1', kind: 'ConfigMap', namespace: namespace.name })
    await watching.ready
    await waitFor({ what: 'the stream is open' }, async () => proxy.requests.some(isWatch))
    proxy.fail(any, { kind: 'answer', status: 401 })
    proxy.resetConnections(() => true)
    await until(watching, () => watching.failure?.() !== undefined)
    expect(watching.failure?.()).toMatchObject({ details: { status: 401 } })
    await stop()
  }, 60_000)

  test('where watching is refused, objects are listed', async () => {
    const { cluster, proxy } = await start()
    proxy.fail(isWatch, { kind: 'answer', status: 403 })
    const watching = cluster.watch({ apiVersion: 'v1', kind: 'ConfigMap', namespace: namespace.name })
    await watching.ready
    await cluster.apply(configMap('polled', '7'), { force: false })
    await until(watching, () => stringAt(watching.get('polled'), 'data', 'a') === '7')
    expect(watching.polledBecause?.()?.details.status).toBe(403)
    await stop()
  })

  test('a watch goes on after the server was down, and misses nothing', async () => {
    const { cluster, proxy } = await start()
    const watching = cluster.watch({ apiVersion: 'v1', kind: 'ConfigMap', namespace: namespace.name })
    await watching.ready
    await proxy.goDown()
    const direct = await openCluster(kubeconfig)
    await direct.apply(configMap('meanwhile'), { force: false })
    await direct.close()
    await proxy.comeBack()
    await until(watching, () => watching.get('meanwhile') !== undefined)
    expect(proxy.requests.filter(({ path }) => path.includes('limit='))).toHaveLength(1)
    await stop()
  })

  test('410 Gone makes it list again', async () => {
    const { cluster, proxy } = await start()
    proxy.fail(isWatch, { kind: 'answer', status: 410, body: '{"kind":"Status","code":410,"reason":"Expired"}' }, 1)
    const watching = cluster.watch({ apiVersion: 'v1', kind: 'ConfigMap', namespace: namespace.name })
    await watching.ready
    await cluster.apply(configMap('after-gone'), { force: false })
    await until(watching, () => watching.get('after-gone') !== undefined)
    expect(proxy.requests.filter(({ path }) => path.includes('limit='))).toHaveLength(2)
    await stop()
  })

  test('garbage and streams that end at once are survived', async () => {
    const { cluster, proxy } = await start()
    proxy.fail(isWatch, { kind: 'answer', status: 200, body: '{"type":"ADDED","obj\n<html>\n' }, 2)
    proxy.fail(isWatch, { kind: 'answer', status: 200, body: '' }, 2)
    const watching = cluster.watch({ apiVersion: 'v1', kind: 'ConfigMap', namespace: namespace.name })
    await watching.ready
    await cluster.apply(configMap('survived', '7'), { force: false })
    await until(watching, () => stringAt(watching.get('survived'), 'data', 'a') === '7')
    await stop()
  })
})
