import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import type { OpenCluster } from '../../src/kube/cluster-adapter.ts'
import { withoutBookkeeping } from '../../src/manifest/bookkeeping.ts'
import { changedPaths } from '../../src/manifest/compare.ts'
import { stringAt } from '../../src/model/object.ts'
import { missingRights } from '../../src/observe/missing-rights.ts'
import { withoutDryRuns } from '../../src/observe/without-dry-runs.ts'
import { approvedPlanOf, differencesFrom } from '../../src/plan/approved-plan.ts'
import { neededRights } from '../../src/plan/rights.ts'
import type { Reader } from '../../src/ports.ts'
import { test } from '../cluster/fixture.ts'
import { createUser } from '../cluster/user.ts'
import { helmOf, openCluster } from '../record/helm.ts'
import { applies, applyAll, look, told } from './on-cluster.ts'

const { kubeconfig } = inject('cluster')

let cluster: OpenCluster
beforeAll(async () => {
  cluster = await openCluster(kubeconfig)
})
afterAll(() => cluster.close())

const deployment = (image: string, more = '') => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  ${more}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "${image}", resources: { requests: { cpu: 100m } } }] }
`

/** Kinds in which the API server chooses something, defaults something or hands something on. */
const everything = (value: string) => `
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { type: LoadBalancer, externalTrafficPolicy: Local, selector: { app: web }, ports: [{ port: 80 }] }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { key: "${value}" }
---
apiVersion: v1
kind: Secret
metadata: { name: keys }
stringData: { password: "${value}" }
---
apiVersion: v1
kind: Pod
metadata: { name: single }
spec: { containers: [{ name: a, image: a }] }
---
apiVersion: batch/v1
kind: Job
metadata: { name: once }
spec: { template: { spec: { restartPolicy: Never, containers: [{ name: a, image: a }] } } }
---
apiVersion: batch/v1
kind: CronJob
metadata: { name: nightly }
spec:
  schedule: "0 3 * * *"
  jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: a, image: a }] } } } }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  serviceName: db
  selector: { matchLabels: { app: db } }
  template: { metadata: { labels: { app: db } }, spec: { containers: [{ name: a, image: a }] } }
---
${deployment('web:1')}
`

describe('the fingerprint on a real control plane', () => {
  test('two plans of one chart are one, whatever the API server draws', async ({ namespace }) => {
    const first = await look(cluster, namespace.name, everything('x'))
    const second = await look(cluster, namespace.name, everything('x'))
    expect(first.plan.problems).toEqual([])
    expect(second.fingerprint).toEqual(first.fingerprint)
  })

  test('after a deploy nothing is left to do, and the approved plan still passes', async ({ namespace }) => {
    const before = await look(cluster, namespace.name, everything('x'))
    await applyAll(cluster, before)
    const after = await look(cluster, namespace.name, everything('x'))
    expect(applies(after).filter(({ change }) => change !== 'none')).toEqual([])
    const approved = approvedPlanOf(before.plan, before.fingerprint)
    expect(differencesFrom(approved, after.plan, after.fingerprint, () => false).blocking).toEqual([])
  })

  test('controllers at work and a scale do not change what was approved', async ({ namespace }) => {
    await applyAll(cluster, await look(cluster, namespace.name, deployment('web:1')))
    const previous = deployment('web:1')
    const approved = await look(cluster, namespace.name, deployment('web:2'), { previous })
    await namespace.api.patch(`${namespace.in('apps/v1')}/deployments/web/scale`, { spec: { replicas: 3 } })
    await namespace.api.patch(`${namespace.in('apps/v1')}/deployments/web`, {
      metadata: { annotations: { note: 'x' } },
    })
    const now = await look(cluster, namespace.name, deployment('web:2'), { previous })
    expect(now.fingerprint).toEqual(approved.fingerprint)
    expect(told(now)).toEqual(['update web: chart-changed /spec/template/spec/containers/0/image'])
  })
})

describe('somebody who writes while the plan is made', () => {
  test('is part of what the plan compares with, and no drift', async ({ namespace }) => {
    // Of a kind that no controller writes: only this test does.
    const settings = (level: string) => `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { level: ${level} }
