import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/model/object.ts'
import type { Operation } from '../../../src/model/plan.ts'
import { rowsOf } from '../../../src/report/rows/rows.ts'
import { plainText } from '../../../src/report/words/phrase.ts'
import { whyPhrase } from '../../../src/report/words/row-text.ts'
import { apply, deletes, group, plan, ref, stage } from '../plans.ts'

const apiVersions: Readonly<Record<string, string>> = {
  ConfigMap: 'v1',
  CronJob: 'batch/v1',
  HTTPRoute: 'gateway.networking.k8s.io/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  Ingress: 'networking.k8s.io/v1',
  Job: 'batch/v1',
  LimitRange: 'v1',
  PersistentVolumeClaim: 'v1',
  Pod: 'v1',
  PodDisruptionBudget: 'policy/v1',
  ResourceQuota: 'v1',
  Secret: 'v1',
  Service: 'v1',
  ServiceAccount: 'v1',
}

const yaml = (text: string) => load(text) as JsonObject
const refOf = (kind: string) => ref(apiVersions[kind] ?? 'apps/v1', kind, 'web')

function why(operation: Operation): string {
  const rows = rowsOf(plan({ stages: [stage('main', [group(0, [[operation]])])] }), [])
  return rows.map((row) => plainText(whyPhrase(row))).join('\n')
}

const pods = (...images: readonly string[]) =>
  `template: { spec: { containers: [${images.map((image) => `{ image: "${image}" }`).join(', ')}] } }`

