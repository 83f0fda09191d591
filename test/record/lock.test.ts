import { describe, expect, test } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import { at, type KubeObject } from '../../src/model/object.ts'
import type { Cluster } from '../../src/ports.ts'
import type { HeldLock } from '../../src/record/held-lock.ts'
import { leaseRef, readLease } from '../../src/record/lease.ts'
import { type Acquisition, acquireLock, releaseLockIfHeldBy } from '../../src/record/lock.ts'
import { microTime } from '../../src/record/time.ts'
import { fakeClock } from '../doubles/fake-clock.ts'
import { apiError, fakeCluster } from '../doubles/fake-cluster.ts'
import { objectOf } from '../doubles/plans.ts'
import { nextRun, run } from './records.ts'

const ref = leaseRef('web', 'shop')

function startLock() {
  const clock = fakeClock()
  const cluster = fakeCluster(clock)
  const events: Event[] = []
  const acquire = (holder: string, random = () => 0.5): Promise<Acquisition> =>
    acquireLock({
      cluster,
      clock,
      emit: (event) => events.push(event),
      release: 'web',
      namespace: 'shop',
      holder,
      random,
    })
  const hold = async (holder: string): Promise<HeldLock> => {
    const acquisition = await clock.runUntil(acquire(holder))
    if (acquisition.kind !== 'acquired') throw new Error(`locked by ${acquisition.holder}`)
    return acquisition.lock
  }
  const holder = (): string => {
    const live = cluster.object(ref)
    return live === undefined ? 'no lease' : readLease(live).holder
  }
  const states = (): readonly string[] => events.flatMap((event) => (event.type === 'lock' ? [event.state] : []))
  return { clock, cluster, events, acquire, hold, holder, states }
}

/** The Lease of another client, renewed this long ago by its own clock. */
function leaseOf(holder: string, renewedMs: number, spec = {}): KubeObject {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: ref.name, namespace: 'shop' },
    spec: {
      holderIdentity: holder,
      leaseDurationSeconds: 30,
      renewTime: microTime(renewedMs),
      acquireTime: microTime(0),
      ...spec,
    },
  }
}

