import type { JsonObject, KubeObject } from '../../src/model/object.ts'

/** One object of a random release, as small numbers: what a number means is the kind's affair. */
export interface Thing {
  readonly kind: KindName
  /** Which of the objects of its kind. */
  readonly name: number
  /** The field that changes most often. */
  readonly value: number
  /** How many keys or list items there are, and how they are called. */
  readonly shape: number
  readonly labels: number
  /** A field that the API server lets nobody change. */
  readonly fixed: number
  /** Index in POLICIES. */
  readonly policy: number
}

export type KindName = keyof typeof kinds

export interface Place {
  readonly namespace: string
  /** API group of this release's own kind. */
  readonly group: string
}

/** Annotations that say how an object is deployed; most objects have none. */
export const POLICIES: readonly { readonly [key: string]: string }[] = [
  {},
  { 'werf.io/weight': '-5' },
  { 'werf.io/weight': '10' },
  { 'helm.sh/resource-policy': 'keep' },
  { 'werf.io/ownership': 'anyone' },
  { 'werf.io/delete-policy': 'before-creation' },
  { 'werf.io/delete-policy': 'before-creation-if-immutable' },
  { 'werf.io/delete-policy': 'succeeded' },
  { 'werf.io/resource-policy': 'skip-update' },
  { 'werf.io/resource-policy': 'skip-create' },
  { 'werf.io/deploy-on': 'upgrade' },
  { 'werf.io/deploy-on': 'pre-upgrade,install' },
  { 'kots.io/creation-phase': '2' },
  { 'kots.io/keep': 'true' },
  { 'werf.io/sensitive': 'true' },
  { 'helm.sh/hook': 'pre-install,pre-upgrade' },
  { 'helm.sh/hook': 'post-upgrade', 'helm.sh/hook-weight': '3' },
  { 'helm.sh/hook': 'pre-upgrade,post-upgrade', 'helm.sh/hook-delete-policy': 'hook-succeeded' },
  { 'helm.sh/hook': 'post-install,post-upgrade', 'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded' },
  { 'helm.sh/hook': 'pre-upgrade', 'helm.sh/hook-delete-policy': 'hook-failed' },
  { 'helm.sh/hook': 'pre-rollback' },
]

/** The objects of a thing: for a custom resource its CRD as well. */
export function objectsOf(thing: Thing, place: Place): readonly KubeObject[] {
  const { apiVersion, kind, rest } = kinds[thing.kind](thing, place)
  const metadata = {
    name: nameOf(thing),
    namespace: place.namespace,
    labels: {
      app: nameOf(thing),
      'helm.sh/chart': `shop-${thing.labels}`,
      ...(thing.labels === 2 ? { tier: 'b' } : {}),
    },
    annotations: { ...POLICIES[thing.policy], ...waitingOf(thing) },
  }
  const object: KubeObject = { apiVersion, kind, metadata, ...rest }
  return thing.kind === 'Widget' ? [crdOf(thing, place), object] : [object]
}

export function nameOf({ kind, name }: Thing): string {
  return `${kind.toLowerCase()}-${name}`
}

/** Plurals as the API server's audit log has them. */
export const resources: { readonly [K in KindName | 'CustomResourceDefinition']: string } = {
  ConfigMap: 'configmaps',
  Secret: 'secrets',
  Service: 'services',
  ServiceAccount: 'serviceaccounts',
  Deployment: 'deployments',
  StatefulSet: 'statefulsets',
  Job: 'jobs',
  CronJob: 'cronjobs',
  Role: 'roles',
  RoleBinding: 'rolebindings',
  Ingress: 'ingresses',
  NetworkPolicy: 'networkpolicies',
  PodDisruptionBudget: 'poddisruptionbudgets',
  HorizontalPodAutoscaler: 'horizontalpodautoscalers',
  PersistentVolumeClaim: 'persistentvolumeclaims',
  Widget: 'widgets',
  CustomResourceDefinition: 'customresourcedefinitions',
}

