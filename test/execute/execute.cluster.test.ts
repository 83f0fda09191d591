import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import type { OpenCluster } from '../../src/kube/cluster-adapter.ts'
import { at, type JsonObject } from '../../src/model/object.ts'
import { hintText } from '../../src/report/words/hint-text.ts'
import { isWrite, readAudit } from '../cluster/audit.ts'
import { test } from '../cluster/fixture.ts'
import type { Namespace } from '../cluster/namespace.ts'
import { createUser } from '../cluster/user.ts'
import { apply, awaits, deletes, planOf, refTo, stage } from '../doubles/plans.ts'
import { deployment, inNamespace, job, openCluster, podTemplate, run, stopWhenWaiting, told } from './on-cluster.ts'

const { kubeconfig, local } = inject('cluster')
const hook = 'pre-install'

let cluster: OpenCluster
beforeAll(async () => {
  cluster = await openCluster(kubeconfig)
})
afterAll(() => cluster.close())

const here = (namespace: Namespace, as = cluster) => ({ cluster: as, namespace: namespace.name })
const web = planOf(stage('main', [[apply('Deployment/web')], [awaits('Deployment/web')]]))
const neverReady = { 'Deployment/web': deployment({ scenario: 'never-ready' }) }
const hookJob = stage('pre', [[apply('Job/a', { hook })], [awaits('Job/a', { hook, until: 'complete' })]])

