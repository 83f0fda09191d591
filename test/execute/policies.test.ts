import { describe, expect, test } from 'vitest'
import { apiError } from '../doubles/fake-cluster.ts'
import { apply, awaits, deletes, objectOf, planOf, refTo, stage } from '../doubles/plans.ts'
import { jobComplete, jobFailed, scene } from './run-plan.ts'

const hook = 'pre-upgrade'
const job = (name: string) => [[apply(`Job/${name}`, { hook })], [awaits(`Job/${name}`, { hook, until: 'complete' })]]
const policy = (target: string, onlyIf: 'succeeded' | 'failed') =>
  deletes(target, { hook, onlyIf, reason: { code: 'delete-policy' }, id: `delete-if-${onlyIf}/${target}` })

describe('delete policies after a failure', () => {
  test('hook-failed deletes the failed hook, after its logs and events have been read', async () => {
    const given = scene()
    const plan = planOf(stage('pre', [...job('a'), [policy('Job/a', 'failed')]]))
    given.cluster.statusWhenApplied({ name: 'a' }, 1_000, jobFailed)
    given.cluster.whenApplied({ name: 'a' }, 500, (made) => given.cluster.put(podOf('a-1', made.metadata.uid ?? '')))
    given.cluster.addLog('a-1', 'main', 'cannot reach the database')
    const { failure } = await given.run(plan)
    expect(failure).toMatchObject({ reason: 'hook-failed', readiness: { code: 'condition' } })
    const order = given.cluster.requests.map(({ verb }) => verb)
    expect(order.lastIndexOf('log')).toBeLessThan(order.indexOf('delete'))
    const evidence = given.events.find((event) => event.type === 'evidence')
    expect(evidence).toMatchObject({
      evidence: { pods: [{ containers: [{ logTail: ['cannot reach the database'] }] }] },
    })
    expect(given.cluster.object(refTo('Job/a'))).toBeUndefined()
  })

  test('hook-succeeded of earlier hooks is carried out although a later hook failed', async () => {
    const given = scene()
    given.cluster.statusWhenApplied({ name: 'a' }, 1_000, jobComplete)
    given.cluster.statusWhenApplied({ name: 'b' }, 1_000, jobFailed)
    const rbac = [[apply('ServiceAccount/a', { hook })]]
    const cleanup = [
      [policy('Job/c', 'succeeded')],
      [policy('Job/b', 'succeeded')],
      [policy('Job/a', 'succeeded')],
      [policy('ServiceAccount/a', 'succeeded')],
    ]
    await given.run(planOf(stage('pre', [...rbac, ...job('a'), ...job('b'), ...job('c'), ...cleanup])))
    expect(given.cluster.writes()).toEqual([
      'apply ServiceAccount/shop/a',
      'apply Job/shop/a',
      'apply Job/shop/b',
      'delete Job/shop/a',
      'delete ServiceAccount/shop/a',
    ])
  })

  test('logs of a hook that succeeded are read too before it is deleted after a failure', async () => {
    const given = scene()
    given.cluster.statusWhenApplied({ name: 'a' }, 1_000, jobComplete)
    given.cluster.statusWhenApplied({ name: 'b' }, 1_000, jobFailed)
    await given.run(planOf(stage('pre', [...job('a'), ...job('b'), [policy('Job/a', 'succeeded')]])))
    const about = given.events.flatMap((event) => (event.type === 'evidence' ? [event.evidence.ref.name] : []))
    expect(about).toEqual(['b', 'a'])
  })

  test('after a failure only deletes with a fitting onlyIf run, and only those of that stage', async () => {
    const given = scene()
    given.cluster.put(objectOf('ConfigMap/x'))
    given.cluster.put(objectOf('ConfigMap/y'))
    given.cluster.failWhen({ verb: 'apply', name: 'bad' }, apiError('Forbidden'))
    const plan = planOf(
      stage('main', [[apply('ConfigMap/bad')], [deletes('ConfigMap/x')]]),
      stage('post', [[deletes('ConfigMap/y', { onlyIf: 'failed' })]]),
    )
    await given.run(plan)
    expect(given.cluster.writes()).toEqual(['apply ConfigMap/shop/bad'])
  })

  test('where the apply itself failed no policy deletes what stands there', async () => {
    const given = scene()
    given.cluster.put(objectOf('Job/a', { metadata: { labels: { of: 'somebody else' } } }))
    given.cluster.failWhen({ verb: 'apply' }, apiError('Conflict'))
    await given.run(planOf(stage('pre', [...job('a'), [policy('Job/a', 'failed')]])))
    expect(given.cluster.object(refTo('Job/a'))).toBeDefined()
  })

  test('a failing cleanup never masks the first error', async () => {
    const given = scene()
    given.cluster.statusWhenApplied({ name: 'a' }, 1_000, jobFailed)
    given.cluster.failWhen({ verb: 'delete' }, apiError('Forbidden'))
    const { failure } = await given.run(planOf(stage('pre', [...job('a'), [policy('Job/a', 'failed')]])))
    expect(failure?.reason).toBe('hook-failed')
  })
})

function podOf(name: string, owner: string) {
  return objectOf(`Pod/${name}`, {
    metadata: { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'a', uid: owner }] },
    status: {
      phase: 'Failed',
      containerStatuses: [{ name: 'main', restartCount: 0, state: { terminated: { exitCode: 1, reason: 'Error' } } }],
    },
  })
}