interface Content {
  readonly apiVersion: string
  readonly kind: string
  readonly rest: JsonObject
}

const kinds = {
  ConfigMap: ({ value, shape, fixed }: Thing) =>
    content('v1', 'ConfigMap', { data: dataOf(value, shape), ...(fixed === 2 ? { immutable: true } : {}) }),
  Secret: ({ value, shape, fixed }: Thing) =>
    content('v1', 'Secret', {
      type: fixed === 2 ? 'example.com/other' : 'Opaque',
      ...(shape === 0
        ? { stringData: dataOf(value, shape) }
        : { data: Object.fromEntries(Object.entries(dataOf(value, shape)).map(([key, text]) => [key, base64(text)])) }),
    }),
  Service: (thing: Thing) =>
    content('v1', 'Service', {
      spec: {
        type: ['ClusterIP', 'NodePort', 'ClusterIP'][thing.value] ?? 'ClusterIP',
        selector: { app: `web-${thing.labels}` },
        ports: portsOf(thing.shape),
        ...(thing.fixed === 2 && thing.value !== 1 ? { clusterIP: 'None' } : {}),
      },
    }),
  ServiceAccount: ({ value }: Thing) =>
    content('v1', 'ServiceAccount', value === 0 ? {} : { automountServiceAccountToken: value === 1 }),
  Deployment: (thing: Thing) =>
    content('apps/v1', 'Deployment', {
      spec: {
        ...(thing.shape === 2 ? {} : { replicas: 0 }),
        paused: thing.shape === 2,
        selector: { matchLabels: { app: selectorOf(thing) } },
        template: podOf(thing, 'Always'),
      },
    }),
  StatefulSet: (thing: Thing) =>
    content('apps/v1', 'StatefulSet', {
      spec: {
        replicas: 0,
        serviceName: `service-${thing.fixed}`,
        selector: { matchLabels: { app: nameOf(thing) } },
        template: podOf({ ...thing, fixed: 0 }, 'Always'),
      },
    }),
  // Nothing to complete: done at once, without a pod.
  Job: (thing: Thing) =>
    content('batch/v1', 'Job', {
      spec: {
        completions: 0,
        parallelism: thing.shape,
        ...(thing.value === 2 ? { ttlSecondsAfterFinished: 9_000 } : {}),
        template: podOf({ ...thing, value: thing.fixed, shape: 0 }, 'Never'),
      },
    }),
  CronJob: (thing: Thing) =>
    content('batch/v1', 'CronJob', {
      spec: {
        schedule: `${thing.value} 3 1 1 *`,
        suspend: true,
        jobTemplate: { spec: { template: podOf(thing, 'Never') } },
      },
    }),
  Role: ({ value, shape }: Thing) =>
    content('rbac.authorization.k8s.io/v1', 'Role', {
      rules: ['pods', 'services', 'secrets']
        .slice(0, shape + 1)
        .map((resource) => ({ apiGroups: [''], resources: [resource], verbs: ['get', 'list', 'watch'].slice(value) })),
    }),
  RoleBinding: ({ value, fixed }: Thing, { namespace }: Place) =>
    content('rbac.authorization.k8s.io/v1', 'RoleBinding', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: `role-${fixed}` },
      subjects: [{ kind: 'ServiceAccount', name: `account-${value}`, namespace }],
    }),
  Ingress: ({ value, shape }: Thing) =>
    content('networking.k8s.io/v1', 'Ingress', {
      spec: {
        rules: ['a', 'b', 'c'].slice(0, shape + 1).map((host) => ({
          host: `${host}.example.com`,
          http: {
            paths: [
              {
                path: `/${value}`,
                pathType: 'Prefix',
                backend: { service: { name: 'web', port: { number: 80 + value } } },
              },
            ],
          },
        })),
      },
    }),
  NetworkPolicy: ({ value, shape }: Thing) =>
    content('networking.k8s.io/v1', 'NetworkPolicy', {
      spec: {
        podSelector: { matchLabels: { app: `web-${value}` } },
        policyTypes: ['Ingress'],
        ingress: [{ ports: [80, 81, 82].slice(0, shape + 1).map((port) => ({ port })) }],
      },
    }),
  PodDisruptionBudget: ({ value, shape }: Thing) =>
    content('policy/v1', 'PodDisruptionBudget', {
      spec: {
        selector: { matchLabels: { app: 'web' } },
        ...(shape === 0 ? { minAvailable: value } : { maxUnavailable: `${10 + value}%` }),
      },
    }),
  HorizontalPodAutoscaler: ({ value, shape }: Thing) =>
    content('autoscaling/v2', 'HorizontalPodAutoscaler', {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'nobody' },
        maxReplicas: 3 + value,
        metrics: ['cpu', 'memory'].slice(0, shape).map((name) => ({
          type: 'Resource',
          resource: { name, target: { type: 'Utilization', averageUtilization: 70 } },
        })),
      },
    }),
  PersistentVolumeClaim: ({ value, fixed }: Thing) =>
    content('v1', 'PersistentVolumeClaim', {
      spec: {
        accessModes: [fixed === 2 ? 'ReadWriteMany' : 'ReadWriteOnce'],
        resources: { requests: { storage: `${value + 1}Gi` } },
      },
    }),
  Widget: ({ value, shape }: Thing, { group }: Place) =>
    content(`${group}/v1`, 'Widget', { spec: { size: value, parts: ['a', 'b', 'c'].slice(shape) } }),
} satisfies { readonly [kind: string]: (thing: Thing, place: Place) => Content }

