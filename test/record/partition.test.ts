import { describe, expect, test } from 'vitest'
import { createCluster, type OpenCluster } from '../../src/kube/cluster-adapter.ts'
import type { HttpTry } from '../../src/kube/transport.ts'
import { acquireLock } from '../../src/record/lock.ts'
import { type FakeClock, fakeClock } from '../doubles/fake-clock.ts'
import { type FakeAnswer, fakeTransport, networkError, statusBody } from '../doubles/fake-transport.ts'
import { objectOf } from '../doubles/plans.ts'
import { nextRun, run } from './records.ts'

/**
 * Two runs and one API server, whose network to the first run breaks for 40 s at a random moment: the second one takes
 * the release over meanwhile. The whole way from the lock to the wire is real; only the wire itself is simulated.
 */

const SEEDS = 100
const WRITES = 300
const PARTITION_MS = 40_000

interface Stored {
  readonly metadata: { readonly resourceVersion: string }
  readonly spec?: { readonly holderIdentity?: string }
}

interface Arrival {
  readonly by: string
  readonly atMs: number
  readonly what: string
}

/** Numbers from 0 up to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed + 1
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

function server(clock: FakeClock) {
  const objects = new Map<string, Stored>()
  const arrivals: Arrival[] = []
  const takenOverAt: number[] = []
  let version = 0

  function answer(by: string, { method, path, body }: HttpTry): FakeAnswer {
    if (path === '/api') return groups('', [resource('configmaps', 'ConfigMap')])
    if (path === '/apis') return groups('coordination.k8s.io', [resource('leases', 'Lease')])
    const [place = ''] = path.split('?')
    const sent = body === undefined ? undefined : (JSON.parse(body) as Stored & { metadata: { name: string } })
    const key = method === 'POST' ? `${place}/${sent?.metadata.name}` : place
    const live = objects.get(key)
    if (method === 'GET') return live === undefined ? refusal(404, 'NotFound') : { status: 200, body: live }
    if (method === 'POST' && live !== undefined) return refusal(409, 'AlreadyExists')
    if (method === 'PUT' && live?.metadata.resourceVersion !== sent?.metadata.resourceVersion)
      return refusal(409, 'Conflict')
    version += 1
    const stored = { ...sent, metadata: { ...sent?.metadata, resourceVersion: String(version) } }
    objects.set(key, stored)
    const isLease = key.includes('/leases/')
    if (!isLease) arrivals.push({ by, atMs: clock.now(), what: key })
    if (isLease && by === nextRun && live?.spec?.holderIdentity === run) takenOverAt.push(clock.now())
    return { status: 200, body: stored }
  }
  return { answer, arrivals, takenOverAt }
}

function resource(name: string, kind: string): object {
  return { resource: name, responseKind: { kind }, scope: 'Namespaced', verbs: ['get'] }
}

function groups(name: string, resources: readonly object[]): FakeAnswer {
  const items = [{ metadata: { name }, versions: [{ version: 'v1', resources }] }]
  return { status: 200, body: { kind: 'APIGroupDiscoveryList', items } }
}

function refusal(code: number, reason: string): FakeAnswer {
  return { status: code, body: statusBody(code, reason, reason, { name: 'it' }) }
}

/** Requests that are under way when the network breaks stand still; they arrive afterwards unless they were broken off. */
async function simulate(seed: number) {
  const random = randomOf(seed)
  const clock = fakeClock()
  const api = server(clock)
  const breaksMs = clock.now() + 2_000 + random() * 20_000
  const healsMs = breaksMs + PARTITION_MS
  const isSlow = random() < 0.3

  const open = (by: string): OpenCluster =>
    createCluster({
      connection: {
        server: 'https://api.example',
        defaultNamespace: 'shop',
        tls: { isUnverified: false },
        authentication: { kind: 'none' },
        headers: {},
        secrets: [],
        warnings: [],
      },
      clock,
      random,
      secrets: { add: () => undefined, addLookedUp: () => {}, redact: (text) => text, redactNames: (text) => text },
      transport: fakeTransport(async (request) => {
        const isCut = () => by === run && clock.now() >= breaksMs && clock.now() < healsMs
        const atOnce = random() < 0.5
        await clock.sleep(10 + random() * (isSlow ? 4_000 : 800), request.signal)
        if (isCut() && atOnce) return { error: networkError('ECONNRESET') }
        if (isCut()) await clock.sleep(healsMs - clock.now() + random() * 1_000, request.signal)
        const answered = api.answer(by, request)
        await clock.sleep(random() * 100, request.signal)
        return answered
      }),
    })

  const write = async (by: string, amount: number): Promise<void> => {
    const cluster = open(by)
    const place = { release: 'web', namespace: 'shop', holder: by, random }
    const taken = await acquireLock({ ...place, cluster, clock, emit: () => {} })
    if (taken.kind !== 'acquired') throw new Error(`locked by ${taken.holder}`)
    const guarded = cluster.under({ mayWrite: taken.lock.mayWrite })
    const writes = Array.from({ length: amount }, (_, index) =>
      guarded.apply(objectOf(`ConfigMap/${index}`), { force: true }, taken.lock.lost),
    )
    await Promise.allSettled(writes)
    await taken.lock.release()
  }
  const first = write(run, isSlow ? WRITES : WRITES * 4)
  await clock.advance(breaksMs - clock.now())
  const second = write(nextRun, 20).catch(() => undefined)
  await clock.runUntil(Promise.all([first, second]))
  const [takenMs] = api.takenOverAt
  const late = takenMs === undefined ? [] : api.arrivals.filter(({ by, atMs }) => by === run && atMs > takenMs)
  return { isTakenOver: takenMs !== undefined, late, written: api.arrivals.length }
}

describe('a partition of 40 s in which another run takes the release over', () => {
  test(`nothing of the first run is written after the takeover, in ${SEEDS} runs`, async () => {
    let takeovers = 0
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const { isTakenOver, late } = await simulate(seed)
      if (isTakenOver) takeovers += 1
      expect([seed, late]).toEqual([seed, []])
    }
    expect(takeovers).toBeGreaterThan(SEEDS / 4)
  }, 300_000)
})