test.each<[string, string, string]>([
  ['Deployment', `spec: { replicas: 2, ${pods('shop:2')} }`, 'runs shop:2, 2 pods'],
  ['Deployment', `spec: { replicas: 1, ${pods('shop:2', 'proxy:1')} }`, 'runs shop:2, proxy:1, 1 pod'],
  ['StatefulSet', `spec: { ${pods('a:1', 'b:1', 'c:1')} }`, 'runs a:1, b:1 and 1 more, 1 pod'],
  ['DaemonSet', `spec: { ${pods('agent:1')} }`, 'runs agent:1, a pod on each node that it selects'],
  ['Job', `spec: { ${pods('migrate:1')} }`, 'runs migrate:1'],
  [
    'CronJob',
    `spec: { schedule: 0 3 * * *, jobTemplate: { spec: { ${pods('backup:1')} } } }`,
    'runs backup:1 daily at 03:00',
  ],
  [
    'CronJob',
    `spec: { schedule: 0 3 * * *, suspend: true, jobTemplate: { spec: { ${pods('backup:1')} } } }`,
    'runs backup:1, suspended',
  ],
  ['Pod', 'spec: { containers: [{ image: debug:1 }] }', 'runs debug:1'],
  [
    'CronJob',
    `spec: { schedule: 0 3 * * 1#2, timeZone: Etc/UTC, jobTemplate: { spec: { ${pods('backup:1')} } } }`,
    'runs backup:1 at 0 3 * * 1#2 (Etc/UTC)',
  ],
  [
    'StatefulSet',
    `spec: { replicas: 3, ${pods('db:16')}, volumeClaimTemplates: [{ spec: { resources: { requests: { storage: 10Gi } } } }] }`,
    'runs db:16, 3 pods with 10Gi each',
  ],
  [
    'StatefulSet',
    `spec: { ${pods('db:16')}, volumeClaimTemplates: [${['data', 'wal'].map((name) => `{ metadata: { name: ${name} }, spec: { resources: { requests: { storage: 1Gi } } } }`).join(', ')}] }`,
    'runs db:16, 1 pod with data 1Gi, wal 1Gi each',
  ],
  ['Service', 'spec: { type: ExternalName }', 'type ExternalName'],
  ['Service', 'spec: { type: ExternalName, externalName: db.example.com }', 'an alias of db.example.com'],
  ['Service', 'spec: { ports: [{ port: 80 }] }', 'port 80'],
  [
    'Service',
    'spec: { ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }, { port: 80 }] }',
    'ports 53, 80',
  ],
  [
    'HorizontalPodAutoscaler',
    'spec: { scaleTargetRef: { kind: Deployment, name: web }, maxReplicas: 6, metrics: [{ type: Resource, resource: { name: cpu, target: { averageUtilization: 80 } } }, { type: Resource, resource: { name: memory, target: { averageValue: 500Mi } } }] }',
    'scales Deployment/web between 1 and 6 pods at 80 % CPU, 500Mi memory per pod',
  ],
  [
    'HorizontalPodAutoscaler',
    'spec: { scaleTargetRef: { kind: Deployment, name: web }, minReplicas: 2, maxReplicas: 6, metrics: [{ type: External, external: { metric: { name: queue_length }, target: { value: 30 } } }] }',
    'scales Deployment/web between 2 and 6 pods at 30 queue_length',
  ],
  [
    'HorizontalPodAutoscaler',
    'spec: { scaleTargetRef: { kind: StatefulSet, name: db }, maxReplicas: 2, targetCPUUtilizationPercentage: 50 }',
    'scales StatefulSet/db between 1 and 2 pods at 50 % CPU',
  ],
  [
    'PodDisruptionBudget',
    'spec: { minAvailable: 1, selector: {} }',
    'keeps at least 1 of the pods available, selects no pods of the release',
  ],
  [
    'PodDisruptionBudget',
    'spec: { maxUnavailable: 50%, selector: {} }',
    'lets at most 50% of the pods be unavailable, selects no pods of the release',
  ],
  [
    'PersistentVolumeClaim',
    'spec: { resources: { requests: { storage: 10Gi } }, storageClassName: fast, accessModes: [ReadWriteOnce] }',
    'asks for 10Gi of storage class fast, ReadWriteOnce',
  ],
  ['PersistentVolumeClaim', 'spec: { resources: { requests: { storage: 10Gi } } }', 'asks for 10Gi'],
  [
    'ResourceQuota',
    'spec: { hard: { pods: 20, requests.cpu: "10" } }',
    'limits the namespace to pods 20, requests.cpu 10',
  ],
  [
    'LimitRange',
    'spec: { limits: [{ type: Container, defaultRequest: { cpu: 100m } }, { type: PersistentVolumeClaim, max: { storage: 1Ti } }] }',
    'limits each PersistentVolumeClaim, sets defaults for each Container',
  ],
  ['ConfigMap', 'data: { shop.yaml: a }', 'key shop.yaml'],
  ['Secret', 'data: { a: "1", b: "2", c: "3", d: "4" }', 'keys a, b, c and 1 more'],
  ['ServiceAccount', '{}', ''],
  [
    'Ingress',
    'spec: { tls: [{}], rules: [{ host: shop.example.com, http: { paths: [{ path: /, backend: { service: { name: web } } }, { path: /api, backend: { service: { name: api } } }] } }] }',
    'serves shop.example.com, shop.example.com/api by Service/web, Service/api, with TLS',
  ],
  ['Ingress', 'spec: { defaultBackend: { service: { name: web } } }', 'serves any host by Service/web'],
  ['Ingress', 'spec: {}', ''],
  [
    'HTTPRoute',
    'spec: { rules: [{ backendRefs: [{ name: web }] }] }',
    'serves all hosts of its Gateway by Service/web',
  ],
  ['HTTPRoute', 'spec: {}', ''],
  [
    'HTTPRoute',
    'spec: { hostnames: [shop.example.com], rules: [{ backendRefs: [{ name: web, port: 80 }] }] }',
    'serves shop.example.com by Service/web',
  ],
  ['Service', 'spec: { type: ClusterIP }', ''],
  ['Service', 'spec: {}', ''],
  ['ConfigMap', `spec: { ${pods('shop:2')} }`, ''],
])('a new %s of %s: %s', (kind, body, expected) => {
  expect(why(apply(refOf(kind), 'create', { code: 'new' }, { after: yaml(body) }))).toBe(expected)
})