describe.concurrent('execution on a real API server', () => {
  test('nothing of a later group is written before the earlier group is ready', async ({ namespace }) => {
    const plan = planOf(
      stage(
        'main',
        [[apply('Deployment/db')], [awaits('Deployment/db')]],
        [[apply('Deployment/web')], [awaits('Deployment/web')]],
      ),
    )
    const contents = { 'Deployment/db': deployment({ 'ready-after': '2s' }), 'Deployment/web': deployment() }
    const { result } = await run(here(namespace), plan, contents)
    expect(result).toBe('succeeded')
    if (local === undefined) return
    const writes = (await readAudit(local.auditLog, { namespace: namespace.name })).filter(isWrite)
    const webAt = writes.find(({ ref }) => ref.resource === 'deployments' && ref.name === 'web')?.startedAt ?? 0
    const dbReadyAt = writes.find(
      ({ ref, body }) =>
        ref.resource === 'deployments' &&
        ref.name === 'db' &&
        at(body as JsonObject, 'status', 'availableReplicas') === 1,
    )?.endedAt
    expect(webAt).toBeGreaterThan(dbReadyAt ?? Number.POSITIVE_INFINITY)
  })

  test('a hook runs to its end, its log is told, and its policy deletes it', async ({ namespace }) => {
    const cleanup = [[deletes('Job/a', { hook, onlyIf: 'succeeded' })]]
    const plan = planOf({
      ...hookJob,
      groups: hookJob.groups.map((group) => ({ ...group, ranks: [...group.ranks, ...cleanup] })),
    })
    const ran = await run(here(namespace), plan, { 'Job/a': job({ logs: 'migrating the schema' }) })
    expect(ran.result).toBe('succeeded')
    expect(ran.hookRuns).toMatchObject([{ event: hook, phase: 'Succeeded' }])
    expect(told(ran, 'log').map(({ container, line }) => `${container}: ${line}`)).toContain(
      'main: migrating the schema',
    )
    expect(await cluster.get(inNamespace(refTo('Job/a'), namespace.name))).toBeUndefined()
  })

  test('a failing hook fails at once, with its log as evidence', async ({ namespace }) => {
    const ran = await run(here(namespace), planOf(hookJob), { 'Job/a': job({ scenario: 'fail' }) })
    expect(ran.failure).toMatchObject({ reason: 'hook-failed', ref: { kind: 'Job', name: 'a' }, stage: 'pre' })
    const [evidence] = told(ran, 'evidence')
    expect(evidence?.evidence.pods[0]?.containers[0]?.logTail.join()).toContain('fatal: simulated failure')
    expect(evidence?.evidence.events.length).toBeGreaterThan(0)
    expect(evidence?.evidence.missing).toEqual([])
  })

  test('a Job that is gone as soon as it has finished is judged by the last status seen', async ({ namespace }) => {
    for (let round = 0; round < 3; round += 1) {
      const ran = await run(here(namespace), planOf(hookJob), { 'Job/a': job({}, { ttlSecondsAfterFinished: 0 }) })
      expect(ran.failure).toBeUndefined()
      const gone = planOf(stage('post', [[deletes('Job/a')]]))
      await run(here(namespace), gone)
    }
  })

  test('a Deployment that crashes is not ready, and says which container and why', async ({ namespace }) => {
    const ran = await run(here(namespace), web, { 'Deployment/web': deployment({ scenario: 'crash-loop' }) })
    expect(ran.failure).toMatchObject({ reason: 'not-ready', readiness: { code: 'pod', container: 'main' } })
  })

  test('a Deployment that never gets ready ends with the time of the run', async ({ namespace }) => {
    const stop = stopWhenWaiting('timeout')
    const ran = await run(here(namespace), web, neverReady, stop.options)
    expect(ran.failure).toMatchObject({ reason: 'timeout', readiness: { code: 'replicas' }, ref: { name: 'web' } })
    expect(told(ran, 'evidence')).toHaveLength(1)
    expect(Date.now() - stop.stoppedAtMs()).toBeLessThan(60_000)
  })

  test('a cancelled run stops at once: evidence, which may take 10 s, is not waited for', async ({ namespace }) => {
    const stop = stopWhenWaiting('cancelled')
    const ran = await run(here(namespace), web, neverReady, stop.options)
    expect(ran.failure?.reason).toBe('cancelled')
    expect(told(ran, 'evidence')).toEqual([])
    expect(Date.now() - stop.stoppedAtMs()).toBeLessThan(10_000)
  })

  test('a finished Job is recreated once its old object and its pods are gone', async ({ namespace }) => {
    const first = planOf(hookJob)
    await run(here(namespace), first, { 'Job/a': job() })
    const again = planOf(
      stage('pre', [
        [apply('Job/a', { hook, change: 'recreate', propagation: 'Foreground' })],
        [awaits('Job/a', { hook, until: 'complete' })],
      ]),
    )
    const before = await cluster.get(inNamespace(refTo('Job/a'), namespace.name))
    const ran = await run(here(namespace), again, { 'Job/a': job({ logs: 'second' }) })
    const after = await cluster.get(inNamespace(refTo('Job/a'), namespace.name))
    expect([ran.failure, before?.metadata.uid === after?.metadata.uid]).toEqual([undefined, false])
  })

  test('a custom resource can be applied as soon as its CRD is established', async ({ namespace }) => {
    const group = `g${namespace.name.slice(-8)}.example.com`
    const crd = `CustomResourceDefinition/widgets.${group}`
    const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }]
    const names = { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' }
    const widget = { apiVersion: `${group}/v1`, kind: 'Widget', namespace: 'shop', name: 'a' }
    const plan = planOf(
      stage('crds', [[apply(crd)], [awaits(crd, { until: 'established' })]]),
      stage('main', [[{ ...apply('Widget/a'), ref: widget }], [{ ...awaits('Widget/a'), ref: widget }]]),
      stage('prune', [[deletes(crd)]]),
    )
    const body = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'a', namespace: namespace.name } }
    const contents = { [crd]: { spec: { group, scope: 'Namespaced', names, versions } } }
    const ran = await run(here(namespace), plan, contents, { bodies: [['main/apply/Widget/shop/a', body]] })
    expect(ran.failure).toBeUndefined()
  })

  test('immutable fields and conflicts are told apart, with manager and field', async ({ namespace }) => {
    await run(here(namespace), planOf(stage('main', [[apply('Deployment/web')]])), { 'Deployment/web': deployment() })
    const other = {
      spec: { ...(deployment().spec as JsonObject), selector: { matchLabels: { app: 'web', more: 'x' } } },
    }
    const template = { metadata: { labels: { app: 'web', more: 'x' } } }
    const spec = { ...other.spec, template: { ...(podTemplate({}, 'Always') as JsonObject), ...template } }
    const immutable = await run(
      here(namespace),
      planOf(stage('main', [[apply('Deployment/web', { change: 'update' })]])),
      {
        'Deployment/web': { spec },
      },
    )
    expect(immutable.failure?.reason).toBe('immutable')
    expect(immutable.failure?.hint && hintText(immutable.failure.hint)).toContain('delete-policy')

    const path = `${namespace.in('apps/v1')}/deployments/web`
    await namespace.api.patch(path, { spec: { replicas: 2 } })
    const conflict = await run(
      here(namespace),
      planOf(stage('main', [[apply('Deployment/web', { change: 'update' })]])),
      {
        'Deployment/web': { spec: { ...(deployment().spec as JsonObject), replicas: 3 } },
      },
    )
    expect(conflict.failure).toMatchObject({ reason: 'conflict', message: expect.stringContaining('.spec.replicas') })
  })

  test('what Helm 3 applied and the chart no longer has goes, without a conflict with helm itself', async ({
    namespace,
  }) => {
    const path = `${namespace.path}/configmaps`
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { kept: '1', gone: '1' } }
    await namespace.api.create(`${path}?fieldManager=helm`, map)
    const plan = planOf(stage('main', [[apply('ConfigMap/a', { change: 'update' })]]))
    const handedOver = new Set(['main/apply/ConfigMap/shop/a'])
    const ran = await run(here(namespace), plan, { 'ConfigMap/a': { data: { kept: '2' } } }, { handedOver })
    expect(ran.failure).toBeUndefined()
    expect(at(await cluster.get(inNamespace(refTo('ConfigMap/a'), namespace.name)), 'data')).toEqual({ kept: '2' })
  })

  test('a user who may watch one name only can still be served', async ({ namespace }) => {
    const deployments = { apiGroups: ['apps'], resources: ['deployments'] }
    const named = { ...deployments, resourceNames: ['web'], verbs: ['get', 'patch', 'list', 'watch'] }
    const rules = [named, { ...deployments, verbs: ['create'] }]
    const user = await openCluster(await createUser(namespace, rules))
    try {
      const ran = await run(here(namespace, user), web, { 'Deployment/web': deployment() })
      expect(ran.failure).toBeUndefined()
      expect(told(ran, 'warning').map(({ message }) => message.split(' ')[0])).toEqual(['ReplicaSet', 'Pod'])
    } finally {
      await user.close()
    }
  })

  test('a user without the right to write learns which right is missing', async ({ namespace }) => {
    const user = await openCluster(await createUser(namespace, []))
    try {
      const ran = await run(here(namespace, user), web, { 'Deployment/web': deployment() })
      expect(ran.failure).toMatchObject({ reason: 'forbidden', message: expect.stringContaining('patch') })
    } finally {
      await user.close()
    }
  })
})
