import { describe, expect, inject } from 'vitest'
import { type Api, at, type Json } from '../../../../src/tools/local/cluster/cluster-api.ts'
import { test } from '../../../cluster/fixture.ts'
import { isTrue, waitForObject } from '../../../cluster/namespace.ts'
import { annotations, claim, deployment, job, meters, pod } from '../../../cluster/simulation/examples.ts'

const waitingReason = ['status', 'containerStatuses', 0, 'state', 'waiting', 'reason'] as const

describe.skipIf(inject('cluster').local === undefined).concurrent('simulated nodes', () => {
  test('make a pod ready, but only after a while', async ({ namespace }) => {
    const { api, path } = namespace
    const started = Date.now()
    await api.create(`${path}/pods`, pod('prompt', {}))
    await api.create(`${path}/pods`, pod('slow', { 'ready-after': '2500ms' }))

    await waitForObject(api, `${path}/pods/prompt`, 'ready', (found) => isTrue(found, 'Ready'))
    expect(Date.now() - started).toBeGreaterThan(1_000)
    await waitForObject(api, `${path}/pods/slow`, 'ready', (found) => isTrue(found, 'Ready'))
    expect(Date.now() - started).toBeGreaterThan(2_500)
  })

  test('bring a Deployment to Available', async ({ namespace }) => {
    const path = `${namespace.in('apps/v1')}/deployments`
    await namespace.api.create(path, deployment('web', {}))
    await waitForObject(namespace.api, `${path}/web`, 'available', (found) => isTrue(found, 'Available'))
  })

  test('complete a Job and a bare pod that is never restarted', async ({ namespace }) => {
    const { api, path } = namespace
    const jobs = `${namespace.in('batch/v1')}/jobs`
    await api.create(jobs, job('migrate', {}))
    await api.create(`${path}/pods`, pod('test', {}, 'Never'))
    await waitForObject(api, `${jobs}/migrate`, 'complete', (found) => isTrue(found, 'Complete'))
    await waitForObject(api, `${path}/pods/test`, 'complete', (found) => at(found, 'status', 'phase') === 'Succeeded')
  })

  test('fail a Job whose pod is to fail, with a log that says so', async ({ namespace }) => {
    const { api, path } = namespace
    const jobs = `${namespace.in('batch/v1')}/jobs`
    await api.create(jobs, job('migrate', { scenario: 'fail' }))
    await waitForObject(api, `${jobs}/migrate`, 'failed', (found) => isTrue(found, 'Failed'))

    const pods = await api.get(`${path}/pods`)
    const log = await api.request('GET', `${path}/pods/${at(pods, 'items', 0, 'metadata', 'name')}/log`)
    expect(log.text).toBe('main: starting, run 0\nmain: working\nmain: fatal: simulated failure, exit code 1\n')
  })

  test('leave a pod running and unready that is never to become ready', async ({ namespace }) => {
    const { api, path } = namespace
    await api.create(`${path}/pods`, pod('web', { scenario: 'never-ready', 'ready-after': '100ms' }))
    const found = await waitForObject(api, `${path}/pods/web`, 'running', isRunning)
    expect(isTrue(found, 'Ready')).toBe(false)
    expect(await warnings(api, path)).toContain('Unhealthy')
  })

  test('crash-loop a pod, with restarts, a warning and the log of the run before', async ({ namespace }) => {
    const { api, path } = namespace
    await api.create(`${path}/pods`, pod('web', { scenario: 'crash-loop' }))
    await waitForObject(api, `${path}/pods/web`, 'restarted twice', (found) => {
      const restarts = at(found, 'status', 'containerStatuses', 0, 'restartCount')
      return typeof restarts === 'number' && restarts >= 2 && at(found, ...waitingReason) === 'CrashLoopBackOff'
    })
    const previous = await api.request('GET', `${path}/pods/web/log?previous=true`)
    expect(previous.text).toMatch(/^main: starting, run \d\n/)
    expect(previous.text).toContain('fatal: simulated failure')
    expect(await warnings(api, path)).toContain('BackOff')
  })

  test('fail to pull an image', async ({ namespace }) => {
    const { api, path } = namespace
    await api.create(`${path}/pods`, pod('web', { scenario: 'image-pull-error' }))
    for (const reason of ['ErrImagePull', 'ImagePullBackOff']) {
      await waitForObject(api, `${path}/pods/web`, reason, (found) => at(found, ...waitingReason) === reason)
    }
    expect((await api.request('GET', `${path}/pods/web/log`)).text).toContain('is waiting to start: ImagePullBackOff')
    expect(await warnings(api, path)).toContain('Failed')
  })

  test('let readiness come and go', async ({ namespace }) => {
    const { api, path } = namespace
    await api.create(`${path}/pods`, pod('web', { scenario: 'flap', 'ready-after': '100ms' }))
    for (const isReady of [true, false, true]) {
      const what = isReady ? 'ready' : 'unready'
      await waitForObject(
        api,
        `${path}/pods/web`,
        what,
        (found) => isRunning(found) && isTrue(found, 'Ready') === isReady,
      )
    }
  })

  test('give the log that an annotation asks for, and end a followed log with its container', async ({ namespace }) => {
    const { api, path } = namespace
    await api.create(`${path}/pods`, pod('task', { logs: 'one\ntwo\nthree', 'complete-after': '1s' }, 'Never'))
    await waitForObject(api, `${path}/pods/task`, 'running', isRunning)
    expect((await api.request('GET', `${path}/pods/task/log?tailLines=2`)).text).toBe('two\nthree\n')
    expect((await api.request('GET', `${path}/pods/task/log?follow=true`)).text).toBe('one\ntwo\nthree\n')
    expect(at(await api.get(`${path}/pods/task`), 'status', 'phase')).toBe('Succeeded')
  })

  test('bind a claim at once, or once a pod that uses it is scheduled', async ({ namespace }) => {
    const { api, path } = namespace
    await api.create(`${path}/persistentvolumeclaims`, claim('early'))
    await api.create(`${path}/persistentvolumeclaims`, claim('late', 'on-first-consumer'))
    const isBound = (found: Json) => at(found, 'status', 'phase') === 'Bound'
    await waitForObject(api, `${path}/persistentvolumeclaims/early`, 'bound', isBound)
    expect(isBound(await api.get(`${path}/persistentvolumeclaims/late`))).toBe(false)

    const user = pod('user', {})
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'late' } }]
    await api.create(`${path}/pods`, { ...user, spec: { ...user.spec, volumes } })
    await waitForObject(api, `${path}/persistentvolumeclaims/late`, 'bound', isBound)
  })

  test('report on a custom resource of the demo group, whatever its kind', async ({ namespace }) => {
    const { api } = namespace
    const definition = meters()
    const path = `${namespace.in('demo.staged-helm-deploy.dev/v1')}/meters`
    await api.apply(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${definition.metadata.name}`, definition)
    const meter = (name: string, simulation: Parameters<typeof annotations>[0]) => ({
      apiVersion: 'demo.staged-helm-deploy.dev/v1',
      kind: 'Meter',
      metadata: { name, annotations: annotations(simulation) },
    })
    await waitForObject(api, path, 'served', (found) => at(found, 'kind') === 'MeterList')
    await api.create(path, meter('good', { 'ready-after': '300ms' }))
    await api.create(path, meter('bad', { scenario: 'never-ready' }))

    const good = await waitForObject(api, `${path}/good`, 'ready', (found) => isTrue(found, 'Ready'))
    expect(at(good, 'status', 'observedGeneration')).toBe(1)
    expect(isTrue(await api.get(`${path}/bad`), 'Ready')).toBe(false)
  })

  test('give addresses to Services of type LoadBalancer', async ({ namespace }) => {
    const { api, path } = namespace
    const spec = { type: 'LoadBalancer', ports: [{ port: 80 }] }
    await api.create(`${path}/services`, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec })
    await waitForObject(api, `${path}/services/web`, 'addressed', (found) => {
      return typeof at(found, 'status', 'loadBalancer', 'ingress', 0, 'ip') === 'string'
    })
  })
})

function isRunning(found: Json): boolean {
  return at(found, 'status', 'phase') === 'Running'
}

async function warnings(api: Api, path: string): Promise<readonly (Json | undefined)[]> {
  const events = at(await api.get(`${path}/events`), 'items')
  if (!Array.isArray(events)) return []
  return events.filter((event) => at(event, 'type') === 'Warning').map((event) => at(event, 'reason'))
}
