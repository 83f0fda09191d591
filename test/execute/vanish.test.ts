import { describe, expect, test } from 'vitest'
import type { Plan } from '../../src/model/plan.ts'
import { apply, awaits, objectOf, planOf, refTo, stage } from '../doubles/plans.ts'
import { deploymentReady, jobComplete, jobFailed, scene, told, webSpec } from './run-plan.ts'

const contents = { 'Deployment/web': webSpec }
const hookJob: Plan = planOf(
  stage('pre', [
    [apply('Job/a', { hook: 'pre-install' })],
    [awaits('Job/a', { hook: 'pre-install', until: 'complete' })],
  ]),
)

describe('what a watch shows late or no more', () => {
  test('a watch that still shows the object before our write does not make it ready', async () => {
    const given = scene()
    given.cluster.put(objectOf('Deployment/web', { ...webSpec, status: deploymentReady }))
    given.cluster.setWatchDelay(3_000)
    const changed = { spec: { ...webSpec.spec, paused: false } }
    given.cluster.statusWhenApplied({ name: 'web' }, 8_000, { ...deploymentReady, observedGeneration: 2 })
    const plan = planOf(
      stage('pre', [[awaits('Deployment/web')]]),
      stage('main', [[apply('Deployment/web', { change: 'update' })], [awaits('Deployment/web')]]),
    )
    await given.run(plan, { contents: { 'Deployment/web': changed } })
    expect(told(given, 'operation-finished').at(-1)).toMatch(/^11s /)
  })

  test('a Job that vanishes is judged by the last status seen', async () => {
    const given = scene()
    given.cluster.whenApplied({ name: 'a' }, 1_000, () => {
      given.cluster.setStatus(refTo('Job/a'), jobComplete)
      given.cluster.remove(refTo('Job/a'))
    })
    const { result } = await given.run(hookJob)
    expect(result).toBe('succeeded')
  })

  test('a Job that failed and vanished has failed', async () => {
    const given = scene()
    given.cluster.whenApplied({ name: 'a' }, 1_000, () => {
      given.cluster.setStatus(refTo('Job/a'), jobFailed)
      given.cluster.remove(refTo('Job/a'))
    })
    const { failure } = await given.run(hookJob)
    expect(failure).toMatchObject({ reason: 'hook-failed', message: 'Job has reached the specified backoff limit' })
  })

  test('a Job of another group that vanishes is not judged by the last status seen', async () => {
    const given = scene()
    const ref = { ...refTo('Job/a'), apiVersion: 'batch.example.com/v1' }
    const status = (isReady: string) => ({ conditions: [{ type: 'Ready', status: isReady }] })
    given.cluster.statusWhenApplied({ name: 'a' }, 0, status('False'))
    given.cluster.whenApplied({ name: 'a' }, 1_000, () => {
      given.cluster.setStatus(ref, status('True'))
      given.cluster.remove(ref)
    })
    const plan = planOf(stage('main', [[{ ...apply('Job/a'), ref }], [{ ...awaits('Job/a'), ref }]]))
    const bodies = new Map([['main/apply/Job/shop/a', { ...objectOf('Job/a'), apiVersion: ref.apiVersion }]])
    const { failure } = await given.run(plan, { bodies })
    expect(failure?.message).toBe('it was deleted before its result was seen')
  })

  test('a finished Job of main that is being deleted counts by its result', async () => {
    const given = scene()
    given.cluster.whenApplied({ name: 'a' }, 1_000, (made) => {
      const metadata = {
        ...made.metadata,
        deletionTimestamp: '2026-01-01T00:00:01Z',
        finalizers: ['foregroundDeletion'],
      }
      given.cluster.put({ ...made, metadata, status: jobComplete })
    })
    const { result } = await given.run(planOf(stage('main', [[apply('Job/a')], [awaits('Job/a')]])))
    expect(result).toBe('succeeded')
  })

  test('a Job that vanishes before its result was seen is an explicit error, not a hang', async () => {
    const given = scene()
    given.cluster.whenApplied({ name: 'a' }, 5_000, () => given.cluster.remove(refTo('Job/a')))
    const { failure } = await given.run(hookJob)
    expect(failure).toMatchObject({
      reason: 'hook-failed',
      message: 'it was deleted before its result was seen',
      readiness: { code: 'absent' },
    })
    expect(told(given, 'operation-finished').at(-1)).toMatch(/^5s /)
  })

  test('a Job that is gone before any watch saw it is an explicit error too', async () => {
    const given = scene()
    given.cluster.slowWhen({ verb: 'watch' }, 1_000)
    given.cluster.whenApplied({ name: 'a' }, 500, () => given.cluster.remove(refTo('Job/a')))
    const { failure } = await given.run(hookJob)
    expect(failure?.message).toBe('it was deleted before its result was seen')
  })

  test('an object that the watch does not show yet is asked for, and waited for where it is there', async () => {
    const given = scene()
    given.cluster.setWatchDelay(5_000)
    given.cluster.statusWhenApplied({ name: 'web' }, 1_000, deploymentReady)
    given.cluster.put(objectOf('Deployment/other'))
    const early = planOf(
      stage('main', [
        [apply('ConfigMap/slow'), awaits('Deployment/other', { until: 'readable' })],
        [apply('Deployment/web')],
        [awaits('Deployment/web')],
      ]),
    )
    const { result } = await given.run(early, { contents })
    expect(result).toBe('succeeded')
  })
})
