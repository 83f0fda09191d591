import { describe, expect, test } from 'vitest'
import { apiError } from '../doubles/fake-cluster.ts'
import { apply, awaits, deletes, objectOf, planOf, refTo, stage } from '../doubles/plans.ts'
import { deploymentReady, jobComplete, jobFailed, scene, told, webSpec } from './run-plan.ts'

const hook = 'pre-upgrade'

describe('failure', () => {
  test('the first failure stops everything: nothing further is started or waited for', async () => {
    const given = scene()
    given.cluster.statusWhenApplied({ name: 'bad' }, 3_000, jobFailed)
    const plan = planOf(
      stage(
        'main',
        [
          [apply('Job/bad'), apply('Deployment/slow')],
          [awaits('Job/bad'), awaits('Deployment/slow')],
        ],
        [[apply('ConfigMap/later')]],
      ),
      stage('post', [[apply('ConfigMap/last')]]),
    )
    const { result, failure } = await given.run(plan, { contents: { 'Deployment/slow': webSpec } })
    expect(result).toBe('failed')
    expect(failure).toMatchObject({
      reason: 'not-ready',
      doing: 'wait for readiness',
      ref: { kind: 'Job', name: 'bad' },
      stage: 'main',
      weight: 0,
      others: [{ ref: { kind: 'Deployment', name: 'slow' } }],
    })
    expect(told(given, 'operation-finished').slice(2)).toEqual([
      '3s operation-finished main/await/Deployment/shop/slow cancelled',
      '3s operation-finished main/await/Job/shop/bad failed',
      '3s operation-finished main/apply/ConfigMap/shop/later skipped',
    ])
    expect(given.cluster.writes()).toEqual(['apply Job/shop/bad', 'apply Deployment/shop/slow'])
    expect([given.cluster.openWatches(), given.clock.pending()]).toEqual([0, 0])
  })

  test('a wait that another failure ends is cancelled, not failed', async () => {
    const given = scene()
    given.cluster.statusWhenApplied({ name: 'bad' }, 3_000, jobFailed)
    const plan = planOf(
      stage('main', [
        [apply('Job/bad'), apply('Deployment/slow')],
        [awaits('Job/bad'), awaits('Deployment/slow')],
        [deletes('Deployment/slow', { onlyIf: 'failed' })],
      ]),
    )
    await given.run(plan, { contents: { 'Deployment/slow': webSpec } })
    const slow = given.events.findLast(
      (event) => event.type === 'operation-finished' && event.id.includes('await/Deployment'),
    )
    expect(slow).toMatchObject({ result: 'cancelled' })
    expect(given.cluster.object(refTo('Deployment/slow'))).toBeDefined()
  })

  test('a request that is on its way when another fails is awaited', async () => {
    const given = scene()
    given.cluster.failWhen({ verb: 'apply', name: 'bad' }, apiError('Forbidden'))
    given.cluster.slowWhen({ verb: 'apply', name: 'slow' }, 2_000)
    await given.run(planOf(stage('main', [[apply('ConfigMap/bad'), apply('ConfigMap/slow')]])))
    expect(given.cluster.object(refTo('ConfigMap/slow'))).toBeDefined()
    expect(told(given, 'operation-finished').at(-1)).toBe(
      '2s operation-finished main/apply/ConfigMap/shop/slow succeeded',
    )
  })

  test('a recreation does not go on to its apply when another fails meanwhile', async () => {
    const given = scene()
    given.cluster.put(objectOf('Job/old'))
    given.cluster.delayDeletion({ name: 'old' }, 5_000)
    given.cluster.slowWhen({ verb: 'apply', name: 'bad' }, 1_000)
    given.cluster.failWhen({ verb: 'apply', name: 'bad' }, apiError('Forbidden'))
    await given.run(planOf(stage('main', [[apply('Job/old', { change: 'recreate' }), apply('ConfigMap/bad')]])))
    expect(given.cluster.writes()).toEqual(['apply ConfigMap/shop/bad', 'delete Job/shop/old'])
  })

  test('others are only those that were not ready at that moment', async () => {
    const given = scene()
    given.cluster.statusWhenApplied({ name: 'good' }, 1_000, jobComplete)
    given.cluster.statusWhenApplied({ name: 'bad' }, 2_000, jobFailed)
    const plan = planOf(
      stage('main', [
        [apply('Job/good'), apply('Job/bad')],
        [awaits('Job/good'), awaits('Job/bad')],
      ]),
    )
    const { failure } = await given.run(plan)
    expect(failure).not.toHaveProperty('others')
  })

  test('a recreation of what is gone does not go on to its apply either when another has failed', async () => {
    const given = scene()
    given.cluster.slowWhen({ verb: 'get' }, 2_000)
    given.cluster.slowWhen({ verb: 'apply', name: 'bad' }, 1_000)
    given.cluster.failWhen({ verb: 'apply', name: 'bad' }, apiError('Forbidden'))
    await given.run(planOf(stage('main', [[apply('Job/gone', { change: 'recreate' }), apply('ConfigMap/bad')]])))
    expect(given.cluster.writes()).toEqual(['apply ConfigMap/shop/bad'])
  })

  test('fail-mode ignore: the run goes on', async () => {
    const given = scene()
    given.cluster.statusWhenApplied({ name: 'a' }, 1_000, jobFailed)
    const plan = planOf(
      stage('main', [[apply('Job/a')], [awaits('Job/a', { failure: 'ignore' })]], [[apply('ConfigMap/next')]]),
    )
    const { result } = await given.run(plan)
    expect([result, given.cluster.writes().at(-1)]).toEqual(['succeeded', 'apply ConfigMap/shop/next'])
  })

  test('fail-mode last: the stage goes on, and the run fails at its end', async () => {
    const given = scene()
    given.cluster.statusWhenApplied({ name: 'a' }, 1_000, jobFailed)
    const plan = planOf(
      stage('main', [[apply('Job/a')], [awaits('Job/a', { failure: 'last' })]], [[apply('ConfigMap/next')]]),
      stage('post', [[apply('ConfigMap/never')]]),
    )
    const { failure } = await given.run(plan)
    expect(failure).toMatchObject({ reason: 'not-ready', ref: { name: 'a' } })
    expect(given.cluster.writes()).toEqual(['apply Job/shop/a', 'apply ConfigMap/shop/next'])
    expect(told(given, 'stage-finished')).toEqual(['1s stage-finished main failed'])
  })

  test.each([
    ['pre', { hook }, 'hook-failed'],
    ['test', { hook: 'test' }, 'test-failed'],
    ['main', {}, 'not-ready'],
  ] as const)('a failed Job of stage %s gives the reason that belongs there', async (name, of, reason) => {
    const given = scene()
    given.cluster.statusWhenApplied({ name: 'a' }, 1_000, jobFailed)
    const plan = planOf(stage(name, [[apply('Job/a', of)], [awaits('Job/a', { ...of, until: 'complete' })]]))
    const { failure, hookRuns } = await given.run(plan)
    expect(failure?.reason).toBe(reason)
    expect(hookRuns.map(({ phase }) => phase)).toEqual('hook' in of ? ['Failed'] : [])
  })

  test('evidence of what stops the run is read, however much was ignored before', async () => {
    const given = scene()
    const ignored = Array.from({ length: 6 }, (_none, index) => `Job/${index}`)
    given.cluster.statusWhenApplied({ kind: 'Job' }, 1_000, jobFailed)
    const plan = planOf(
      stage('main', [ignored.map((name) => apply(name)), ignored.map((name) => awaits(name, { failure: 'ignore' }))]),
      stage('post', [[apply('Job/last')], [awaits('Job/last')]]),
    )
    await given.run(plan)
    const about = given.events.flatMap((event) => (event.type === 'evidence' ? [event.evidence.ref.name] : []))
    expect(about).toEqual(['0', '1', '2', '3', '4', 'last'])
  })

  test('evidence of what failed is told right before its verdict, also where nobody deletes it', async () => {
    const given = scene()
    given.cluster.statusWhenApplied({ name: 'web' }, 1_000, {
      ...deploymentReady,
      availableReplicas: 0,
      conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }],
    })
    await given.run(planOf(stage('main', [[apply('Deployment/web')], [awaits('Deployment/web')]])), {
      contents: { 'Deployment/web': webSpec },
    })
    expect(given.events.slice(-4).map(({ type }) => type)).toEqual([
      'evidence',
      'operation-finished',
      'group-finished',
      'stage-finished',
    ])
  })
})
