import type { JsonObject, KubeObject } from '../../../src/model/object.ts'
import { type CommentCase, givenBy } from './comment-case.ts'

interface Version {
  readonly isNew: boolean
  readonly chart: string
  readonly app: string
}

const old: Version = { isNew: false, chart: 'stack-61.3.0', app: '0.75.0' }
const now: Version = { isNew: true, chart: 'stack-62.0.1', app: '0.76.1' }

/** A monitoring stack from one minor version to the next: a hundred objects, of which a reviewer should see a dozen. */
export const largeUpgrade: CommentCase = {
  title: 'a large upgrade: what is risky is seen at once, what nobody reads is counted',
  given: givenBy([...stack(old), ...goes()], [...stack(now), ...comes()], {
    served: ['monitoring.example.com/v1/Monitor'],
  }),
  secrets: [],
  hasOtherReports: true,
}

function stack(version: Version): readonly KubeObject[] {
  return [
    ...crds(version),
    ...quiet(version),
    ...access(version),
    ...webhooks(version),
    ...workloads(version),
    ...dashboards(version),
    ...hooks(version),
  ]
}

type Rest = JsonObject & { readonly annotations?: { readonly [key: string]: string } }

function object(version: Version, apiVersion: string, kind: string, name: string, rest: Rest): KubeObject {
  const { annotations, ...body } = rest
  const labels = {
    app: 'stack',
    'app.kubernetes.io/name': name,
    'app.kubernetes.io/version': version.app,
    'helm.sh/chart': version.chart,
  }
  return {
    apiVersion,
    kind,
    metadata: { name, labels, ...(annotations === undefined ? {} : { annotations }) },
    ...body,
  }
}

/** Ten CRDs: one drops a version, one tightens a field, two get fields, the others get new descriptions. */
function crds(version: Version): readonly KubeObject[] {
  const text = (name: string): JsonObject => ({
    type: 'string',
    description: `The ${name} of the object${version.isNew ? ', as documented' : ''}.`,
  })
  const fields = [
    'name',
    'interval',
    'timeout',
    'labels',
    'selector',
    'port',
    'scheme',
    'path',
    'params',
    'relabelings',
  ]
  return [
    'alertmanagers',
    'configs',
    'monitors',
    'podmonitors',
    'probes',
    'agents',
    'stacks',
    'rules',
    'scrapes',
    'rulers',
  ].map((plural, index): KubeObject => {
    const more: JsonObject = version.isNew && (index === 2 || index === 3) ? { limits: text('limits') } : {}
    const tight: JsonObject =
      index === 4 ? { interval: { ...text('interval'), ...(version.isNew ? { pattern: '^[0-9]+s$' } : {}) } } : {}
    const properties = { ...Object.fromEntries(fields.map((name) => [name, text(name)])), ...more, ...tight }
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } }
    const v1 = { name: 'v1', served: true, storage: true, schema }
    const alpha = { name: 'v1alpha1', served: true, storage: false, schema }
    return object(version, 'apiextensions.k8s.io/v1', 'CustomResourceDefinition', `${plural}.monitoring.example.com`, {
      spec: {
        group: 'monitoring.example.com',
        scope: 'Namespaced',
        names: { plural, kind: plural.replace(/s$/, '') },
        versions: index === 1 && !version.isNew ? [alpha, v1] : [v1],
      },
    })
  })
}

/** Forty objects of which only the labels of the chart change. */
function quiet(version: Version): readonly KubeObject[] {
  const of = (amount: number, make: (index: number) => KubeObject) => Array.from({ length: amount }, (_, i) => make(i))
  return [
    ...of(6, (i) => object(version, 'v1', 'ServiceAccount', `stack-account-${i}`, {})),
    ...of(8, (i) => object(version, 'v1', 'Service', `stack-service-${i}`, { spec: { ports: [{ port: 8080 + i }] } })),
    ...of(14, (i) =>
      object(version, 'monitoring.example.com/v1', 'Monitor', `stack-monitor-${i}`, {
        spec: { endpoints: [{ port: 'metrics', interval: '30s' }] },
      }),
    ),
    ...of(12, (i) =>
      object(version, 'v1', 'ConfigMap', `stack-rules-${i}`, { data: { 'rules.yaml': `alert: Down${i}\n` } }),
    ),
  ]
}

/** One account gains secrets, one role loses a rule. */
function access(version: Version): readonly KubeObject[] {
  const rbac = 'rbac.authorization.k8s.io/v1'
  const rule = (resources: readonly string[], verbs: readonly string[]) => ({ apiGroups: [''], resources, verbs })
  const watch = ['get', 'list', 'watch']
  return [
    object(version, rbac, 'ClusterRole', 'stack-operator', {
      rules: [
        rule(['configmaps'], watch),
        ...(version.isNew ? [rule(['secrets'], ['*'])] : []),
        rule(['pods'], ['list', 'delete']),
      ],
    }),
    object(version, rbac, 'Role', 'stack-ui', {
      rules: [rule(['configmaps'], watch), ...(version.isNew ? [] : [rule(['events'], ['create'])])],
    }),
    object(version, rbac, 'ClusterRoleBinding', 'stack-operator', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'stack-operator' },
      subjects: [{ kind: 'ServiceAccount', name: 'stack-account-0', namespace: 'web' }],
    }),
  ]
}

/** The webhook now refuses what it cannot check. */
function webhooks(version: Version): readonly KubeObject[] {
  return [
    object(version, 'admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'stack-admission', {
      webhooks: [
        {
          name: 'rules.monitoring.example.com',
          failurePolicy: version.isNew ? 'Fail' : 'Ignore',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          clientConfig: { service: { name: 'stack-operator', namespace: 'web', path: '/admit' } },
          rules: [
            { apiGroups: ['monitoring.example.com'], apiVersions: ['*'], operations: ['CREATE'], resources: ['rules'] },
          ],
        },
      ],
    }),
  ]
}