describe('taking the lock', () => {
  test('a Lease per release, in its namespace, with the run as its holder', async () => {
    const { cluster, hold } = startLock()
    await hold(run)
    expect(cluster.object(ref)).toMatchObject({
      metadata: { name: 'staged-helm-deploy.web', namespace: 'shop' },
      spec: {
        holderIdentity: run,
        leaseDurationSeconds: 30,
        acquireTime: '2026-01-01T00:00:00.000500Z',
        renewTime: '2026-01-01T00:00:00.000500Z',
        leaseTransitions: 0,
      },
    })
  })

  test('a freed Lease is taken at once', async () => {
    const { clock, cluster, hold, holder } = startLock()
    await (await hold(run)).release()
    const before = clock.now()
    await hold(nextRun)
    expect([holder(), clock.now() - before, at(cluster.object(ref), 'spec', 'leaseTransitions')]).toEqual([
      nextRun,
      0,
      1,
    ])
  })

  test('a live holder gives `locked` as soon as it renews, with what people want to know', async () => {
    const { clock, hold, acquire, states } = startLock()
    await hold(run)
    const acquisition = await clock.runUntil(acquire(nextRun))
    expect(acquisition).toEqual({
      kind: 'locked',
      holder: run,
      since: '2026-01-01T00:00:00.000500Z',
      renewed: '2026-01-01T00:00:10.000000Z',
    })
    expect([clock.now() - Date.UTC(2026, 0, 1) <= 12_000, states()]).toEqual([true, ['acquired']])
  })

  test('a live holder is waited for as long as the request says, and named', async () => {
    const { clock, cluster, hold, events } = startLock()
    const first = await hold(run)
    clock.schedule(45_000, () => void first.release())
    const acquisition = await clock.runUntil(
      acquireLock({
        cluster,
        clock,
        emit: (event) => events.push(event),
        release: 'web',
        namespace: 'shop',
        holder: nextRun,
        waitMs: 60_000,
      }),
    )
    expect(acquisition.kind).toBe('acquired')
    expect(events.filter(({ type }) => type === 'lock').slice(1, 3)).toMatchObject([
      { state: 'waiting', holder: run },
      { state: 'released', holder: run },
    ])
  })

  test('a live holder that goes on for longer gives `locked`', async () => {
    const { clock, cluster, hold } = startLock()
    await hold(run)
    const startMs = clock.now()
    const request = { cluster, clock, emit: () => {}, release: 'web', namespace: 'shop', holder: nextRun }
    const acquisition = await clock.runUntil(acquireLock({ ...request, waitMs: 60_000 }))
    expect([acquisition.kind, clock.now() - startMs < 75_000]).toEqual(['locked', true])
  })

  test('a run that is stopped while the answer is on its way frees what it may have taken', async () => {
    const { clock, cluster, holder } = startLock()
    const stop = new AbortController()
    const slow: Cluster = {
      ...cluster,
      create: async (object, signal) => {
        const stored = await cluster.create(object)
        await clock.sleep(60_000, signal)
        return stored
      },
    }
    clock.schedule(1_000, () => stop.abort('cancelled'))
    const place = { release: 'web', namespace: 'shop', holder: run, signal: stop.signal }
    await expect(clock.runUntil(acquireLock({ ...place, cluster: slow, clock, emit: () => {} }))).rejects.toBe(
      'cancelled',
    )
    expect(holder()).toBe('')
  })

  test.each([
    ['equal clocks', 0],
    ['a holder whose clock is ten minutes ahead', 600_000],
    ['a holder whose clock is ten minutes behind', -600_000],
  ])('a silent holder is taken over after the duration of its Lease: %s', async (_name, skewMs) => {
    const { clock, cluster, hold, holder, states } = startLock()
    cluster.put(leaseOf(run, clock.now() + skewMs))
    const before = clock.now()
    await hold(nextRun)
    expect([holder(), clock.now() - before, states()]).toEqual([nextRun, 30_000, ['taken-over']])
  })

  test('a holder whose clock is ten minutes behind keeps its lock while it renews', async () => {
    const { clock, cluster, acquire } = startLock()
    cluster.put(leaseOf(run, clock.now() - 600_000))
    clock.schedule(25_000, () => cluster.put(leaseOf(run, clock.now() - 600_000)))
    expect(await clock.runUntil(acquire(nextRun))).toMatchObject({ kind: 'locked', holder: run })
  })

  test('a Lease that was renewed more than an hour ago is taken without watching', async () => {
    const { clock, cluster, hold } = startLock()
    cluster.put(leaseOf(run, clock.now() - 2 * 3_600_000))
    const before = clock.now()
    await hold(nextRun)
    expect(clock.now()).toBe(before)
  })

  test('a Lease cannot ask for more than two minutes of silence', async () => {
    const { clock, cluster, hold } = startLock()
    cluster.put(leaseOf(run, clock.now(), { leaseDurationSeconds: 1_000_000 }))
    const before = clock.now()
    await hold(nextRun)
    expect(clock.now() - before).toBe(120_000)
  })

  test('a Lease that is freed while it is watched is taken', async () => {
    const { clock, cluster, hold } = startLock()
    cluster.put(leaseOf(run, clock.now()))
    clock.schedule(5_000, () => cluster.put(leaseOf('', clock.now())))
    const before = clock.now()
    await hold(nextRun)
    expect(clock.now() - before).toBe(6_000)
  })

  test('an outage does not count as silence: the holder could not renew either', async () => {
    const { clock, cluster } = startLock()
    cluster.put(leaseOf(run, clock.now()))
    let outageMs = 0
    const slow: typeof cluster = {
      ...cluster,
      get: async (asked) => {
        await clock.sleep(outageMs)
        outageMs = 0
        return cluster.get(asked)
      },
    }
    clock.schedule(3_000, () => {
      outageMs = 60_000
    })
    clock.schedule(75_000, () => cluster.put(leaseOf(run, clock.now())))
    const request = { cluster: slow, clock, emit: () => {}, release: 'web', namespace: 'shop', holder: nextRun }
    expect(await clock.runUntil(acquireLock(request))).toMatchObject({ kind: 'locked', holder: run })
  })

  test('of eight that find a dead holder exactly one takes over', async () => {
    const { clock, cluster, acquire, states } = startLock()
    cluster.put(leaseOf(run, clock.now()))
    const eight = Array.from({ length: 8 }, (_, index) => acquire(`run-${index}`, () => index / 8))
    const kinds = (await clock.runUntil(Promise.all(eight))).map(({ kind }) => kind)
    expect([kinds.filter((kind) => kind === 'acquired').length, states()]).toEqual([1, ['taken-over']])
  })

  test('of eight that start at once exactly one gets the lock', async () => {
    const { clock, acquire } = startLock()
    const eight = Array.from({ length: 8 }, (_, index) => acquire(`run-${index}`, () => index / 8))
    const kinds = (await clock.runUntil(Promise.all(eight))).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'acquired')).toHaveLength(1)
  })

  test('a second process in the name of the same run does not get the lock of a live one', async () => {
    const { clock, hold, acquire } = startLock()
    await hold(run)
    expect(await clock.runUntil(acquire(run, () => 0.9))).toMatchObject({ kind: 'locked', holder: run })
  })

  test('knows its own Lease where the reply was lost', async () => {
    const { clock, cluster, events } = startLock()
    const lossy: typeof cluster = {
      ...cluster,
      create: async (object) => {
        await cluster.create(object)
        throw apiError('AlreadyExists')
      },
    }
    const request = {
      cluster: lossy,
      clock,
      emit: (event: Event) => events.push(event),
      release: 'web',
      namespace: 'shop',
    }
    const before = clock.now()
    const acquisition = await clock.runUntil(acquireLock({ ...request, holder: run }))
    expect([acquisition.kind, clock.now() - before]).toEqual(['acquired', 0])
  })

  test('a refusal is passed on', async () => {
    const { clock, cluster, acquire } = startLock()
    cluster.failWhen({ verb: 'create', kind: 'Lease' }, apiError('Forbidden'))
    await expect(clock.runUntil(acquire(run))).rejects.toThrow('Forbidden')
  })

  test('waiting ends when the run is cancelled', async () => {
    const { clock, cluster } = startLock()
    cluster.put(leaseOf(run, clock.now()))
    const stop = new AbortController()
    clock.schedule(1_000, () => stop.abort(new Error('cancelled')))
    const request = { cluster, clock, emit: () => {}, release: 'web', namespace: 'shop', holder: nextRun }
    await expect(clock.runUntil(acquireLock({ ...request, signal: stop.signal }))).rejects.toThrow('cancelled')
  })
})

