import { describe, expect, test } from 'vitest'
import type { KubeObject } from '../../src/model/object.ts'
import { apiError } from '../doubles/fake-cluster.ts'
import { apply, awaits, objectOf, planOf, stage, tracking } from '../doubles/plans.ts'
import { deploymentReady, scene, told, webSpec } from './run-plan.ts'

const contents = { 'Deployment/web': webSpec }
const web = planOf(stage('main', [[apply('Deployment/web')], [awaits('Deployment/web')]]))

describe('await', () => {
  test('waits by watch, not by polling: no request is repeated while time passes', async () => {
    const given = scene()
    given.cluster.statusWhenApplied({ name: 'web' }, 590_000, deploymentReady)
    await given.run(web, { contents })
    expect(given.cluster.requests.map(({ verb, query }) => [verb, query?.kind].join(' '))).toEqual([
      'apply ',
      'watch Deployment',
      'watch ReplicaSet',
      'watch Pod',
      'discovery ',
    ])
  })

  test('tells why it goes on when the reason changes, and at least every 30 s', async () => {
    const given = scene()
    given.cluster.statusWhenApplied({ name: 'web' }, 40_000, { ...deploymentReady, availableReplicas: 0 })
    given.cluster.statusWhenApplied({ name: 'web' }, 75_000, deploymentReady)
    await given.run(web, { contents })
    expect(told(given, 'progress').map((line) => line.split(' ')[0])).toEqual(['0s', '30s', '40s', '70s'])
  })

  test('no activity for as long as the annotation allows fails it', async () => {
    const given = scene()
    const impatient = { tracking: { ...tracking, noActivitySeconds: 20 } }
    given.cluster.statusWhenApplied({ name: 'web' }, 15_000, { ...deploymentReady, availableReplicas: 0 })
    const plan = planOf(stage('main', [[apply('Deployment/web')], [awaits('Deployment/web', impatient)]]))
    const { failure } = await given.run(plan, { contents })
    expect(failure?.reason).toBe('not-ready')
    expect(told(given, 'operation-finished').at(-1)).toMatch(/^35s /)
  })

  test('where the namespace may not be listed, only this name is watched', async () => {
    const given = scene()
    given.cluster.failWhen({ verb: 'watch', kind: 'Deployment', withoutFieldSelector: true }, apiError('Forbidden'))
    given.cluster.statusWhenApplied({ name: 'web' }, 1_000, deploymentReady)
    const { result } = await given.run(web, { contents })
    const watches = given.cluster.requests
      .map(({ query }) => query?.fieldSelector)
      .filter((selector) => selector !== undefined)
    expect([result, watches]).toEqual(['succeeded', ['metadata.name=web']])
  })

  test.each([
    ['Forbidden', 403, 'cannot list resource "deployments"'],
    ['Unauthorized', 401, 'the credentials of the kubeconfig have expired'],
  ])('a watch that ends with %s after the wait began fails the wait with that', async (reason, status, message) => {
    const given = scene()
    given.clock.schedule(20_000, () =>
      given.cluster.refuseWatches('Deployment', 'failed', apiError(reason, { status, message })),
    )
    const { failure } = await given.run(web, { contents })
    expect(failure).toMatchObject({ reason: 'forbidden', message, operationId: expect.stringContaining('web') })
    expect(told(given, 'operation-finished').at(-1)).toMatch(/^20s /)
  })

  test('where only listing is allowed, that is said once', async () => {
    const given = scene()
    const refusal = apiError('Forbidden', { message: 'cannot watch resource "deployments"' })
    given.clock.schedule(10_000, () => given.cluster.refuseWatches('Deployment', 'polled', refusal))
    given.clock.schedule(20_000, () => given.cluster.refuseWatches('Deployment', 'polled', refusal))
    given.cluster.statusWhenApplied({ name: 'web' }, 30_000, deploymentReady)
    const { result } = await given.run(web, { contents })
    const warnings = given.events.flatMap((event) => (event.type === 'warning' ? [event.message] : []))
    expect([result, warnings]).toEqual([
      'succeeded',
      [
        'Deployment objects in shop may not be watched, so they are listed every few seconds: cannot watch resource "deployments"',
      ],
    ])
  })

  test('where nothing may be watched, the failure says which right is missing', async () => {
    const given = scene()
    given.cluster.failWhen({ verb: 'watch' }, apiError('Forbidden', { message: 'cannot list resource "deployments"' }))
    const { failure } = await given.run(web, { contents })
    expect(failure).toMatchObject({ reason: 'forbidden', doing: 'wait for readiness' })
    expect(failure?.hint).toBeDefined()
    expect(given.cluster.openWatches()).toBe(0)
  })

  test('the next group goes on with the watches of the group before', async () => {
    const given = scene()
    given.cluster.statusWhenApplied({ kind: 'Deployment' }, 1_000, deploymentReady)
    const one = (name: string) => [[apply(`Deployment/${name}`)], [awaits(`Deployment/${name}`)]]
    const plan = planOf(stage('main', one('a'), one('b')), stage('post', one('c')))
    await given.run(plan, { contents: { 'Deployment/a': webSpec, 'Deployment/b': webSpec, 'Deployment/c': webSpec } })
    expect(given.cluster.requests.filter(({ verb }) => verb === 'watch')).toHaveLength(3)
  })

  test('where pods may not be listed, readiness goes by the object alone, and that is said once', async () => {
    const given = scene()
    given.cluster.failWhen({ verb: 'watch', kind: 'Pod' }, apiError('Forbidden'))
    given.cluster.statusWhenApplied({ name: 'web' }, 1_000, deploymentReady)
    const again = stage('post', [[awaits('Deployment/web')]])
    const { result } = await given.run({ ...web, stages: [...web.stages, again] }, { contents })
    expect(result).toBe('succeeded')
    expect(given.events.filter(({ type }) => type === 'warning')).toMatchObject([
      { message: expect.stringContaining('Pod objects in shop cannot be watched') },
    ])
    expect(given.cluster.openWatches()).toBe(0)
  })

  test('pods count only where the object owns them, directly or through another', async () => {
    const given = scene()
    given.cluster.statusWhenApplied({ name: 'web' }, 500, { observedGeneration: 1 })
    given.cluster.whenApplied({ name: 'web' }, 1_000, (made) => {
      const set = given.cluster.put(owned(objectOf('ReplicaSet/web-1'), made))
      given.cluster.put(owned(objectOf('Pod/web-1-x', { status: cannotStart }), set))
    })
    given.cluster.put(
      owned(
        objectOf('Pod/stranger', { status: cannotStart }),
        objectOf('ReplicaSet/other', { metadata: { uid: 'x' } }),
      ),
    )
    const { failure } = await given.run(web, { contents })
    expect(failure).toMatchObject({ reason: 'not-ready', readiness: { code: 'pod', pod: 'web-1-x' } })
  })
})

/** No retry can help an image whose name is not one. */
const cannotStart = {
  phase: 'Pending',
  containerStatuses: [
    { name: 'main', restartCount: 0, state: { waiting: { reason: 'InvalidImageName', message: 'bad' } } },
  ],
}

function owned(object: KubeObject, by: KubeObject): KubeObject {
  const owner = { apiVersion: by.apiVersion, kind: by.kind, name: by.metadata.name ?? '', uid: by.metadata.uid ?? '' }
  return { ...object, metadata: { ...object.metadata, ownerReferences: [owner] } }
}
