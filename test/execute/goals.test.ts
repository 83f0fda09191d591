import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/model/object.ts'
import type { ServedKind } from '../../src/model/served.ts'
import { apply, awaits, objectOf, planOf, refTo, stage } from '../doubles/plans.ts'
import { deploymentReady, jobComplete, jobFailed, scene, told, webSpec } from './run-plan.ts'

describe('goals of an await', () => {
  test('an external dependency is waited for until it exists and is ready', async () => {
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

  test('properties are waited for as the text that client-go prints', async () => {
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

  test('Helm 2, test-failure: a Job that gave up is what was asked for; one that ends well fails the test', async () => {
    const plan = planOf(stage('test', [[apply('Job/check')], [awaits('Job/check', { until: 'failed' })]]))
    const endOf = async (status: JsonObject) => {
      const given = scene()
      given.cluster.statusWhenApplied({ kind: 'Job' }, 1_000, status)
      const { result, failure } = await given.run(plan)
      return [result, failure?.reason, failure?.readiness?.code]
    }
    expect(await endOf(jobFailed)).toEqual(['succeeded', undefined, undefined])
    expect(await endOf(jobComplete)).toEqual(['failed', 'test-failed', 'no-failure'])
  })

  test('Helm 2, test-failure: a Pod that cannot start has not failed as asked for', async () => {
    const waiting = { name: 'main', ready: false, restartCount: 0, state: { waiting: { reason: 'InvalidImageName' } } }
    const plan = planOf(stage('test', [[apply('Pod/check')], [awaits('Pod/check', { until: 'failed' })]]))
    const given = scene()
    given.cluster.statusWhenApplied({ kind: 'Pod' }, 1_000, { phase: 'Pending', containerStatuses: [waiting] })
    given.stopAfter(600_000, 'timeout')
    const { result, failure } = await given.run(plan)
    expect([result, failure?.readiness]).toMatchObject(['failed', { code: 'pod', problem: 'InvalidImageName' }])
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

  test('what stays unknown lets the run go on, with a note', async () => {
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
})

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
    hasStatus: true,
    isPreferred: true,
  }
}
