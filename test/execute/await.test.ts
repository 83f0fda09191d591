import { describe, expect, test } from 'vitest'
import type { KubeObject } from '../../src/model/object.ts'
import type { Plan } from '../../src/model/plan.ts'
import type { ServedKind } from '../../src/model/served.ts'
import { apiError } from '../doubles/fake-cluster.ts'
import { apply, awaits, objectOf, planOf, refTo, stage, tracking } from '../doubles/plans.ts'
import { deploymentReady, jobComplete, jobFailed, scene, told, webSpec } from './run-plan.ts'

const contents = { 'Deployment/web': webSpec }
const web = planOf(stage('main', [[apply('Deployment/web')], [awaits('Deployment/web')]]))
const hookJob: Plan = planOf(
  stage('pre', [
    [apply('Job/a', { hook: 'pre-install' })],
    [awaits('Job/a', { hook: 'pre-install', until: 'complete' })],
  ]),
)

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

  test('a shared watch that calls back for every object of the namespace does not make it look each time', async () => {
    const given = scene()
    given.cluster.statusWhenApplied({ name: 'web' }, 10_000, deploymentReady)
    for (let ms = 1_000; ms < 2_000; ms += 10) {
      given.clock.schedule(ms, () => given.cluster.put(objectOf('Deployment/other', { spec: { ms } })))
    }
    await given.run(web, { contents })
    expect(given.clock.now() - (given.events[0]?.atMs ?? 0)).toBe(10_000)
  })

  test('P-13: a watch that still shows the object before our write does not make it ready', async () => {
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

  test('design 4.4: an external dependency is waited for until it exists and is ready', async () => {
    const given = scene()
    given.clock.schedule(60_000, () => given.cluster.put(objectOf('Deployment/db', webSpec)))
    given.clock.schedule(90_000, () => given.cluster.setStatus(refTo('Deployment/db'), deploymentReady))
    const { result } = await given.run(
      planOf(stage('main', [[awaits('Deployment/db', { isExternal: true })], [apply('ConfigMap/a')]])),
    )
    expect(result).toBe('succeeded')
    expect(told(given, 'progress')[0]).toContain('{"code":"absent"}')
    expect(told(given, 'operation-started').at(-1)).toBe('90s operation-started main/apply/ConfigMap/shop/a')
  })

  test('design 4.5: a Job that vanishes is judged by the last status seen', async () => {
    const given = scene()
    given.cluster.whenApplied({ name: 'a' }, 1_000, () => {
      given.cluster.setStatus(refTo('Job/a'), jobComplete)
      given.cluster.remove(refTo('Job/a'))
    })
    const { result } = await given.run(hookJob)
    expect(result).toBe('succeeded')
  })

  test('design 4.5: a Job that failed and vanished has failed', async () => {
    const given = scene()
    given.cluster.whenApplied({ name: 'a' }, 1_000, () => {
      given.cluster.setStatus(refTo('Job/a'), jobFailed)
      given.cluster.remove(refTo('Job/a'))
    })
    const { failure } = await given.run(hookJob)
    expect(failure).toMatchObject({ reason: 'hook-failed', message: 'Job has reached the specified backoff limit' })
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

  test('P-14: a Job that vanishes before its result was seen is an explicit error, not a hang', async () => {
    const given = scene()
    given.cluster.whenApplied({ name: 'a' }, 5_000, () => given.cluster.remove(refTo('Job/a')))
    const { failure } = await given.run(hookJob)
    expect(failure).toMatchObject({
      reason: 'hook-failed',
      message: 'it was gone before its result was seen',
      readiness: { code: 'absent' },
    })
    expect(told(given, 'operation-finished').at(-1)).toMatch(/^5s /)
  })

  test('a Job that is gone before any watch saw it is an explicit error too', async () => {
    const given = scene()
    given.cluster.slowWhen({ verb: 'watch' }, 1_000)
    given.cluster.whenApplied({ name: 'a' }, 500, () => given.cluster.remove(refTo('Job/a')))
    const { failure } = await given.run(hookJob)
    expect(failure?.message).toBe('it was gone before its result was seen')
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

  test('other-dialects 1: properties are waited for as the text that client-go prints', async () => {
    const given = scene()
    given.cluster.put(objectOf('Deployment/db', { spec: { replicas: 3 } }))
    given.clock.schedule(4_000, () => given.cluster.setStatus(refTo('Deployment/db'), { phase: 'Running', count: 3 }))
    const properties = [
      { path: '.status.phase', value: 'Running' },
      { path: '.status.count', value: '3' },
    ]
    const { result } = await given.run(
      planOf(stage('main', [[awaits('Deployment/db', { until: 'properties', properties })]])),
    )
    expect(result).toBe('succeeded')
    expect(told(given, 'progress')).toEqual([
      '0s progress main/await/Deployment/shop/db {"code":"property","path":".status.phase","have":null,"want":"Running"}',
    ])
  })

  test('readable: it is enough that the object is there', async () => {
    const given = scene()
    given.clock.schedule(2_000, () => given.cluster.put(objectOf('Deployment/db')))
    const plan = planOf(stage('main', [[awaits('Deployment/db', { until: 'readable', isExternal: true })]]))
    await given.run(plan)
    expect(told(given, 'operation-finished')[0]).toMatch(/^2s .* succeeded/)
  })

  test('established: until the API server serves every version of the CRD', async () => {
    const given = scene()
    const crd = 'CustomResourceDefinition/widgets.example.com'
    const names = { kind: 'Widget', plural: 'widgets' }
    const spec = {
      group: 'example.com',
      names,
      versions: [
        { name: 'v1', served: true },
        { name: 'v0', served: false },
      ],
    }
    const conditions = [
      { type: 'NamesAccepted', status: 'True' },
      { type: 'Established', status: 'True' },
    ]
    given.cluster.statusWhenApplied({ kind: 'CustomResourceDefinition' }, 1_000, { conditions })
    given.clock.schedule(3_500, () =>
      given.cluster.setDiscovery({ kinds: [served('example.com', 'v1', 'Widget')], failed: [] }),
    )
    const plan = planOf(stage('crds', [[apply(crd)], [awaits(crd, { until: 'established' })]]))
    const { result } = await given.run(plan, { contents: { [crd]: { spec } } })
    expect(result).toBe('succeeded')
    expect(told(given, 'operation-finished').at(-1)).toMatch(/^4s /)
    const asked = given.cluster.requests
      .filter(({ verb }) => verb === 'discovery')
      .map(({ atMs }) => atMs - given.clock.now())
    expect(asked).toEqual([-4_000, -3_000, -2_000, -1_000, 0])
  })

  test('established: names that are not accepted give crd-not-established', async () => {
    const given = scene()
    const crd = 'CustomResourceDefinition/widgets.example.com'
    const conditions = [{ type: 'NamesAccepted', status: 'False', reason: 'Conflict', message: 'taken by another' }]
    given.cluster.statusWhenApplied({ kind: 'CustomResourceDefinition' }, 1_000, { conditions })
    given.stopAfter(600_000, 'timeout')
    const plan = planOf(stage('crds', [[apply(crd)], [awaits(crd, { until: 'established' })]]))
    const { failure } = await given.run(plan, { contents: { [crd]: { spec: { group: 'example.com' } } } })
    expect(failure).toMatchObject({ reason: 'crd-not-established', stage: 'crds' })
  })

  test('design 4.12: what stays unknown lets the run go on, with a note', async () => {
    const given = scene()
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', namespace: 'shop', name: 'a' }
    given.cluster.setDiscovery({ kinds: [served('example.com', 'v1', 'Widget')], failed: [] })
    given.cluster.put({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a', namespace: 'shop' } })
    const plan = planOf(stage('main', [[{ ...awaits('Pod/a'), ref: widget }]]))
    const { result } = await given.run(plan)
    expect(result).toBe('succeeded')
    expect(told(given, 'operation-finished')[0]).toMatch(/^10s /)
    expect(given.events.find(({ type }) => type === 'operation-finished')).toMatchObject({ note: expect.any(String) })
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

  test('where nothing may be watched, the failure says which right is missing', async () => {
    const given = scene()
    given.cluster.failWhen({ verb: 'watch' }, apiError('Forbidden', { message: 'cannot list resource "deployments"' }))
    const { failure } = await given.run(web, { contents })
    expect(failure).toMatchObject({ reason: 'forbidden', doing: 'wait for readiness', hint: expect.any(String) })
    expect(given.cluster.openWatches()).toBe(0)
  })

  test('where pods may not be listed, readiness goes by the object alone, and that is said', async () => {
    const given = scene()
    given.cluster.failWhen({ verb: 'watch', kind: 'Pod' }, apiError('Forbidden'))
    given.cluster.statusWhenApplied({ name: 'web' }, 1_000, deploymentReady)
    const { result } = await given.run(web, { contents })
    expect(result).toBe('succeeded')
    expect(given.events.find(({ type }) => type === 'warning')).toMatchObject({
      message: expect.stringContaining('Pod'),
    })
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

function served(group: string, version: string, kind: string): ServedKind {
  const resource = `${kind.toLowerCase()}s`
  return {
    group,
    version,
    kind,
    resource,
    singular: kind.toLowerCase(),
    shortNames: [],
    isNamespaced: true,
    verbs: ['get', 'list', 'watch'],
    hasStatus: true,
    isPreferred: true,
  }
}