function content(apiVersion: string, kind: string, rest: JsonObject): Content {
  return { apiVersion, kind, rest }
}

function crdOf({ value }: Thing, { group }: Place): KubeObject {
  const text = { type: 'string' }
  const spec = {
    type: 'object',
    properties: {
      size: { type: 'integer' },
      colour: { ...text, default: 'green' },
      parts: { type: 'array', items: text },
      ...(value === 2 ? { note: text } : {}),
    },
  }
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  }
}

/** No controller here makes these ready: they count once they are applied. */
function waitingOf({ kind }: Thing): { readonly [key: string]: string } {
  const isEndless = ['HorizontalPodAutoscaler', 'Ingress', 'PodDisruptionBudget'].includes(kind)
  return isEndless ? { 'werf.io/track-termination-mode': 'NonBlocking' } : {}
}

function dataOf(value: number, shape: number): { readonly [key: string]: string } {
  const first = shape === 2 ? 'renamed' : 'level'
  return { [first]: `value-${value}`, ...(shape === 1 ? { more: 'of it', 'a.yaml': `a: ${value}\nb: 2\n` } : {}) }
}

function portsOf(shape: number): JsonObject[] {
  const ports = [
    { name: 'http', port: 80, targetPort: 'http' },
    { name: 'metrics', port: 9_090 },
  ]
  return shape === 2 ? ports.toReversed() : ports.slice(0, shape + 1)
}

function podOf(thing: Thing, restartPolicy: 'Always' | 'Never'): JsonObject {
  const env = ['A', 'B', 'C'].slice(0, thing.shape).map((name) => ({ name, value: `${name}-${thing.value}` }))
  const isChecked = thing.labels === 1
  return {
    metadata: {
      labels: { app: selectorOf(thing) },
      ...(isChecked ? { annotations: { 'checksum/config': `sum-${thing.value}` } } : {}),
    },
    spec: {
      restartPolicy,
      containers: [
        { name: 'main', image: `example.com/web:${thing.value}`, env, ports: [{ containerPort: 80 + thing.value }] },
        ...(thing.shape === 1 ? [{ name: 'side', image: 'example.com/side:1' }] : []),
      ],
    },
  }
}

function selectorOf(thing: Thing): string {
  return thing.fixed === 2 ? 'other' : nameOf(thing)
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
