import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import { type KindName, nameOf, type Place, type Thing } from './things.ts'

interface Content {
  readonly apiVersion: string
  readonly kind: string
  readonly rest: JsonObject
}

/** What stands in an object of each kind, beside its metadata. */
export const contents: { readonly [K in KindName]: (thing: Thing, place: Place) => Content } = {
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
}

function content(apiVersion: string, kind: string, rest: JsonObject): Content {
  return { apiVersion, kind, rest }
}

export function crdOf({ value }: Thing, { group }: Place): KubeObject {
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