describe('keeping the lock', () => {
  test('is renewed every ten seconds, spread by a tenth', async () => {
    const { clock, cluster, hold } = startLock()
    await hold(run)
    await clock.advance(35_000)
    expect(cluster.writes().filter((text) => text.startsWith('replace Lease'))).toHaveLength(3)
  })

  test('is lost when another run has taken it', async () => {
    const { clock, cluster, hold, states } = startLock()
    const lock = await hold(run)
    cluster.put(leaseOf(nextRun, clock.now()))
    await clock.advance(10_000)
    expect(lock.lost.reason).toMatchObject({ failure: { reason: 'locked', message: `${nextRun} has taken it over` } })
    expect(states()).toEqual(['acquired', 'lost'])
  })

  test('is lost when another process of the same run has taken it', async () => {
    const { clock, cluster, hold } = startLock()
    const lock = await hold(run)
    cluster.put(leaseOf(run, clock.now()))
    await clock.advance(10_000)
    expect(lock.lost.aborted).toBe(true)
  })

  test('is lost when another run has taken and freed it meanwhile: our plan is stale', async () => {
    const { clock, cluster, hold } = startLock()
    const lock = await hold(run)
    cluster.put(leaseOf('', clock.now()))
    await clock.advance(10_000)
    expect(lock.lost.aborted).toBe(true)
  })

  test('is lost when its renewal is refused for longer than it lives', async () => {
    const { clock, cluster, hold } = startLock()
    const lock = await hold(run)
    cluster.failWhen({ verb: 'replace', kind: 'Lease' }, apiError('Forbidden'))
    await clock.advance(29_000)
    const before = lock.lost.aborted
    await clock.advance(5_000)
    expect([before, lock.lost.aborted]).toEqual([false, true])
  })

  test('that ends because the credentials have expired says so, not that another run has it', async () => {
    const { clock, cluster, hold } = startLock()
    const lock = await hold(run)
    cluster.failWhen(
      { kind: 'Lease' },
      apiError('Unauthorized', { status: 401, message: 'the credentials have expired' }),
    )
    await clock.advance(34_000)
    await expect(lock.mayWrite()).rejects.toMatchObject({
      failure: { reason: 'forbidden', message: 'the renewal is refused: the credentials have expired' },
    })
  })

  test('survives an outage that nobody used', async () => {
    const { clock, cluster, hold, holder } = startLock()
    const lock = await hold(run)
    const down = apiError('Unreachable', { status: 0 })
    cluster.failWhen({ kind: 'Lease' }, down, 40)
    await clock.advance(60_000)
    expect([lock.lost.aborted, holder(), (await lock.mayWrite()).aborted]).toEqual([false, run, false])
  })

  test('is taken up again where somebody has deleted the Lease', async () => {
    const { clock, cluster, hold, holder } = startLock()
    const lock = await hold(run)
    cluster.remove(ref)
    await clock.advance(10_000)
    expect([lock.lost.aborted, holder()]).toEqual([false, run])
  })

  test('knows its own renewal where the reply was lost', async () => {
    const { clock, cluster, hold } = startLock()
    const lock = await hold(run)
    const live = cluster.object(ref)
    if (live !== undefined)
      cluster.put({ ...live, spec: { ...(live.spec as object), renewTime: 'renewed by a request without a reply' } })
    await clock.advance(10_000)
    expect(lock.lost.aborted).toBe(false)
  })
})

