import { describe, expect, test } from 'vitest'
import { at } from '../../src/model/object.ts'
import { fakeClock } from './fake-clock.ts'
import { apiError, fakeCluster } from './fake-cluster.ts'
import { objectOf, refTo } from './plans.ts'

const web = refTo('Deployment/web')

function start() {
  const clock = fakeClock()
  return { clock, cluster: fakeCluster(clock) }
}

describe('fake cluster', () => {
  test('applies by field: what helm no longer sends goes, what others own stays', async () => {
    const { cluster } = start()
    await cluster.apply(objectOf('Deployment/web', { spec: { replicas: 2, paused: true } }), { force: false })
    await cluster.apply(objectOf('Deployment/web', { spec: { replicas: 3 } }), { force: false })
    expect(at(cluster.object(web), 'spec')).toEqual({ replicas: 3 })
    expect(cluster.object(web)?.metadata.generation).toBe(2)
  })

  test('refuses to take a field of another manager, unless forced', async () => {
    const { cluster } = start()
    const managedFields = [{ manager: 'hpa', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }]
    cluster.put(objectOf('Deployment/web', { metadata: { managedFields }, spec: { replicas: 9 } }))
    const sent = objectOf('Deployment/web', { spec: { replicas: 2 } })
    await expect(cluster.apply(sent, { force: false })).rejects.toThrow('conflict with "hpa": .spec.replicas')
    expect(at(await cluster.apply(sent, { force: true }), 'spec', 'replicas')).toBe(2)
  })

  test('leaves an object as it is where nothing changes', async () => {
    const { cluster } = start()
    const first = await cluster.apply(objectOf('ConfigMap/a', { data: { a: '1' } }), { force: false })
    const second = await cluster.apply(objectOf('ConfigMap/a', { data: { a: '1' } }), { force: false })
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion)
  })

  test('replaces only the newest version, creates only what is absent', async () => {
    const { cluster } = start()
    const made = await cluster.create(objectOf('Secret/a'))
    const changed = await cluster.replace({ ...made, data: { a: 'MQ==' } })
    await expect(cluster.replace({ ...made, data: { a: 'Mg==' } })).rejects.toThrow('Conflict')
    await expect(cluster.create(objectOf('Secret/a'))).rejects.toThrow('AlreadyExists')
    expect(changed.metadata.uid).toBe(made.metadata.uid)
  })

  test('plays scripted reactions on the clock, and shows them to watches', async () => {
    const { clock, cluster } = start()
    cluster.statusWhenApplied({ kind: 'Deployment' }, 500, { readyReplicas: 1 })
    const watch = cluster.watch({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop' })
    await watch.ready
    await cluster.apply(objectOf('Deployment/web', { spec: {} }), { force: false })
    await clock.advance(499)
    expect(at(watch.get('web'), 'status')).toBeUndefined()
    await clock.advance(1)
    expect(at(watch.get('web'), 'status', 'readyReplicas')).toBe(1)
    watch.close()
    expect(cluster.openWatches()).toBe(0)
  })

  test('keeps a deleted object while a finalizer is busy', async () => {
    const { clock, cluster } = start()
    cluster.put(objectOf('Deployment/web'))
    cluster.delayDeletion({ name: 'web' }, 1_000)
    await cluster.delete(web, { propagation: 'Background' })
    expect(cluster.object(web)?.metadata.finalizers).toEqual(['example.com/busy'])
    await clock.advance(1_000)
    expect(cluster.object(web)).toBeUndefined()
  })

  test('deletes dependents with their owner, and refuses another uid', async () => {
    const { cluster } = start()
    const owner = cluster.put(objectOf('Deployment/web'))
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: owner.metadata.uid ?? '' }]
    cluster.put(objectOf('Pod/web-1', { metadata: { ownerReferences } }))
    await expect(cluster.delete(web, { propagation: 'Background', uid: 'other' })).rejects.toThrow('Precondition')
    await cluster.delete(web, { propagation: 'Background' })
    expect(cluster.object(refTo('Pod/web-1'))).toBeUndefined()
  })

  test('fails scripted requests as often as told, and records all of them', async () => {
    const { cluster } = start()
    cluster.failWhen({ verb: 'apply', kind: 'Job' }, apiError('Forbidden'), 1)
    await expect(cluster.apply(objectOf('Job/a'), { force: false })).rejects.toThrow('Forbidden')
    await cluster.apply(objectOf('Job/a'), { force: false })
    expect(cluster.writes()).toEqual(['apply Job/shop/a', 'apply Job/shop/a'])
  })
})

describe('fake clock', () => {
  test('runs timers in order and jumps to them', async () => {
    const clock = fakeClock(0)
    const seen: number[] = []
    const sleeper = async (ms: number): Promise<void> => {
      await clock.sleep(ms)
      seen.push(clock.now())
    }
    await clock.runUntil(Promise.all([sleeper(300), sleeper(100), sleeper(200)]))
    expect(seen).toEqual([100, 200, 300])
  })

  test('says so where nothing can settle the promise', async () => {
    await expect(fakeClock().runUntil(new Promise(() => {}))).rejects.toThrow('nothing is scheduled')
  })

  test('ends a sleep when its signal fires', async () => {
    const clock = fakeClock()
    const stop = new AbortController()
    const sleep = clock.sleep(1_000, stop.signal)
    stop.abort('enough')
    await expect(sleep).rejects.toBe('enough')
    expect(clock.pending()).toBe(0)
  })
})