`
    const previous = settings('info')
    await applyAll(cluster, await look(cluster, namespace.name, previous))
    let writes = 0
    const meanwhile = async () => {
      writes += 1
      const patch = { metadata: { annotations: { 'example.com/written': `${writes}` } } }
      if (writes === 1) await namespace.api.patch(`/api/v1/namespaces/${namespace.name}/configmaps/settings`, patch)
    }
    const reader: Reader = {
      ...cluster,
      dryRunApply: async (...asked) => {
        await meanwhile()
        return cluster.dryRunApply(...asked)
      },
    }
    const upgrade = await look(reader, namespace.name, settings('debug'), { previous })
    expect(applies(upgrade)).toMatchObject([{ reason: { code: 'chart-changed', paths: ['/data/level'] } }])
    const [one] = applies(upgrade)
    expect(changedPaths(one?.before ?? {}, one?.after ?? {})).toEqual(['/data/level'])
    expect(writes).toBeGreaterThan(1)
  })
})

describe('replicas', () => {
  const scale = (path: string) => `${path}/deployments/web/scale`

  test('of the chart count on creation', async ({ namespace }) => {
    const [web] = (
      await applyAll(cluster, await look(cluster, namespace.name, deployment('web:1', 'replicas: 2')))
    ).values()
    expect(web).toMatchObject({ spec: { replicas: 2 } })
  })

  test('of an autoscaler are left alone', async ({ namespace }) => {
    const previous = deployment('web:1', 'replicas: 2')
    await applyAll(cluster, await look(cluster, namespace.name, previous))
    await namespace.api.patch(scale(namespace.in('apps/v1')), { spec: { replicas: 5 } })
    const upgrade = await look(cluster, namespace.name, deployment('web:2', 'replicas: 2'), { previous })
    expect(told(upgrade)).toEqual(['update web: chart-changed /spec/template/spec/containers/0/image'])
    const [web] = (await applyAll(cluster, upgrade)).values()
    expect(web).toMatchObject({ spec: { replicas: 5 } })
  })

  test('that leave the chart while only helm holds them become 1, and the plan says so', async ({ namespace }) => {
    const previous = deployment('web:1', 'replicas: 2')
    await applyAll(cluster, await look(cluster, namespace.name, previous))
    const upgrade = await look(cluster, namespace.name, deployment('web:1'), { previous })
    expect(told(upgrade)).toEqual(['update web: chart-changed /spec/replicas'])
    const [web] = (await applyAll(cluster, upgrade)).values()
    expect(web).toMatchObject({ spec: { replicas: 1 } })
  })
})

describe('a release that Helm 3 applied: the plan equals the deploy', () => {
  const values = (keys: string, image: string, env: string) => `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { ${keys} }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: { team: a } }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "${image}", env: [${env}] }] }
