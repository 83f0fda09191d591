import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { execute } from '../../src/execute/execute.ts'
import type { ExecuteInput, ExecutionResult, StopReason } from '../../src/execute/execution.ts'
import { systemClock } from '../../src/host/clock.ts'
import { createCluster, type OpenCluster } from '../../src/kube/cluster.ts'
import { loadConnection } from '../../src/kube/kubeconfig.ts'
import type { Event, EventOf } from '../../src/model/event.ts'
import { at, type JsonObject, type KubeObject } from '../../src/model/object.ts'
import type { Operation, Plan } from '../../src/model/plan.ts'
import type { Ref } from '../../src/model/ref.ts'
import { isWrite, readAudit } from '../cluster/audit.ts'
import { test } from '../cluster/fixture.ts'
import { createUser } from '../cluster/user.ts'
import { apply, awaits, deletes, objectOf, planOf, refTo, stage } from '../doubles/plans.ts'

const { kubeconfig, local } = inject('cluster')
const SIMULATE = 'simulate.staged-helm-deploy.dev'
const hook = 'pre-install'

let cluster: OpenCluster
beforeAll(async () => {
  cluster = await open(kubeconfig)
})
afterAll(() => cluster.close())

async function open(path: string): Promise<OpenCluster> {
  const connection = await loadConnection({ kubeconfig: path, env: {}, home: tmpdir(), directory: tmpdir() })
  return createCluster({ connection, clock: systemClock, secrets: { add: () => {}, redact: (text) => text } })
}

interface Ran extends ExecutionResult {
  readonly events: readonly Event[]
}

/** Executes a plan written for namespace `shop` in the namespace of the test. */
async function run(
  namespace: string,
  plan: Plan,
  contents: { readonly [target: string]: JsonObject },
  options: Partial<Pick<ExecuteInput, 'cluster' | 'migrates' | 'signal'>> = {},
): Promise<Ran> {
  const events: Event[] = []
  const moved = movePlan(plan, namespace)
  const result = await execute({
    plan: moved,
    bodies: bodiesIn(namespace, moved, contents),
    migrates: new Set(),
    live: new Map(),
    forceConflicts: false,
    cluster,
    clock: systemClock,
    emit: (event) => void events.push(event),
    signal: new AbortController().signal,
    ...options,
  })
  return { ...result, events }
}

function movePlan(plan: Plan, namespace: string): Plan {
  const moved = <O extends Operation>(operation: O): O => ({ ...operation, ref: inNamespace(operation.ref, namespace) })
  const stages = plan.stages.map((one) => ({
    ...one,
    groups: one.groups.map((group) => ({ ...group, ranks: group.ranks.map((rank) => rank.map(moved)) })),
  }))
  return { ...plan, namespace, stages }
}

function inNamespace(ref: Ref, namespace: string): Ref {
  return ref.namespace === undefined ? ref : { ...ref, namespace }
}

function bodiesIn(namespace: string, plan: Plan, contents: { readonly [target: string]: JsonObject }) {
  const operations = plan.stages.flatMap((one) => one.groups.flatMap((group) => group.ranks.flat()))
  return new Map(
    operations.map(({ id, ref }): [string, KubeObject] => {
      const target = `${ref.kind}/${ref.name}`
      const object = objectOf(target, contents[target])
      const isNamespaced = ref.namespace !== undefined
      return [id, isNamespaced ? { ...object, metadata: { ...object.metadata, namespace } } : object]
    }),
  )
}

function stopAfter(ms: number, reason: StopReason): AbortSignal {
  const stop = new AbortController()
  setTimeout(() => stop.abort(reason), ms)
  return stop.signal
}

function deployment(simulated: { readonly [key: string]: string } = {}): JsonObject {
  return {
    spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template: podTemplate(simulated, 'Always') },
  }
}

function job(simulated: { readonly [key: string]: string } = {}, rest: JsonObject = {}): JsonObject {
  return { spec: { backoffLimit: 0, template: podTemplate(simulated, 'Never'), ...rest } }
}