describe('no write after loss', () => {
  const object = objectOf('ConfigMap/a')

  /** The process stands still while the world goes on: no renewal runs. */
  async function frozen(lock: ReturnType<typeof startLock>, ms: number): Promise<void> {
    lock.cluster.failWhen({ verb: 'replace', kind: 'Lease' }, apiError('Unreachable', { status: 0 }), 1_000)
    lock.cluster.failWhen({ verb: 'get', kind: 'Lease' }, apiError('Unreachable', { status: 0 }), 1_000)
    await lock.clock.advance(ms)
  }

  test('a fresh lock lets writes through without asking', async () => {
    const { cluster, hold } = startLock()
    const guarded = cluster.under({ mayWrite: (await hold(run)).mayWrite })
    await guarded.create(object)
    expect(cluster.writes()).toEqual(['create Lease/shop/staged-helm-deploy.web', 'create ConfigMap/shop/a'])
  })

  test('a lock that was not renewed for long is proven before the write', async () => {
    const lock = startLock()
    const held = await lock.hold(run)
    await frozen(lock, 25_000)
    const stop = new AbortController()
    const write = lock.cluster.under({ mayWrite: held.mayWrite }).create(object, stop.signal)
    write.catch(() => {})
    await lock.clock.advance(60_000)
    stop.abort('cancelled')
    await expect(write).rejects.toBe('cancelled')
    expect(lock.cluster.writes().filter((text) => text.includes('ConfigMap'))).toEqual([])
  })

  test('a write that waits for the proof is sent as soon as the Lease can be renewed', async () => {
    const { clock, cluster, hold } = startLock()
    const held = await hold(run)
    cluster.failWhen({ kind: 'Lease' }, apiError('Unreachable', { status: 0 }), 40)
    await clock.advance(25_000)
    await clock.runUntil(cluster.under({ mayWrite: held.mayWrite }).create(object))
    expect(cluster.writes().at(-1)).toBe('create ConfigMap/shop/a')
  })

  test('a renewal that hangs is tried again after five seconds', async () => {
    const { clock, cluster, hold } = startLock()
    await hold(run)
    cluster.slowWhen({ verb: 'replace', kind: 'Lease' }, 60_000)
    await clock.advance(26_000)
    expect(cluster.writes().filter((text) => text.startsWith('replace Lease'))).toHaveLength(3)
  })

  test('a write that is under way when the lock lapses is broken off, five seconds before others may take it', async () => {
    const { clock, cluster, hold } = startLock()
    const held = await hold(run)
    cluster.failWhen({ kind: 'Lease' }, apiError('Unreachable', { status: 0 }))
    cluster.slowWhen({ kind: 'ConfigMap' }, 3_600_000)
    const startedMs = clock.now()
    const write = cluster.under({ mayWrite: held.mayWrite }).create(object)
    await expect(clock.runUntil(write)).rejects.toThrow('the lock was not renewed in time')
    expect(clock.now() - startedMs).toBe(25_000)
  })

  test('a slow write goes on while the lock is renewed', async () => {
    const { clock, cluster, hold } = startLock()
    const held = await hold(run)
    cluster.slowWhen({ kind: 'ConfigMap' }, 120_000)
    await clock.runUntil(cluster.under({ mayWrite: held.mayWrite }).create(object))
    expect(cluster.object({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'a' })).toBeDefined()
  })

  test('a process that wakes up after another has taken over writes nothing', async () => {
    const { cluster, clock } = startLock()
    let skippedMs = 0
    const sleepy = { ...clock, now: () => clock.now() + skippedMs }
    const acquisition = await acquireLock({
      cluster,
      clock: sleepy,
      emit: () => {},
      release: 'web',
      namespace: 'shop',
      holder: run,
    })
    if (acquisition.kind !== 'acquired') throw new Error('not acquired')
    skippedMs = 120_000
    cluster.put(leaseOf(nextRun, clock.now()))
    const write = cluster.under({ mayWrite: acquisition.lock.mayWrite }).apply(object, { force: false })
    await expect(write).rejects.toThrow(`${nextRun} has taken it over`)
    expect(cluster.writes().filter((text) => text.includes('ConfigMap'))).toEqual([])
  })
})

