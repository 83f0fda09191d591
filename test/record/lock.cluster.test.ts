import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import type { OpenCluster } from '../../src/kube/cluster-adapter.ts'
import type { Clock } from '../../src/ports.ts'
import type { HeldLock } from '../../src/record/held-lock.ts'
import { leaseRef, readLease, takenLease } from '../../src/record/lease.ts'
import { acquireLock, releaseLockIfHeldBy } from '../../src/record/lock.ts'
import { microTime } from '../../src/record/time.ts'
import { test } from '../cluster/fixture.ts'
import { openCluster, systemClock } from './helm.ts'
import { nextRun, run } from './records.ts'

const { kubeconfig } = inject('cluster')

let cluster: OpenCluster
beforeAll(async () => {
  cluster = await openCluster(kubeconfig)
})
afterAll(() => cluster.close())

async function hold(namespace: string, holder: string, clock: Clock = systemClock): Promise<HeldLock> {
  const acquisition = await acquireLock({ cluster, clock, emit: () => {}, release: 'web', namespace, holder })
  if (acquisition.kind !== 'acquired') throw new Error(`locked by ${acquisition.holder}`)
  return acquisition.lock
}

/** A clock that can jump, as for a process that was frozen. */
function jumping(): Clock & { jump(ms: number): void } {
  let skippedMs = 0
  return {
    ...systemClock,
    now: () => systemClock.now() + skippedMs,
    jump: (ms) => {
      skippedMs += ms
    },
  }
}

async function holderIn(namespace: string): Promise<string> {
  const lease = await cluster.get(leaseRef('web', namespace))
  return lease === undefined ? 'no lease' : readLease(lease).holder
}

describe.concurrent('the lock on a real API server', () => {
  test('is taken, renewed, freed and taken again', async ({ namespace }) => {
    const clock = jumping()
    const first = await hold(namespace.name, run, clock)
    clock.jump(25_000)
    await first.mayWrite()
    expect(await holderIn(namespace.name)).toBe(run)
    await first.release()
    expect(await holderIn(namespace.name)).toBe('')
    const second = await hold(namespace.name, nextRun)
    expect(await holderIn(namespace.name)).toBe(nextRun)
    await second.release()
  })

  test('goes to one of eight that start at once', async ({ namespace }) => {
    const stop = new AbortController()
    const eight = Array.from({ length: 8 }, (_, index) =>
      acquireLock({
        cluster,
        clock: systemClock,
        emit: () => {},
        release: 'web',
        namespace: namespace.name,
        holder: `run-${index}`,
        signal: stop.signal,
      }),
    )
    const results = await Promise.all(eight)
    const [winner, ...others] = results.toSorted((a) => (a.kind === 'acquired' ? -1 : 1))
    expect([winner?.kind, others.map(({ kind }) => kind)]).toEqual(['acquired', Array(7).fill('locked')])
    if (winner?.kind === 'acquired') await winner.lock.release()
  })

  test('is taken up again where somebody has deleted the Lease', async ({ namespace }) => {
    const clock = jumping()
    const lock = await hold(namespace.name, run, clock)
    await cluster.delete(leaseRef('web', namespace.name), { propagation: 'Background' })
    clock.jump(25_000)
    await lock.mayWrite()
    expect(await holderIn(namespace.name)).toBe(run)
    await lock.release()
  })

  test('is lost, and no write passes, once another run has it', async ({ namespace }) => {
    const clock = jumping()
    const lock = await hold(namespace.name, run, clock)
    const lease = await cluster.get(leaseRef('web', namespace.name))
    if (lease === undefined) throw new Error('no lease')
    await cluster.replace(takenLease(lease, { holder: nextRun, acquireTime: microTime(Date.now()) }))
    clock.jump(120_000)
    await expect(lock.mayWrite()).rejects.toThrow(`${nextRun} has taken it over`)
    expect(lock.lost.aborted).toBe(true)
    await lock.release()
    expect(await holderIn(namespace.name)).toBe(nextRun)
  })

  test('is freed by the post step of the same run', async ({ namespace }) => {
    const lock = await hold(namespace.name, run)
    expect(await releaseLockIfHeldBy(cluster, 'web', namespace.name, run, lock.claim)).toBe(true)
    expect(await holderIn(namespace.name)).toBe('')
    await lock.release()
  })
})
