import { beforeEach, describe, expect, test } from 'vitest'
import type { SavedLock } from '../../src/pass/release-lock.ts'
import { acquireLock } from '../../src/record/lock.ts'
import { draftDeploy } from '../../src/record/new-record.ts'
import { createRevision } from '../../src/record/writer.ts'
import { freeAfterDeath } from '../../src/run/post-step.ts'
import { type FakeClock, fakeClock } from '../doubles/fake-clock.ts'
import { apiError, type FakeCluster, fakeCluster } from '../doubles/fake-cluster.ts'

const HOLDER = 'https://github.example/acme/shop/actions/runs/1'
const place = { release: 'shop', namespace: 'web' }
const history = { revisions: [], unreadable: [] }

let clock: FakeClock
let cluster: FakeCluster
beforeEach(() => {
  clock = fakeClock()
  cluster = fakeCluster(clock)
})

/** A first process that took the lock, wrote its pending revision, and was killed. */
async function killedProcess(holder: string): Promise<SavedLock> {
  const acquired = await acquireLock({ cluster, clock, emit: () => {}, ...place, holder })
  if (acquired.kind !== 'acquired') throw new Error('the lock is not free')
  const parts = { chart: {}, config: {}, manifest: '', hooks: [] }
  const draft = draftDeploy(history, { verb: 'install', ...place, parts, notes: '', holder, nowMs: clock.now() })
  await createRevision({ cluster, clock, emit: () => {}, namespace: 'web' }, draft, { history, historyMax: 10 })
  return { ...place, claim: acquired.lock.claim }
}

const statusOfRecord = () =>
  cluster.object({ apiVersion: 'v1', kind: 'Secret', namespace: 'web', name: 'sh.helm.release.v1.shop.v1' })?.metadata
    .labels?.status

const holderOfLease = () =>
  cluster.object({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    namespace: 'web',
    name: 'staged-helm-deploy.shop',
  })?.spec

describe('the post step of a process that was killed', () => {
  test('marks its pending revision failed, frees the lock and says so', async () => {
    const held = await killedProcess(HOLDER)
    expect(await freeAfterDeath({ held, holder: HOLDER }, { cluster, clock })).toBe(
      'the deploy of shop in web ended early: revision 1 is marked failed, and its lock is released. Deploy again to continue.',
    )
    expect(statusOfRecord()).toBe('failed')
    expect(holderOfLease()).toMatchObject({ holderIdentity: '' })
  })

  test('touches nothing that another run has begun since', async () => {
    await killedProcess('https://github.example/acme/shop/actions/runs/2')
    const held = { ...place, claim: 'of the first process' }
    const before = cluster.writes().length
    await freeAfterDeath({ held, holder: HOLDER }, { cluster, clock })
    expect(cluster.writes().slice(before)).toEqual([])
  })

  test('never fails: what it could not clean up is left to the next run, and said', async () => {
    const held = await killedProcess(HOLDER)
    cluster.failWhen({ verb: 'list' }, apiError('Unreachable', { status: 0, message: 'connect ECONNREFUSED' }))
    expect(await freeAfterDeath({ held, holder: HOLDER }, { cluster, clock })).toMatch(
      /could not be cleaned up: .*ECONNREFUSED\. The next run does it\.$/,
    )
  })
})
