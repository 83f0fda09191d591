import { describe, expect, test } from 'vitest'
import { createDiscoverer } from '../../src/kube/discovery.ts'
import { createRequests } from '../../src/kube/request.ts'
import { RETRY_LIMITS } from '../../src/kube/retry.ts'
import { ApiError, messageOf } from '../../src/model/errors.ts'
import type { Discovery } from '../../src/ports.ts'
import { type FakeClock, fakeClock } from '../doubles/fake-clock.ts'
import { type FakeAnswer, fakeTransport, networkError } from '../doubles/fake-transport.ts'

const scaled = { subresource: 'scale' }
const status = { subresource: 'status' }

function aggregated(items: readonly object[]): object {
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', items }
}
function resource(name: string, kind: string, more: object = {}): object {
  return {
    resource: name,
    responseKind: { kind },
    scope: 'Namespaced',
    singularResource: kind.toLowerCase(),
    verbs: ['get'],
    ...more,
  }
}

const alone = { closed: new AbortController().signal, patienceMs: RETRY_LIMITS.withoutDeadlineMs }

function server(answers: { readonly [path: string]: object | ApiError | (() => object) }) {
  const asked: string[] = []
  const send = async ({ path }: { readonly path: string }) => {
    asked.push(path)
    await Promise.resolve()
    const found = answers[path]
    const answer = typeof found === 'function' ? found() : found
    if (answer === undefined) throw new Error(`not expected: ${path}`)
    if (answer instanceof ApiError) throw answer
    return JSON.stringify(answer)
  }
  return {
    asked,
    discoverer: createDiscoverer({ ...alone, requests: { send }, clock: fakeClock() }),
  }
}

function unavailable(status: number): ApiError {
  return new ApiError({ doing: 'ask', status, reason: 'ServiceUnavailable', message: 'no endpoints', causes: [] })
}

const core = aggregated([
  {
    metadata: {},
    versions: [{ version: 'v1', resources: [resource('pods', 'Pod', { shortNames: ['po'], subresources: [status] })] }],
  },
])

describe('aggregated discovery', () => {
  const groups = aggregated([
    {
      metadata: { name: 'apps' },
      versions: [
        {
          version: 'v1',
          freshness: 'Current',
          resources: [resource('deployments', 'Deployment', { subresources: [scaled, status] })],
        },
        {
          version: 'v1beta1',
          freshness: 'Current',
          resources: [resource('deployments', 'Deployment', { scope: 'Cluster' })],
        },
      ],
    },
    { metadata: { name: 'metrics.k8s.io' }, versions: [{ version: 'v1', freshness: 'Stale' }] },
  ])

  test('takes two requests, then none', async () => {
    const { asked, discoverer } = server({ '/api': core, '/apis': groups })
    await Promise.all([discoverer.discover(), discoverer.discover()])
    await discoverer.discover()
    expect(asked).toEqual(['/api', '/apis'])
  })

  test('the first version is the preferred one; the status subresource is seen', async () => {
    const { kinds } = await server({ '/api': core, '/apis': groups }).discoverer.discover()
    expect(kinds).toEqual([
      {
        group: '',
        version: 'v1',
        kind: 'Pod',
        resource: 'pods',
        singular: 'pod',
        shortNames: ['po'],
        isNamespaced: true,
        hasStatus: true,
        isPreferred: true,
      },
      {
        group: 'apps',
        version: 'v1',
        kind: 'Deployment',
        resource: 'deployments',
        singular: 'deployment',
        shortNames: [],
        isNamespaced: true,
        hasStatus: true,
        isPreferred: true,
      },
      {
        group: 'apps',
        version: 'v1beta1',
        kind: 'Deployment',
        resource: 'deployments',
        singular: 'deployment',
        shortNames: [],
        isNamespaced: false,
        hasStatus: false,
        isPreferred: false,
      },
    ])
  })

  test('an APIService whose backend is down is told, not thrown', async () => {
    const { failed } = await server({ '/api': core, '/apis': groups }).discoverer.discover()
    expect(failed).toEqual([{ groupVersion: 'metrics.k8s.io/v1', cause: 'its server does not answer' }])
  })

  test('a refresh during an answer under way asks again, once for all who ask', async () => {
    let round = 0
    const growing = () => {
      round += 1
      return round === 1 ? aggregated([]) : groups
    }
    const { asked, discoverer } = server({ '/api': core, '/apis': growing })
    const first = discoverer.discover()
    const later = [discoverer.discover({ refresh: true }), discoverer.discover({ refresh: true })]
    expect((await first).kinds).toHaveLength(1)
    expect((await Promise.all(later)).map((answer) => answer.kinds.length)).toEqual([3, 3])
    expect(asked).toHaveLength(4)
    expect((await discoverer.discover()).kinds).toHaveLength(3)
  })

  test('who gives up does not take the others along', async () => {
    const { discoverer } = server({ '/api': core, '/apis': groups })
    const stop = new AbortController()
    const impatient = discoverer.discover({ signal: stop.signal })
    const patient = discoverer.discover()
    stop.abort(new Error('enough'))
    await expect(impatient).rejects.toThrow('enough')
    expect((await patient).kinds).toHaveLength(3)
  })

  test('a failure is not remembered', async () => {
    let isUp = false
    const { discoverer } = server({ '/api': core, '/apis': () => (isUp ? groups : unavailable(503)) })
    await expect(discoverer.discover()).rejects.toThrow('no endpoints')
    isUp = true
    expect((await discoverer.discover()).kinds).toHaveLength(3)
  })
})