describe('giving the lock back', () => {
  test('empties the holder and ends the renewals', async () => {
    const { clock, hold, holder, states } = startLock()
    const lock = await hold(run)
    await lock.release()
    await lock.release()
    expect([holder(), clock.pending(), states()]).toEqual(['', 0, ['acquired', 'released']])
  })

  test('frees it also where a renewal that was cut off has arrived', async () => {
    const { clock, cluster, hold, holder } = startLock()
    const lock = await hold(run)
    cluster.put(leaseOf(run, clock.now() + 1, { acquireTime: lock.claim }))
    await lock.release()
    expect(holder()).toBe('')
  })

  test('leaves the Lease of another run alone', async () => {
    const { clock, cluster, hold, holder } = startLock()
    const lock = await hold(run)
    cluster.put(leaseOf(nextRun, clock.now()))
    await lock.release()
    expect(holder()).toBe(nextRun)
  })

  test('that it cannot be freed is a warning: it expires', async () => {
    const { cluster, events, hold } = startLock()
    const lock = await hold(run)
    cluster.failWhen({ verb: 'replace', kind: 'Lease' }, apiError('Unreachable', { status: 0 }))
    expect(await lock.release()).toBe(false)
    expect(events.map(({ type }) => type)).toEqual(['lock', 'warning'])
  })

  test('nothing can be written under a lock that was given back', async () => {
    const { hold } = startLock()
    const lock = await hold(run)
    await lock.release()
    await expect(lock.mayWrite()).rejects.toThrow()
  })
})

describe('post step', () => {
  test('frees the lock of the process that died', async () => {
    const { cluster, hold, holder } = startLock()
    const { claim } = await hold(run)
    expect([await releaseLockIfHeldBy(cluster, 'web', 'shop', run, claim), holder()]).toEqual([true, ''])
  })

  test('frees it also where only the holder is known', async () => {
    const { cluster, hold } = startLock()
    await hold(run)
    expect(await releaseLockIfHeldBy(cluster, 'web', 'shop', run)).toBe(true)
  })

  test.each([
    ['of another run', nextRun, undefined],
    ['of another process of the same run', run, '2026-01-01T00:00:00.000001Z'],
  ])('leaves a lock alone that is %s', async (_name, asked, claim) => {
    const { cluster, hold, holder } = startLock()
    await hold(run)
    expect([await releaseLockIfHeldBy(cluster, 'web', 'shop', asked, claim), holder()]).toEqual([false, run])
  })

  test('finds nothing where no Lease is', async () => {
    const { cluster } = startLock()
    expect(await releaseLockIfHeldBy(cluster, 'web', 'shop', run)).toBe(false)
  })
})
