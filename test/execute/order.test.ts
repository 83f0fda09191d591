import { describe, expect, test } from 'vitest'
import { apply, awaits, deletes, planOf, stage } from '../doubles/plans.ts'
import { deploymentReady, jobComplete, scene, told, webSpec } from './run-plan.ts'

describe('order', () => {
  test('nothing of a later group starts before the earlier group is ready', async () => {
    const given = scene()
    given.cluster.statusWhenApplied({ name: 'db' }, 5_000, deploymentReady)
    given.cluster.statusWhenApplied({ name: 'web' }, 1_000, deploymentReady)
    const plan = planOf(
      stage(
        'main',
        [[apply('Deployment/db')], [awaits('Deployment/db')]],
        [[apply('Deployment/web')], [awaits('Deployment/web')]],
      ),
    )
    const result = await given.run(plan, { contents: { 'Deployment/db': webSpec, 'Deployment/web': webSpec } })
    expect(result).toEqual({ result: 'succeeded', hookRuns: [] })
    expect(told(given, 'operation-started', 'operation-finished')).toEqual([
      '0s operation-started main/apply/Deployment/shop/db',
      '0s operation-finished main/apply/Deployment/shop/db succeeded',
      '0s operation-started main/await/Deployment/shop/db',
      expect.stringMatching(/^5s operation-finished main\/await\/Deployment\/shop\/db/),
      '5s operation-started main/apply/Deployment/shop/web',
      '5s operation-finished main/apply/Deployment/shop/web succeeded',
      '5s operation-started main/await/Deployment/shop/web',
      expect.stringMatching(/^6s operation-finished main\/await\/Deployment\/shop\/web/),
    ])
    const appliedAtMs = given.cluster.requests.filter(({ verb }) => verb === 'apply').map(({ atMs }) => atMs)
    expect((appliedAtMs[1] ?? 0) - (appliedAtMs[0] ?? 0)).toBe(5_000)
  })

  test('a rank starts when every operation of the rank before is done, its members in parallel', async () => {
    const given = scene()
    given.cluster.slowWhen({ verb: 'apply', name: 'slow' }, 3_000)
    given.cluster.slowWhen({ verb: 'apply', name: 'quick' }, 1_000)
    await given.run(
      planOf(stage('main', [[apply('ConfigMap/slow'), apply('ConfigMap/quick')], [apply('Secret/next')]])),
    )
    expect(told(given, 'operation-started', 'operation-finished')).toEqual([
      '0s operation-started main/apply/ConfigMap/shop/slow',
      '0s operation-started main/apply/ConfigMap/shop/quick',
      '1s operation-finished main/apply/ConfigMap/shop/quick succeeded',
      '3s operation-finished main/apply/ConfigMap/shop/slow succeeded',
      '3s operation-started main/apply/Secret/shop/next',
      '3s operation-finished main/apply/Secret/shop/next succeeded',
    ])
  })

  test('helm-3-chart-hooks: a hook starts when the one before it has finished', async () => {
    const given = scene()
    given.cluster.statusWhenApplied({ kind: 'Job' }, 2_000, jobComplete)
    const hook = 'pre-upgrade'
    const one = (name: string) => [
      [apply(`Job/${name}`, { hook })],
      [awaits(`Job/${name}`, { hook, until: 'complete' })],
    ]
    const result = await given.run(planOf(stage('pre', [...one('a'), ...one('b')])))
    const startMs = given.events[0]?.atMs ?? 0
    expect(
      result.hookRuns.map(({ ref, startedAtMs, completedAtMs = 0, phase }) => [
        ref.name,
        startedAtMs - startMs,
        completedAtMs - startMs,
        phase,
      ]),
    ).toEqual([
      ['a', 0, 2_000, 'Succeeded'],
      ['b', 2_000, 4_000, 'Succeeded'],
    ])
  })

  test('a hook without an await has finished once it is applied', async () => {
    const given = scene()
    const { hookRuns } = await given.run(planOf(stage('pre', [[apply('Secret/a', { hook: 'pre-install' })]])))
    expect(hookRuns).toEqual([
      {
        ref: { apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 'a' },
        event: 'pre-install',
        startedAtMs: given.clock.now(),
        completedAtMs: given.clock.now(),
        phase: 'Succeeded',
      },
    ])
  })

  test('tells stages and groups around their operations', async () => {
    const given = scene()
    await given.run(planOf(stage('crds', [[apply('ConfigMap/a')]]), stage('main', [[apply('ConfigMap/b')]], [[]])))
    expect(told(given, 'stage-started', 'stage-finished', 'group-started', 'group-finished')).toEqual([
      '0s stage-started crds',
      '0s group-started crds',
      '0s group-finished crds succeeded',
      '0s stage-finished crds succeeded',
      '0s stage-started main',
      '0s group-started main',
      '0s group-finished main succeeded',
      '0s group-started main',
      '0s group-finished main succeeded',
      '0s stage-finished main succeeded',
    ])
  })

  test('a deletion phase starts when what the phase before deleted is absent', async () => {
    const given = scene()
    for (const name of ['a', 'b'])
      given.cluster.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' } })
    given.cluster.delayDeletion({ name: 'a' }, 7_000)
    await given.run(planOf(stage('delete', [[deletes('ConfigMap/a')]], [[deletes('ConfigMap/b')]])))
    expect(told(given, 'operation-started')).toEqual([
      '0s operation-started delete/delete/ConfigMap/shop/a',
      '7s operation-started delete/delete/ConfigMap/shop/b',
    ])
  })
})