describe('callers of one discovery', () => {
  const silent: FakeAnswer = { error: networkError('ECONNREFUSED', 'connect') }

  /** A server that was there once, and refuses connections until this moment. */
  async function backAfter(outageMs: number) {
    const clock = fakeClock(0)
    const transport = fakeTransport(({ path }) => {
      if (path === '/version') return { status: 200 }
      return clock.now() < outageMs ? silent : { status: 200, body: aggregated([]) }
    })
    const requests = createRequests({
      transport,
      credentials: { current: () => Promise.resolve({}), refuse: () => false },
      clock,
      random: () => 0.5,
      server: 'https://api.example',
      headers: {},
      parallelism: { first: 16, most: 16 },
      limits: RETRY_LIMITS,
    })
    await requests.send({ doing: 'get the version', method: 'GET', path: '/version' })
    const closed = new AbortController().signal
    const discoverer = createDiscoverer({ requests, clock, closed, patienceMs: RETRY_LIMITS.withoutDeadlineMs })
    return { clock, transport, discoverer }
  }

  function endingAfter(clock: FakeClock, ms: number, reason: unknown = 'timeout'): AbortSignal {
    const controller = new AbortController()
    clock.schedule(ms, () => controller.abort(reason))
    return controller.signal
  }

  const minutes = (count: number) => count * 60_000
  const outcome = (result: PromiseSettledResult<Discovery>) =>
    result.status === 'fulfilled' ? 'known' : messageOf(result.reason)

  test('who has time for an outage gets the answer, whoever else asked last', async () => {
    const { clock, discoverer } = await backAfter(minutes(5))
    const all = Promise.allSettled([
      discoverer.discover(),
      discoverer.discover({ refresh: true, signal: endingAfter(clock, minutes(30)) }),
      discoverer.discover({ refresh: true }),
    ])
    expect((await clock.runUntil(all)).map(outcome)).toEqual([
      expect.stringContaining('cannot be reached: connect ECONNREFUSED'),
      'known',
      'the kinds of the cluster are not known within 120 s',
    ])
  })

  test('who has no deadline is not kept for good by one who has', async () => {
    const { clock, discoverer } = await backAfter(minutes(60))
    const patient = discoverer.discover({ signal: endingAfter(clock, minutes(30)) })
    await expect(clock.runUntil(discoverer.discover())).rejects.toThrow('not known within 120 s')
    expect(clock.now()).toBe(minutes(2))
    await expect(clock.runUntil(patient)).rejects.toThrow('cannot be reached: connect ECONNREFUSED')
    expect(clock.now()).toBe(minutes(30))
  })

  test('it ends when nobody waits for it any more, for the reason of who waited last', async () => {
    const { clock, transport, discoverer } = await backAfter(minutes(60))
    const cancelled = discoverer.discover({ signal: endingAfter(clock, 10_000, 'cancelled') })
    await expect(clock.runUntil(cancelled)).rejects.toBe('cancelled')
    const before = transport.tries.length
    await clock.advance(minutes(3))
    expect(transport.tries.length - before).toBe(0)
  })
})

describe('an old server', () => {
  const list = (...resources: readonly object[]) => ({ kind: 'APIResourceList', resources })
  const answers = {
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': {
      kind: 'APIGroupList',
      groups: [
        { name: 'apps', preferredVersion: { version: 'v1' }, versions: [{ version: 'v1beta1' }, { version: 'v1' }] },
        { name: 'dead.example', preferredVersion: { version: 'v1' }, versions: [{ version: 'v1' }] },
      ],
    },
    '/api/v1': list({ name: 'nodes', kind: 'Node', namespaced: false, verbs: ['get'] }),
    '/apis/apps/v1': list(
      { name: 'deployments', kind: 'Deployment', namespaced: true, singularName: '', verbs: ['get', 'list'] },
      { name: 'deployments/status', kind: 'Deployment', namespaced: true },
    ),
    '/apis/apps/v1beta1': list(),
    '/apis/dead.example/v1': unavailable(503),
  }

  test('is asked group by group; a dead group is told', async () => {
    const { kinds, failed } = await server(answers).discoverer.discover()
    expect(
      kinds.map((kind) => [kind.kind, kind.isNamespaced, kind.hasStatus, kind.isPreferred, kind.singular]),
    ).toEqual([
      ['Node', false, false, true, 'node'],
      ['Deployment', true, true, true, 'deployment'],
    ])
    expect(failed).toEqual([{ groupVersion: 'dead.example/v1', cause: 'ask: no endpoints' }])
  })

  test('an outage is an outage', async () => {
    const { discoverer } = server({ ...answers, '/apis/apps/v1': unavailable(0) })
    await expect(discoverer.discover()).rejects.toThrow('no endpoints')
  })

  test('a group whose server hangs is told after 5 s, and the others count', async () => {
    const clock = fakeClock(0)
    const hangs = (signal: AbortSignal | undefined) =>
      new Promise<string>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    const send = ({ path, signal }: { readonly path: string; readonly signal?: AbortSignal }) =>
      path === '/apis/dead.example/v1'
        ? hangs(signal)
        : Promise.resolve(JSON.stringify(Object.entries(answers).find(([of]) => of === path)?.[1]))
    const discoverer = createDiscoverer({ ...alone, requests: { send }, clock })
    const { kinds, failed } = await clock.runUntil(discoverer.discover())
    expect([clock.now(), kinds.length > 0, failed]).toEqual([
      5_000,
      true,
      [{ groupVersion: 'dead.example/v1', cause: 'its server does not answer' }],
    ])
  })
})