function podTemplate(simulated: { readonly [key: string]: string }, restartPolicy: string): JsonObject {
  const annotations = Object.fromEntries(Object.entries(simulated).map(([key, value]) => [`${SIMULATE}/${key}`, value]))
  const containers = [{ name: 'main', image: 'example.com/main:1' }]
  return { metadata: { labels: { app: 'web' }, annotations }, spec: { restartPolicy, containers } }
}

function of<T extends Event['type']>(ran: Ran, type: T): readonly EventOf<T>[] {
  return ran.events.filter((event): event is EventOf<T> => event.type === type)
}

const web = planOf(stage('main', [[apply('Deployment/web')], [awaits('Deployment/web')]]))
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
    const { result } = await run(namespace.name, plan, contents)
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
    const ran = await run(namespace.name, plan, { 'Job/a': job({ logs: 'migrating the schema' }) })
    expect(ran.result).toBe('succeeded')
    expect(ran.hookRuns).toMatchObject([{ event: hook, phase: 'Succeeded' }])
    expect(of(ran, 'log').map(({ container, line }) => `${container}: ${line}`)).toContain('main: migrating the schema')
    expect(await cluster.get(inNamespace(refTo('Job/a'), namespace.name))).toBeUndefined()
  })

  test('a failing hook fails at once, with its log as evidence', async ({ namespace }) => {
    const ran = await run(namespace.name, planOf(hookJob), { 'Job/a': job({ scenario: 'fail' }) })
    expect(ran.failure).toMatchObject({ reason: 'hook-failed', ref: { kind: 'Job', name: 'a' }, stage: 'pre' })
    const [evidence] = of(ran, 'evidence')
    expect(evidence?.evidence.pods[0]?.containers[0]?.logTail.join()).toContain('fatal: simulated failure')
    expect(evidence?.evidence.events.length).toBeGreaterThan(0)
    expect(evidence?.evidence.missing).toEqual([])
  })

  test('a Job that is gone as soon as it has finished is judged by the last status seen', async ({ namespace }) => {
    for (let round = 0; round < 3; round += 1) {
      const ran = await run(namespace.name, planOf(hookJob), { 'Job/a': job({}, { ttlSecondsAfterFinished: 0 }) })
      expect(ran.failure).toBeUndefined()
      const gone = planOf(stage('post', [[deletes('Job/a')]]))
      await run(namespace.name, gone, {})
    }
  })

  test('a Deployment that crashes is not ready, and says which container and why', async ({ namespace }) => {
    const ran = await run(namespace.name, web, { 'Deployment/web': deployment({ scenario: 'crash-loop' }) })
    expect(ran.failure).toMatchObject({ reason: 'not-ready', readiness: { code: 'pod', container: 'main' } })
  })

  test('a Deployment that never gets ready ends with the time of the run', async ({ namespace }) => {
    const signal = stopAfter(4_000, 'timeout')
    const startMs = Date.now()
    const ran = await run(
      namespace.name,
      web,
      { 'Deployment/web': deployment({ scenario: 'never-ready' }) },
      { signal },
    )
    expect(ran.failure).toMatchObject({ reason: 'timeout', readiness: { code: 'replicas' }, ref: { name: 'web' } })
    expect(of(ran, 'evidence')).toHaveLength(1)
    expect(Date.now() - startMs).toBeLessThan(9_000)
  })

  test('a cancelled run stops within a second', async ({ namespace }) => {
    const signal = stopAfter(2_000, 'cancelled')
    const ran = await run(
      namespace.name,
      web,
      { 'Deployment/web': deployment({ scenario: 'never-ready' }) },
      { signal },
    )
    expect(ran.failure?.reason).toBe('cancelled')
    const [first] = ran.events
    const last = ran.events.at(-1)
    expect((last?.atMs ?? 0) - (first?.atMs ?? 0)).toBeLessThan(3_000)
  })

  test('a finished Job is recreated once its old object and its pods are gone', async ({ namespace }) => {
    const first = planOf(hookJob)
    await run(namespace.name, first, { 'Job/a': job() })
    const again = planOf(
      stage('pre', [
        [apply('Job/a', { hook, change: 'recreate', propagation: 'Foreground' })],
        [awaits('Job/a', { hook, until: 'complete' })],
      ]),
    )
    const before = await cluster.get(inNamespace(refTo('Job/a'), namespace.name))
    const ran = await run(namespace.name, again, { 'Job/a': job({ logs: 'second' }) })
    const after = await cluster.get(inNamespace(refTo('Job/a'), namespace.name))
    expect([ran.failure, before?.metadata.uid === after?.metadata.uid]).toEqual([undefined, false])
  })

  test('a custom resource can be applied as soon as its CRD is established', async ({ namespace }) => {
    const suffix = namespace.name.slice(-8)
    const group = `g${suffix}.example.com`
    const name = `CustomResourceDefinition/widgets.${group}`
    const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }]
    const names = { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' }
    const widget = { apiVersion: `${group}/v1`, kind: 'Widget', namespace: 'shop', name: 'a' }
    const plan = planOf(
      stage('crds', [[apply(name)], [awaits(name, { until: 'established' })]]),
      stage('main', [[{ ...apply('Widget/a'), ref: widget }], [{ ...awaits('Widget/a'), ref: widget }]]),
      stage('prune', [[deletes(name)]]),
    )
    const contents = { [name]: { spec: { group, scope: 'Namespaced', names, versions } } }
    const moved = movePlan(plan, namespace.name)
    const body = { apiVersion: widget.apiVersion, kind: 'Widget', metadata: { name: 'a', namespace: namespace.name } }
    const events: Event[] = []
    const result = await execute({
      plan: moved,
      bodies: new Map([...bodiesIn(namespace.name, moved, contents), ['main/apply/Widget/shop/a', body]]),
      migrates: new Set(),
      live: new Map(),
      forceConflicts: false,
      cluster,
      clock: systemClock,
      emit: (event) => void events.push(event),
      signal: new AbortController().signal,
    })
    expect(result.failure).toBeUndefined()
  })

  test('immutable fields and conflicts are told apart, with manager and field', async ({ namespace }) => {
    await run(namespace.name, planOf(stage('main', [[apply('Deployment/web')]])), { 'Deployment/web': deployment() })
    const other = {
      spec: { ...(deployment().spec as JsonObject), selector: { matchLabels: { app: 'web', more: 'x' } } },
    }
    const template = { metadata: { labels: { app: 'web', more: 'x' } } }
    const spec = { ...other.spec, template: { ...(podTemplate({}, 'Always') as JsonObject), ...template } }
    const immutable = await run(
      namespace.name,
      planOf(stage('main', [[apply('Deployment/web', { change: 'update' })]])),
      {
        'Deployment/web': { spec },
      },
    )
    expect(immutable.failure).toMatchObject({ reason: 'immutable', hint: expect.stringContaining('delete-policy') })

    const path = `${namespace.in('apps/v1')}/deployments/web`
    await namespace.api.patch(path, { spec: { replicas: 2 } })
    const conflict = await run(
      namespace.name,
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
    const migrates = new Set(['main/apply/ConfigMap/shop/a'])
    const ran = await run(namespace.name, plan, { 'ConfigMap/a': { data: { kept: '2' } } }, { migrates })
    expect(ran.failure).toBeUndefined()
    expect(at(await cluster.get(inNamespace(refTo('ConfigMap/a'), namespace.name)), 'data')).toEqual({ kept: '2' })
  })

  test('a user who may watch one name only can still be served', async ({ namespace }) => {
    const deployments = { apiGroups: ['apps'], resources: ['deployments'] }
    const named = { ...deployments, resourceNames: ['web'], verbs: ['get', 'patch', 'list', 'watch'] }
    const rules = [named, { ...deployments, verbs: ['create'] }]
    const user = await open(await createUser(namespace, rules))
    try {
      const ran = await run(namespace.name, web, { 'Deployment/web': deployment() }, { cluster: user })
      expect(ran.failure).toBeUndefined()
      expect(of(ran, 'warning').map(({ message }) => message.split(' ')[0])).toEqual(['ReplicaSet', 'Pod'])
    } finally {
      await user.close()
    }
  })

  test('a user without the right to write learns which right is missing', async ({ namespace }) => {
    const user = await open(await createUser(namespace, []))
    try {
      const ran = await run(namespace.name, web, { 'Deployment/web': deployment() }, { cluster: user })
      expect(ran.failure).toMatchObject({ reason: 'forbidden', message: expect.stringContaining('patch') })
    } finally {
      await user.close()
    }
  })
})