test.each<[string, string, string]>([
  ['Deployment', `spec: { replicas: 2, ${pods('shop:2')} }`, '⚠️ 2 pods of shop:2 stop'],
  ['StatefulSet', `spec: { replicas: 1, ${pods('db:16')} }`, '⚠️ 1 pod of db:16 stops'],
  ['DaemonSet', `spec: { ${pods('agent:1')} }`, '⚠️ pods of agent:1 stop'],
  ['DaemonSet', `{ spec: { ${pods('agent:1')} }, status: { desiredNumberScheduled: 5 } }`, '⚠️ 5 pods of agent:1 stop'],
  ['DaemonSet', `{ spec: { ${pods('agent:1')} }, status: { desiredNumberScheduled: 0 } }`, 'no longer in the chart'],
  ['ReplicaSet', `spec: { replicas: 3, ${pods('old:1')} }`, '⚠️ 3 pods of old:1 stop'],
  ['Pod', 'spec: { containers: [{ image: debug:1 }] }', '⚠️ 1 pod of debug:1 stops'],
  ['Pod', 'spec: { restartPolicy: Never, containers: [{ image: once:1 }] }', 'no longer in the chart'],
  ['Pod', '{ spec: { containers: [{ image: debug:1 }] }, status: { phase: Failed } }', 'no longer in the chart'],
  ['CronJob', `spec: { jobTemplate: { spec: { ${pods('backup:1')} } } }`, '⚠️ no longer runs backup:1'],
  [
    'CronJob',
    `spec: { schedule: 0 3 * * *, timeZone: Etc/UTC, jobTemplate: { spec: { ${pods('backup:1')} } } }`,
    '⚠️ no longer runs backup:1 (daily at 03:00 (Etc/UTC))',
  ],
  [
    'CronJob',
    `spec: { schedule: 0 3 * * *, suspend: true, jobTemplate: { spec: { ${pods('backup:1')} } } }`,
    'no longer runs backup:1',
  ],
  [
    'PersistentVolumeClaim',
    'spec: { resources: { requests: { storage: 50Gi } } }',
    "⚠️ its 50Gi are deleted with it, unless the volume's reclaim policy is Retain",
  ],
  [
    'PersistentVolumeClaim',
    '{ spec: { resources: { requests: { storage: 50Gi } } }, status: { capacity: { storage: 80Gi } } }',
    "⚠️ its 80Gi are deleted with it, unless the volume's reclaim policy is Retain",
  ],
  ['Service', 'spec: {}', '⚠️ the name web no longer resolves'],
  ['Deployment', `spec: { replicas: 0, ${pods('shop:2')} }`, 'no longer in the chart'],
  ['Job', `spec: { ${pods('migrate:1')} }`, 'no longer in the chart'],
  ['ConfigMap', 'data: {}', 'no longer in the chart'],
])('a deleted %s of %s: %s', (kind, body, expected) => {
  expect(why(deletes(refOf(kind), { code: 'pruned' }, { before: yaml(body) }))).toBe(expected)
})

test.each<[string, readonly string[], string]>([
  ['ConfigMap', ['Deployment/web'], '⚠️ still used by Deployment/web: its next pod does not start'],
  [
    'Secret',
    ['Deployment/web', 'CronJob/report'],
    '⚠️ still used by Deployment/web, CronJob/report: their next pods do not start',
  ],
  ['ServiceAccount', ['StatefulSet/db'], '⚠️ still used by StatefulSet/db: its next pod does not start'],
  ['Secret', ['Ingress/web'], '⚠️ still used by Ingress/web'],
  [
    'Secret',
    ['Ingress/web', 'DaemonSet/agent'],
    '⚠️ still used by DaemonSet/agent: its next pod does not start; still used by Ingress/web',
  ],
  ['ConfigMap', ['Pod/debug'], '⚠️ still used by Pod/debug'],
  ['Service', ['StatefulSet/db'], '⚠️ still used by StatefulSet/db; ⚠️ the name web no longer resolves'],
])('a deleted %s that %s still need', (kind, usedBy, expected) => {
  const impact = { risk: 'removed' as const, fields: [], usedBy }
  expect(why(deletes(refOf(kind), { code: 'pruned' }, { before: {}, impact }))).toBe(expected)
})

test('a workload that becomes one of another kind stops nothing that does not start again', () => {
  const old = yaml(`spec: { replicas: 2, ${pods('db:16')} }`)
  const operations = [
    apply(refOf('StatefulSet'), 'create', { code: 'new' }, { after: old }),
    deletes(refOf('Deployment'), { code: 'pruned' }, { before: old }),
  ]
  const rows = rowsOf(plan({ stages: [stage('main', [group(0, [operations])])] }), [])

  expect(rows.map((row) => plainText(whyPhrase(row)))).not.toContainEqual(expect.stringContaining('⚠️'))
})

test('an uninstall is the reason of each of its deletions', () => {
  const body = yaml(`spec: { replicas: 2, ${pods('shop:2')} }`)

  expect(why(deletes(refOf('Deployment'), { code: 'uninstalled' }, { before: body }))).toBe('uninstalled')
})