function workloads(version: Version): readonly KubeObject[] {
  const next = <T>(before: T, after: T): T => (version.isNew ? after : before)
  const pods = (name: string, image: string, container: JsonObject = {}, annotations?: JsonObject): JsonObject => ({
    metadata: {
      labels: { app: name, 'helm.sh/chart': version.chart },
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec: {
      serviceAccountName: name,
      containers: [
        {
          name,
          image,
          args: ['--web.listen-address=:9090', '--log.level=info'],
          ports: [{ name: 'http', containerPort: 9090 }],
          resources: { requests: { cpu: '100m', memory: '128Mi' } },
          securityContext: { readOnlyRootFilesystem: true },
          ...container,
        },
      ],
    },
  })
  const workload = (kind: string, name: string, image: string, more: JsonObject = {}, template: JsonObject = {}) =>
    object(version, 'apps/v1', kind, name, {
      spec: {
        selector: { matchLabels: { app: name } },
        ...more,
        template: pods(name, `registry.example.com/monitoring/${image}`, template),
      },
    })
  return [
    workload('Deployment', 'operator', next('operator:v0.75.0', 'operator:v0.76.1'), { replicas: 1 }),
    workload(
      'Deployment',
      'ui',
      next('ui:11.1.0', 'ui:11.2.0'),
      { replicas: 3 },
      {
        resources: { requests: { cpu: next('100m', '250m'), memory: next('128Mi', '256Mi') } },
        env: next(
          [{ name: 'LOG', value: 'info' }],
          [
            { name: 'LOG', value: 'debug' },
            { name: 'THEME', value: 'dark' },
          ],
        ),
      },
    ),
    workload('Deployment', 'state-metrics', next('state-metrics:v2.12.0', 'state-metrics:v2.13.0'), { replicas: 1 }),
    workload('DaemonSet', 'node-exporter', next('node-exporter:v1.8.1', 'node-exporter:v1.8.2'), {
      updateStrategy: { type: 'RollingUpdate' },
    }),
    workload('StatefulSet', 'store', next('store:v2.53.1', 'store:v2.54.0'), { replicas: 2, serviceName: 'store' }),
    workload('StatefulSet', 'alerts', next('alerts:v0.27.0', 'alerts:v0.28.0'), {
      replicas: 2,
      serviceName: 'alerts',
      updateStrategy: { type: 'OnDelete' },
    }),
  ]
}

/** Twelve dashboards, each a JSON text of hundreds of lines; a few lines change in eight of them. */
function dashboards(version: Version): readonly KubeObject[] {
  return Array.from({ length: 12 }, (_, index) => {
    const panels = Array.from({ length: 30 }, (_panel, at) => ({
      id: at,
      title: `Panel ${at}`,
      expr: version.isNew && index < 8 && at % 5 === 0 ? `sum by (job) (rate(m${at}[5m]))` : `sum(rate(m${at}[5m]))`,
      unit: 'short',
    }))
    return object(version, 'v1', 'ConfigMap', `dashboard-${index}`, {
      data: { [`dashboard-${index}.json`]: JSON.stringify({ title: `Dashboard ${index}`, panels }) },
    })
  })
}

/** As charts with admission webhooks have them: a certificate is made before, and used after. */
function hooks(version: Version): readonly KubeObject[] {
  const both = { 'helm.sh/hook': 'pre-upgrade,post-upgrade', 'helm.sh/hook-delete-policy': 'before-hook-creation' }
  const job = (name: string, event: string, args: readonly string[]) =>
    object(version, 'batch/v1', 'Job', name, {
      annotations: { 'helm.sh/hook': event, 'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded' },
      spec: {
        template: {
          spec: {
            restartPolicy: 'Never',
            containers: [{ name: 'certs', image: `certs:${version.isNew ? 'v1.4.3' : 'v1.4.1'}`, args }],
          },
        },
      },
    })
  const rules = [{ apiGroups: ['admissionregistration.k8s.io'], resources: ['*'], verbs: ['get', 'update'] }]
  return [
    object(version, 'v1', 'ServiceAccount', 'stack-admission', { annotations: both }),
    object(version, 'rbac.authorization.k8s.io/v1', 'ClusterRole', 'stack-admission', { annotations: both, rules }),
    job('admission-create', 'pre-upgrade', ['create', '--host=stack']),
    job('admission-patch', 'post-upgrade', ['patch', '--webhook-name=stack']),
  ]
}

function comes(): readonly KubeObject[] {
  return [
    ...[1, 2, 3].map((index) =>
      object(now, 'v1', 'ConfigMap', `dashboard-new-${index}`, { data: { 'd.json': `{"title":"New ${index}"}` } }),
    ),
    object(now, 'networking.k8s.io/v1', 'NetworkPolicy', 'store', {
      spec: { podSelector: { matchLabels: { app: 'store' } }, policyTypes: ['Ingress'] },
    }),
    object(now, 'policy/v1', 'PodDisruptionBudget', 'store', {
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'store' } } },
    }),
  ]
}

function goes(): readonly KubeObject[] {
  return [
    object(old, 'v1', 'PersistentVolumeClaim', 'store-legacy', {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '50Gi' } } },
    }),
    object(old, 'v1', 'ConfigMap', 'dashboard-gone', { data: { 'd.json': '{"title":"Gone"}' } }),
  ]
}
