import { describe, expect, test } from 'vitest'
import type { Cluster } from '../../src/ports.ts'
import { hintText } from '../../src/report/words/hint-text.ts'
import { apiError } from '../doubles/fake-cluster.ts'
import { apply, awaits, deletes, objectOf, planOf, refTo, stage } from '../doubles/plans.ts'
import { deploymentReady, scene, told, webSpec } from './run-plan.ts'

const hook = 'pre-upgrade'
const endless = stage('pre', [
  [apply('Job/a', { hook })],
  [awaits('Job/a', { hook, until: 'complete' })],
  [deletes('Job/a', { hook, onlyIf: 'failed' })],
  [apply('ConfigMap/next')],
])

describe('stop', () => {
  test('timeout: names what was not ready and why, and what else was waited for', async () => {
    const given = scene()
    given.stopAfter(60_000, 'timeout')
    const plan = planOf(
      stage('main', [
        [apply('Deployment/web'), apply('Job/a')],
        [awaits('Deployment/web'), awaits('Job/a')],
      ]),
    )
    const { result, failure } = await given.run(plan, { contents: { 'Deployment/web': webSpec } })
    expect(result).toBe('failed')
    expect(failure).toMatchObject({
      reason: 'timeout',
      doing: 'wait for readiness',
      ref: { kind: 'Deployment', name: 'web' },
      stage: 'main',
      readiness: { code: expect.any(String) },
      others: [{ ref: { kind: 'Job', name: 'a' }, readiness: { code: expect.any(String) } }],
    })
    expect(failure?.hint && hintText(failure.hint)).toContain('timeout')
    expect(given.events.filter(({ type }) => type === 'evidence')).toHaveLength(2)
  })

  test.each([
    ['timeout', 'Unreachable', 0, 'cluster-unreachable'],
    ['timeout', 'TooManyRequests', 429, 'cluster-unreachable'],
    ['timeout', 'Unauthorized', 401, 'forbidden'],
    ['lock-lost', 'Unauthorized', 401, 'forbidden'],
    ['lock-lost', 'Unreachable', 0, 'locked'],
  ] as const)('%s while nothing is answered but %s (%i): %s', async (stop, reason, status, told) => {
    const given = scene()
    given.stopAfter(60_000, stop)
    given.cluster.setTrouble(apiError(reason, { status, message: 'what it failed with' }))
    const { failure } = await given.run(planOf(stage('main', [[apply('Job/a')], [awaits('Job/a')]])))
    expect(failure).toMatchObject({ reason: told, ref: { name: 'a' }, readiness: { code: expect.any(String) } })
    expect(failure?.message === 'what it failed with').toBe(told !== 'locked')
  })

  test('timeout: a request that was failing says with what, also beside a wait', async () => {
    const given = scene()
    given.stopAfter(60_000, 'timeout')
    const message = 'failed calling webhook "a.example": failed to call webhook: connection refused'
    const failsAtEnd: Cluster['apply'] = (object, _options, signal) =>
      object.metadata.name === 'issuer'
        ? new Promise((_, reject) =>
            signal?.addEventListener('abort', () => reject(apiError('InternalError', { status: 500, message }))),
          )
        : Promise.resolve(given.cluster.put(object))
    Object.assign(given.cluster, { apply: failsAtEnd })
    given.cluster.put(objectOf('Job/a'))
    const plan = planOf(stage('main', [[awaits('Job/a'), apply('ConfigMap/issuer')]]))
    const { failure } = await given.run(plan)
    expect(failure).toMatchObject({ reason: 'rejected', message, ref: { name: 'issuer' } })
  })

  test('timeout: what a delete policy names is still deleted, nothing else is started', async () => {
    const given = scene()
    given.stopAfter(60_000, 'timeout')
    const { hookRuns } = await given.run(planOf(endless))
    expect(given.cluster.writes()).toEqual(['apply Job/shop/a', 'delete Job/shop/a'])
    expect(hookRuns.map(({ phase }) => phase)).toEqual(['Failed'])
  })

  test('timeout: what runs afterwards ends after 8 s', async () => {
    const given = scene()
    given.stopAfter(60_000, 'timeout')
    given.cluster.delayDeletion({ name: 'a' }, Number.POSITIVE_INFINITY)
    const startMs = given.clock.now()
    await given.run(planOf(endless))
    expect(given.clock.now() - startMs).toBe(68_000)
  })

  test('timeout, then cancelled: what runs afterwards ends at once', async () => {
    const given = scene()
    given.stopAfter(60_000, 'timeout')
    given.abandonAfter(62_000)
    given.cluster.delayDeletion({ name: 'a' }, Number.POSITIVE_INFINITY)
    const startMs = given.clock.now()
    const { failure } = await given.run(planOf(endless))
    expect([given.clock.now() - startMs, failure?.reason]).toEqual([62_000, 'timeout'])
  })

  test('timeout: names the request that was on its way', async () => {
    const given = scene()
    given.stopAfter(60_000, 'timeout')
    given.cluster.slowWhen({ verb: 'apply' }, 120_000)
    const { failure } = await given.run(planOf(stage('main', [[apply('ConfigMap/a')]])))
    expect(failure).toMatchObject({ reason: 'timeout', doing: 'apply', ref: { name: 'a' } })
  })

  test('cancelled: everything stops at once, and nothing is deleted or read', async () => {
    const given = scene()
    given.stopAfter(60_000, 'cancelled')
    const startMs = given.clock.now()
    const { result, failure } = await given.run(planOf(endless))
    expect([result, failure?.reason, given.clock.now() - startMs]).toEqual(['cancelled', 'cancelled', 60_000])
    expect(given.cluster.writes()).toEqual(['apply Job/shop/a'])
    expect(given.events.some(({ type }) => type === 'evidence')).toBe(false)
    expect(told(given, 'operation-finished').slice(1)).toEqual([
      expect.stringContaining('pre/await/Job/shop/a'),
      '60s operation-finished pre/delete/Job/shop/a skipped',
      '60s operation-finished pre/apply/ConfigMap/shop/next skipped',
    ])
  })

  test('cancelled: what earlier hooks would have lost by their policies stays, and is reported skipped', async () => {
    const given = scene()
    given.stopAfter(60_000, 'cancelled')
    const plan = planOf(
      stage('pre', [
        [apply('ConfigMap/role', { hook })],
        [apply('Job/a', { hook })],
        [awaits('Job/a', { hook, until: 'complete' })],
        [deletes('ConfigMap/role', { hook, onlyIf: 'succeeded' })],
      ]),
    )
    await given.run(plan)
    expect(told(given, 'operation-finished').at(-1)).toBe(
      '60s operation-finished pre/delete/ConfigMap/shop/role skipped',
    )
  })

  test('timeout: names what was waited for, not what was skipped beside it', async () => {
    const given = scene()
    given.stopAfter(60_000, 'timeout')
    const plan = planOf(
      stage('main', [[deletes('ConfigMap/a', { onlyIf: 'failed' }), awaits('Job/b', { isExternal: true })]]),
    )
    const { failure } = await given.run(plan)
    expect(failure).toMatchObject({ ref: { name: 'b' }, readiness: { code: 'absent' } })
  })

  test('timeout: evidence of five objects at most', async () => {
    const given = scene()
    given.stopAfter(60_000, 'timeout')
    const names = Array.from({ length: 8 }, (_none, index) => `Job/${index}`)
    await given.run(planOf(stage('main', [names.map((name) => apply(name)), names.map((name) => awaits(name))])))
    expect(given.events.filter(({ type }) => type === 'evidence')).toHaveLength(5)
  })

  test('cancelled during the cleanup after a failure: the cleanup ends too', async () => {
    const given = scene()
    given.stopAfter(5_000, 'cancelled')
    given.cluster.put(objectOf('Job/a'))
    given.cluster.statusWhenApplied({ name: 'a' }, 1_000, { conditions: [{ type: 'Failed', status: 'True' }] })
    given.cluster.delayDeletion({ name: 'a' }, Number.POSITIVE_INFINITY)
    const startMs = given.clock.now()
    const { failure } = await given.run(planOf(endless))
    expect([failure?.reason, given.clock.now() - startMs]).toEqual(['hook-failed', 5_000])
  })

  test('lock-lost: nothing is written after it', async () => {
    const given = scene()
    given.stopAfter(60_000, 'lock-lost')
    const { result, failure } = await given.run(planOf(endless))
    expect([result, failure?.reason, given.cluster.writes()]).toEqual(['failed', 'locked', ['apply Job/shop/a']])
  })

  test('lock-lost between two writes of one recreation: the second is not made', async () => {
    const given = scene()
    given.cluster.put(objectOf('Job/a'))
    given.cluster.delayDeletion({ name: 'a' }, 2_000)
    given.stopAfter(1_000, 'lock-lost')
    await given.run(planOf(stage('main', [[apply('Job/a', { change: 'recreate' })]])))
    expect(given.cluster.writes()).toEqual(['delete Job/shop/a'])
  })

  test('stopped before the first operation: nothing is done at all', async () => {
    const given = scene()
    given.stopAfter(0, 'cancelled')
    await given.clock.advance(0)
    const { result } = await given.run(planOf(endless))
    expect([result, given.cluster.requestCount()]).toEqual(['cancelled', 0])
  })

  test('stopped when all is done: the run has succeeded', async () => {
    const given = scene()
    given.cluster.statusWhenApplied({ name: 'web' }, 1_000, deploymentReady)
    given.stopAfter(60_000, 'timeout')
    const plan = planOf(stage('main', [[apply('Deployment/web')], [awaits('Deployment/web')]]))
    const { result } = await given.run(plan, { contents: { 'Deployment/web': webSpec } })
    expect([result, given.cluster.object(refTo('Deployment/web')) === undefined]).toEqual(['succeeded', false])
  })

  test('leaves no watch open, no log followed and no timer set', async () => {
    const given = scene()
    given.stopAfter(60_000, 'cancelled')
    given.cluster.whenApplied({ name: 'a' }, 1_000, (made) =>
      given.cluster.put(
        objectOf('Pod/a-1', {
          metadata: {
            ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'a', uid: made.metadata.uid ?? '' }],
          },
          status: { phase: 'Running', containerStatuses: [{ name: 'main', restartCount: 0, state: { running: {} } }] },
        }),
      ),
    )
    await given.run(planOf(endless))
    expect([given.cluster.openWatches(), given.cluster.openFollowers(), given.clock.pending()]).toEqual([0, 0, 0])
    expect(given.cluster.requests.some(({ verb }) => verb === 'follow-log')).toBe(true)
  })
})
