import { describe, expect, test } from 'vitest'
import { refKey } from '../../src/model/ref.ts'
import { hintText } from '../../src/report/words/hint-text.ts'
import { apiError } from '../doubles/fake-cluster.ts'
import { apply, deletes, objectOf, planOf, refTo, stage } from '../doubles/plans.ts'
import { scene, told } from './run-plan.ts'

const ref = refTo('ConfigMap/a')
const prune = (target = 'ConfigMap/a') => planOf(stage('prune', [[deletes(target)]]))

describe('delete', () => {
  test('what is gone already is a success, and nothing is written', async () => {
    const given = scene()
    const { result } = await given.run(prune())
    expect([result, given.cluster.writes()]).toEqual(['succeeded', []])
  })

  test('includes the absence: done when the finalizers are', async () => {
    const given = scene()
    given.cluster.put(objectOf('ConfigMap/a'))
    given.cluster.delayDeletion({ name: 'a' }, 65_000, 'example.com/busy')
    await given.run(prune())
    expect(given.cluster.object(ref)).toBeUndefined()
    expect(told(given, 'progress', 'operation-finished')).toEqual([
      '0s progress prune/delete/ConfigMap/shop/a {"code":"deleting","finalizers":["example.com/busy"]}',
      '30s progress prune/delete/ConfigMap/shop/a {"code":"deleting","finalizers":["example.com/busy"]}',
      '60s progress prune/delete/ConfigMap/shop/a {"code":"deleting","finalizers":["example.com/busy"]}',
      '65s operation-finished prune/delete/ConfigMap/shop/a succeeded',
    ])
  })

  test('waits by watch: no request is repeated while time passes', async () => {
    const given = scene()
    given.cluster.put(objectOf('ConfigMap/a'))
    given.cluster.delayDeletion({ name: 'a' }, 300_000)
    await given.run(prune())
    expect(given.cluster.requests.map(({ verb }) => verb)).toEqual(['get', 'delete', 'get', 'watch', 'get'])
  })

  test('refuses an object that is another one than the plan was made for', async () => {
    const given = scene()
    const seen = objectOf('ConfigMap/a', { metadata: { uid: 'the-old-one' } })
    given.cluster.put(objectOf('ConfigMap/a'))
    const { failure } = await given.run(prune(), { live: new Map([[refKey(ref), seen]]) })
    expect(failure).toMatchObject({ reason: 'conflict', doing: 'delete' })
    expect(failure?.hint && hintText(failure.hint)).toContain('run again')
    expect(given.cluster.object(ref)).toBeDefined()
  })

  test('deletes what this execution made, whatever planning saw', async () => {
    const given = scene()
    const seen = objectOf('ConfigMap/a', { metadata: { uid: 'the-old-one' } })
    const plan = planOf(stage('main', [[apply('ConfigMap/a')], [deletes('ConfigMap/a', { onlyIf: 'succeeded' })]]))
    const { result } = await given.run(plan, { live: new Map([[refKey(ref), seen]]) })
    expect([result, given.cluster.object(ref)]).toEqual(['succeeded', undefined])
  })

  test('an object of the same name that is recreated meanwhile counts as absence', async () => {
    const given = scene()
    given.cluster.put(objectOf('ConfigMap/a'))
    given.cluster.delayDeletion({ name: 'a' }, 2_000)
    given.cluster.slowWhen({ verb: 'get' }, 500)
    given.clock.schedule(2_700, () => given.cluster.put(objectOf('ConfigMap/a', { data: { by: 'another' } })))
    const { result } = await given.run(prune())
    expect([result, given.cluster.writes()]).toEqual(['succeeded', ['delete ConfigMap/shop/a']])
  })

  test('a watch that lags behind does not make absence too early', async () => {
    const given = scene()
    given.cluster.put(objectOf('ConfigMap/a'))
    given.cluster.delayDeletion({ name: 'a' }, 5_000)
    given.cluster.setWatchDelay(3_000)
    await given.run(prune())
    expect(told(given, 'operation-finished')).toEqual(['8s operation-finished prune/delete/ConfigMap/shop/a succeeded'])
  })

  test('where the kind is no longer served, its objects are gone', async () => {
    const given = scene()
    given.cluster.failWhen({ verb: 'get' }, apiError('NotServed', { status: 404 }))
    const { result } = await given.run(prune())
    expect([result, given.cluster.writes()]).toEqual(['succeeded', []])
  })

  test('no policy ever deletes a CRD', async () => {
    const given = scene()
    const target = 'CustomResourceDefinition/a'
    given.cluster.put(objectOf(target))
    const policy = deletes(target, { reason: { code: 'delete-policy' }, onlyIf: 'succeeded' })
    const { result } = await given.run(planOf(stage('pre', [[apply(target, { change: 'none' })], [policy]])))
    expect([result, given.cluster.writes()]).toEqual(['succeeded', []])
    expect(told(given, 'operation-finished')).toContain(
      '0s operation-finished pre/delete/CustomResourceDefinition/a skipped',
    )
  })

  test('a policy deletes what another group calls a CustomResourceDefinition', async () => {
    const given = scene()
    const ref = { apiVersion: 'example.com/v1', kind: 'CustomResourceDefinition', name: 'a' }
    given.cluster.put({ ...objectOf('CustomResourceDefinition/a'), apiVersion: ref.apiVersion })
    const policy = { ...deletes('CustomResourceDefinition/a', { reason: { code: 'delete-policy' } }), ref }
    await given.run(planOf(stage('pre', [[policy]])))
    expect(given.cluster.writes()).toEqual(['delete CustomResourceDefinition/a'])
  })

  test('onlyIf: skipped where its target ended otherwise', async () => {
    const given = scene()
    const plan = planOf(stage('pre', [[apply('ConfigMap/a')], [deletes('ConfigMap/a', { onlyIf: 'failed' })]]))
    await given.run(plan)
    expect(given.cluster.writes()).toEqual(['apply ConfigMap/shop/a'])
    expect(told(given, 'operation-finished').at(-1)).toBe('0s operation-finished pre/delete/ConfigMap/shop/a skipped')
  })

  test('where the namespace may not be listed, only this name is watched', async () => {
    const given = scene()
    given.cluster.put(objectOf('ConfigMap/a'))
    given.cluster.delayDeletion({ name: 'a' }, 1_000)
    given.cluster.failWhen({ verb: 'watch', withoutFieldSelector: true }, apiError('Forbidden'))
    const { result } = await given.run(prune())
    const watches = given.cluster.requests
      .filter(({ verb }) => verb === 'watch')
      .map(({ query }) => query?.fieldSelector)
    expect([result, watches, given.cluster.openWatches()]).toEqual(['succeeded', [undefined, 'metadata.name=a'], 0])
  })
})