`
  const before = values('kept: "1", gone: "2"', 'web:1', '{ name: A, value: a }, { name: B, value: b }')
  const after = values('kept: "1", new: "3"', 'web:2', '{ name: A, value: a }')

  async function install(namespace: string, yaml: string): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'plan-chart-'))
    await mkdir(join(folder, 'templates'))
    await writeFile(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: shop\nversion: 1.0.0\n')
    await writeFile(join(folder, 'templates', 'all.yaml'), yaml)
    await (await helmOf('helm3', kubeconfig, namespace))('install', 'shop', folder)
  }

  test('removed keys are shown, helm is no foreign manager, and the deploy gives what was shown', async ({
    namespace,
  }) => {
    await install(namespace.name, before)
    const upgrade = await look(cluster, namespace.name, after, { previous: before, isServerSide: false })
    expect(upgrade.plan.problems).toEqual([])
    expect(told(upgrade)).toEqual([
      'update settings: chart-changed /data/gone /data/new',
      'update web: chart-changed /spec/template/spec/containers/0/env/1 /spec/template/spec/containers/0/image',
    ])
    const written = await applyAll(cluster, upgrade)
    for (const [id, object] of written)
      expect(changedPaths(upgrade.planned.payloads.get(id)?.result ?? {}, object), id).toEqual([])
  })

  const changes: readonly (readonly [string, string, string])[] = [
    [
      'lists in another order, items gone and new',
      pods('env: [{ name: A, value: a }, { name: B, value: b }, { name: C, value: c }]'),
      pods('env: [{ name: D, value: d }, { name: C, value: c }, { name: A, value: x }]'),
    ],
    ['a port of another name', service('{ name: http, port: 80 }'), service('{ name: web, port: 80 }')],
    [
      'the same port name at another number',
      service('{ name: http, port: 80 }'),
      service('{ name: http, port: 8080 }'),
    ],
    [
      'a value that is read from elsewhere now',
      pods('env: [{ name: A, value: a }]'),
      pods('env: [{ name: A, valueFrom: { configMapKeyRef: { name: settings, key: a } } }]'),
    ],
    [
      'a probe of another type',
      pods('livenessProbe: { httpGet: { path: /, port: 80 } }'),
      pods('livenessProbe: { tcpSocket: { port: 80 } }'),
    ],
  ]
  for (const [what, from, to] of changes) {
    test(`holds for ${what}`, async ({ namespace }) => {
      await install(namespace.name, from)
      const upgrade = await look(cluster, namespace.name, to, { previous: from, isServerSide: false })
      expect(upgrade.plan.problems).toEqual([])
      expect(told(upgrade).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual(['update web: chart-changed'])
      for (const [id, object] of await applyAll(cluster, upgrade))
        expect(changedPaths(upgrade.planned.payloads.get(id)?.result ?? {}, object), id).toEqual([])
    })
  }

  test('a field that somebody else changed is a conflict with them, not with helm', async ({ namespace }) => {
    await install(namespace.name, before)
    const patch = { data: { kept: 'edited' } }
    await namespace.api.request(
      'PATCH',
      `${namespace.path}/configmaps/settings?fieldManager=kubectl-edit`,
      patch,
      'application/merge-patch+json',
    )
    const upgrade = await look(cluster, namespace.name, before, { previous: before, isServerSide: false })
    expect(upgrade.plan.problems.map(({ what }) => what)).toEqual([
      'fields are owned by other field managers: .data.kept (kubectl-edit)',
    ])
  })

  test('nothing to do is nothing to do', async ({ namespace }) => {
    await install(namespace.name, before)
    const upgrade = await look(cluster, namespace.name, before, { previous: before, isServerSide: false })
    expect(applies(upgrade).map(({ change }) => change)).toEqual(['none', 'none'])
  })
})

describe('an account that may only read', () => {
  const reading = { apiGroups: ['', 'apps', 'batch'], resources: ['*'], verbs: ['get', 'list', 'watch'] }

  const policy = 'apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: { name: a }'
  const ingress = 'ingress: [{ from: [{ podSelector: { matchLabels: { x: y } } }], ports: [{ port: 80 }] }]'
  const closed = `{ ${policy}, spec: { podSelector: { matchLabels: { app: web } }, ${ingress} } }`
  const rule = '{ apiGroups: [""], resources: [secrets], verbs: [get], resourceNames: [one] }'
  const role = `{ apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: { name: a }, rules: [${rule}] }`
  const pod = `
    apiVersion: apps/v1
    kind: Deployment
    metadata: { name: a }
    spec:
      selector: { matchLabels: { app: a } }
      template:
        metadata: { labels: { app: a } }
        spec: { nodeSelector: { disk: ssd }, containers: [{ name: a, image: a, securityContext: { privileged: false } }] }`

  test.for<[string, string, string, string]>([
    ['peers of a NetworkPolicy', closed, 'from: [{ podSelector: { matchLabels: { x: y } } }], ', ''],
    ['the selector of peers', closed, '{ matchLabels: { x: y } }', '{}'],
    ['the selector of a NetworkPolicy', closed, '{ matchLabels: { app: web } }', '{}'],
    ['names in a Role', role, ', resourceNames: [one]', ''],
    ['a map by null', pod, 'nodeSelector: { disk: ssd }', 'nodeSelector: null'],
    ['a map by an empty one', pod, 'nodeSelector: { disk: ssd }', 'nodeSelector: {}'],
    ['a value by null', pod, 'privileged: false', 'privileged: null'],
  ])('sees like the dry run what goes: %s', async ([_what, previous, from, to], { namespace }) => {
    await applyAll(cluster, await look(cluster, namespace.name, previous))
    const groups = ['networking.k8s.io', 'rbac.authorization.k8s.io', '', 'apps', 'batch']
    const weak = await openCluster(await createUser(namespace, [{ ...reading, apiGroups: groups }]))
    try {
      const same = await look(weak, namespace.name, previous, { previous, mayDryRunBeForbidden: true })
      expect(applies(same).map(({ change }) => change)).toEqual(['none'])
      const desired = previous.replace(from, to)
      const strong = await look(cluster, namespace.name, desired, { previous })
      const plan = await look(weak, namespace.name, desired, { previous, mayDryRunBeForbidden: true })
      expect(applies(plan).map(({ change }) => change)).toEqual(applies(strong).map(({ change }) => change))
      expect(applies(plan).map(({ change }) => change)).toEqual(['update'])
    } finally {
      await weak.close()
    }
  })

  test('finds in the rendered fields what the dry run finds', async ({ namespace }) => {
    const previous = everything('x').replace('web:1', 'web:0')
    await applyAll(cluster, await look(cluster, namespace.name, previous))
    const weak = await openCluster(await createUser(namespace, [reading]))
    try {
      const desired = everything('y')
      const plan = await look(weak, namespace.name, desired, { previous, mayDryRunBeForbidden: true })
      const strong = await look(cluster, namespace.name, desired, { previous })
      expect(plan.plan.comparedBy).toBe('rendered-fields')
      expect(plan.plan.problems).toEqual([])
      expect(told(plan)).toEqual(told(strong))
      const [computed, asked] = [withoutDryRuns(strong.observed, strong.previous), plan.observed].map(({ dryRuns }) =>
        [...dryRuns].map(([key, one]) => [key, one.kind, 'object' in one ? withoutBookkeeping(one.object) : undefined]),
      )
      expect(computed).toEqual(asked)
    } finally {
      await weak.close()
    }
  })

  test('is told all that is missing at once, and nothing once it has the Role', async ({ namespace }) => {
    const { plan } = await look(cluster, namespace.name, deployment('web:1'))
    const needed = neededRights(plan, (await cluster.discovery()).kinds)
    const weak = await openCluster(await createUser(namespace, [reading]))
    const rules = needed.map(({ group, resource, verb }) => ({
      apiGroups: [group],
      resources: [resource],
      verbs: [verb],
    }))
    const strong = await openCluster(await createUser(namespace, rules))
    try {
      const missing = await missingRights(weak, needed)
      expect(missing.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual([
        'create secrets',
        'update secrets',
        'delete secrets',
        'get leases',
        'create leases',
        'update leases',
        'create deployments',
        'patch deployments',
      ])
      expect(await missingRights(strong, needed)).toEqual([])
    } finally {
      await Promise.all([weak.close(), strong.close()])
    }
  })
})

describe('admission', () => {
  const hook = (namespace: string, failurePolicy: string) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: `unreachable-${namespace}` },
    webhooks: [
      {
        name: 'unreachable.example.com',
        clientConfig: { url: 'https://127.0.0.1:1/' },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        timeoutSeconds: 1,
        failurePolicy,
      },
    ],
  })

  test('a webhook that cannot be asked leaves the row unknown until applied', async ({ namespace }) => {
    const path = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations'
    await namespace.api.create(path, hook(namespace.name, 'Fail'))
    try {
      const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n'
      await expect
        .poll(async () => told(await look(cluster, namespace.name, yaml)), { timeout: 120_000 })
        .toEqual(['create a: unknown-until-applied'])
    } finally {
      await namespace.api.remove(`${path}/unreachable-${namespace.name}`)
    }
  })

  test('what admission adds counts in the fingerprint', async ({ namespace }) => {
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { containers: [{ name: a, image: a }] }\n'
    const plain = await look(cluster, namespace.name, pod)
    await namespace.api.create(`${namespace.path}/limitranges`, {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'defaults' },
      spec: { limits: [{ type: 'Container', default: { memory: '64Mi' } }] },
    })
    const limited = await look(cluster, namespace.name, pod)
    const [payload] = limited.planned.payloads.values()
    expect(plain.fingerprint.hash).not.toBe(limited.fingerprint.hash)
    expect(stringAt(payload?.result, 'spec', 'containers', 0, 'resources', 'limits', 'memory')).toBe('64Mi')
  })
})

describe('quotas', () => {
  test('what each dry run allows, all together may exceed', async ({ namespace }) => {
    await namespace.api.create(`${namespace.path}/resourcequotas`, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'few' },
      spec: { hard: { 'count/secrets': '1' } },
    })
    const secret = (name: string) => `apiVersion: v1\nkind: Secret\nmetadata: { name: ${name} }\n`
    await expect
      .poll(
        async () => {
          const { plan } = await look(cluster, namespace.name, [secret('a'), secret('b')].join('---\n'))
          return plan.problems.map(({ what }) => what)
        },
        { timeout: 120_000 },
      )
      .toEqual(['allows 1 count/secrets, 0 are used, and this plan adds 2'])
  })
})

function pods(container: string): string {
  return `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 0
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "web:1", ${container} }] }
`
}

function service(port: string): string {
  return `{ apiVersion: v1, kind: Service, metadata: { name: web }, spec: { ports: [${port}] } }`
}
