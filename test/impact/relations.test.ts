import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { impactOf } from '../../src/impact/assess.ts'
import { releaseObjects } from '../../src/impact/release-objects.ts'
import type { Impact } from '../../src/model/impact.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import { refOfObject } from '../../src/model/ref.ts'

const yaml = (text: string) => load(text) as JsonObject
const apiVersions: Readonly<Record<string, string>> = {
  APIService: 'apiregistration.k8s.io/v1',
  CronJob: 'batch/v1',
  Deployment: 'apps/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  Ingress: 'networking.k8s.io/v1',
  PodDisruptionBudget: 'policy/v1',
  PriorityClass: 'scheduling.k8s.io/v1',
  RuntimeClass: 'node.k8s.io/v1',
  StatefulSet: 'apps/v1',
  ValidatingWebhookConfiguration: 'admissionregistration.k8s.io/v1',
  Widget: 'example.com/v1',
}
const CLUSTER_SCOPED = ['APIService', 'PriorityClass', 'RuntimeClass', 'ValidatingWebhookConfiguration']

function object(kind: string, name: string, body = '{}', namespace = 'shop'): KubeObject {
  const metadata = CLUSTER_SCOPED.includes(kind) ? { name } : { name, namespace }
  return { ...yaml(body), apiVersion: apiVersions[kind] ?? 'v1', kind, metadata }
}

const pod = (spec: string, labels = '{ app: web }') =>
  `spec: { template: { metadata: { labels: ${labels} }, spec: ${spec} } }`
const web = (spec: string) => object('Deployment', 'web', pod(spec))

/** What is said of an object that is new beside these, or deleted while they stay. */
function relations(change: 'create' | 'delete', one: KubeObject, beside: readonly KubeObject[]) {
  const pair = change === 'create' ? { after: one } : { before: one }
  const all = releaseObjects(change === 'create' ? [...beside, one] : beside)
  const releases = { before: releaseObjects([]), after: all }
  const { usedBy, workloads }: Impact = impactOf({
    ref: refOfObject(one),
    change,
    real: pair,
    shown: pair,
    isDrifted: false,
    releases,
  })
  return { ...(usedBy && { usedBy }), ...(workloads && { workloads }) }
}

describe('who refers to an object', () => {
  test.each<[string, KubeObject, KubeObject]>([
    [
      'an environment from a ConfigMap',
      object('ConfigMap', 'a'),
      web('{ containers: [{ envFrom: [{ configMapRef: { name: a } }] }] }'),
    ],
    [
      'a variable from a Secret',
      object('Secret', 'a'),
      web('{ initContainers: [{ env: [{ valueFrom: { secretKeyRef: { name: a, key: b } } }] }] }'),
    ],
    ['a volume of a ConfigMap', object('ConfigMap', 'a'), web('{ volumes: [{ configMap: { name: a } }] }')],
    ['a volume of a Secret', object('Secret', 'a'), web('{ volumes: [{ secret: { secretName: a } }] }')],
    [
      'a projected volume',
      object('Secret', 'a'),
      web('{ volumes: [{ projected: { sources: [{ secret: { name: a } }] } }] }'),
    ],
    [
      'a claim',
      object('PersistentVolumeClaim', 'a'),
      web('{ volumes: [{ persistentVolumeClaim: { claimName: a } }] }'),
    ],
    ['an account', object('ServiceAccount', 'a'), web('{ serviceAccountName: a }')],
    ['a priority', object('PriorityClass', 'a'), web('{ priorityClassName: a }')],
    ['a way to run pods', object('RuntimeClass', 'a'), web('{ runtimeClassName: a }')],
    [
      'a CronJob',
      object('ServiceAccount', 'a'),
      object('CronJob', 'web', `spec: { jobTemplate: { ${pod('{ serviceAccountName: a }')} } }`),
    ],
    [
      'the backend of an Ingress',
      object('Service', 'a'),
      object('Ingress', 'web', 'spec: { rules: [{ http: { paths: [{ backend: { service: { name: a } } }] } }] }'),
    ],
    [
      'the certificate of an Ingress',
      object('Secret', 'a'),
      object('Ingress', 'web', 'spec: { tls: [{ secretName: a }] }'),
    ],
    [
      'a webhook',
      object('Service', 'a'),
      object(
        'ValidatingWebhookConfiguration',
        'web',
        'webhooks: [{ clientConfig: { service: { name: a, namespace: shop } } }]',
      ),
    ],
    [
      'an aggregated API',
      object('Service', 'a'),
      object('APIService', 'web', 'spec: { service: { name: a, namespace: shop } }'),
    ],
    ['the Service of a StatefulSet', object('Service', 'a'), object('StatefulSet', 'web', 'spec: { serviceName: a }')],
    [
      'the target of an autoscaler',
      object('Deployment', 'a'),
      object(
        'HorizontalPodAutoscaler',
        'web',
        'spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: a } }',
      ),
    ],
    [
      'a custom resource with a pod template',
      object('ConfigMap', 'a'),
      object('Widget', 'web', pod('{ volumes: [{ configMap: { name: a } }] }')),
    ],
  ])('%s, where it is new and where it goes', (_what, one, user) => {
    const usedBy = [`${user.kind}/web`]
    expect(relations('create', one, [user])).toEqual({ usedBy })
    expect(relations('delete', one, [user])).toEqual({ usedBy })
  })

  test.each<[string, string]>([
    ['an optional environment', '{ containers: [{ envFrom: [{ secretRef: { name: a, optional: true } }] }] }'],
    ['an optional volume', '{ volumes: [{ secret: { secretName: a, optional: true } }] }'],
    ['a Secret to pull images with', '{ imagePullSecrets: [{ name: a }] }'],
  ])('%s reads it, and does not need it', (_what, spec) => {
    expect(relations('create', object('Secret', 'a'), [web(spec)])).toEqual({ usedBy: ['Deployment/web'] })
    expect(relations('delete', object('Secret', 'a'), [web(spec)])).toEqual({})
  })

  test('one that needs it in one place and may miss it in another needs it', () => {
    const both = web('{ volumes: [{ secret: { secretName: a } }, { secret: { secretName: a, optional: true } }] }')
    expect(relations('delete', object('Secret', 'a'), [both])).toEqual({ usedBy: ['Deployment/web'] })
  })

  test('not one of another namespace, nor of an object of another name or kind', () => {
    const user = web('{ volumes: [{ configMap: { name: a } }] }')
    expect(relations('create', object('ConfigMap', 'a', '{}', 'other'), [user])).toEqual({})
    expect(relations('create', object('ConfigMap', 'b'), [user])).toEqual({})
    expect(relations('create', object('Secret', 'a'), [user])).toEqual({})
  })
})

describe('which workloads an object is about', () => {
  const others = [web('{}'), object('Deployment', 'api', pod('{}', '{ app: api }'))]
  const service = (selector: string) => object('Service', 'a', `spec: { selector: ${selector} }`)
  const budget = object('PodDisruptionBudget', 'a', 'spec: { selector: { matchLabels: { app: web } } }')
  const scaler = object(
    'HorizontalPodAutoscaler',
    'a',
    'spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web } }',
  )
  test.each<[string, KubeObject, readonly KubeObject[], readonly string[] | undefined]>([
    ['a Service by labels', service('{ app: web }'), others, ['Deployment/web']],
    ['a budget by its selector', budget, others, ['Deployment/web']],
    ['an autoscaler by its target', scaler, others, ['Deployment/web']],
    ['a Service that selects none', service('{ app: gone }'), others, []],
    [
      'the same where a controller may make the pods',
      service('{ app: gone }'),
      [...others, object('Widget', 'w')],
      undefined,
    ],
    ['a Service without a selector', service('{}'), others, undefined],
    ['an autoscaler of what is not in the release', scaler, [], undefined],
  ])('%s', (_what, one, beside, workloads) => {
    expect(relations('create', one, beside).workloads).toEqual(workloads)
  })

  test('of one that is deleted those that stay, and nothing where none does', () => {
    expect(relations('delete', service('{ app: web }'), others)).toEqual({ workloads: ['Deployment/web'] })
    expect(relations('delete', service('{ app: gone }'), others)).toEqual({})
  })
})

describe('a workload that is deleted', () => {
  const gone = object('Deployment', 'gone', pod('{}', '{ app: web, tier: old }'))
  const service = (selector: string) => object('Service', 'web', `spec: { selector: ${selector} }`)

  test('is still used by a Service that stays and finds no other pods', () => {
    expect(relations('delete', gone, [service('{ app: web }')])).toEqual({ usedBy: ['Service/web'] })
  })

  test.each<[string, readonly KubeObject[]]>([
    ['finds others', [service('{ app: web }'), web('{}')]],
    ['may find others, which a controller makes', [service('{ app: web }'), object('Widget', 'w')]],
    ['never found it', [service('{ app: api }')]],
    ['selects nothing by labels', [service('{}')]],
    ['is of another namespace', [{ ...service('{ app: web }'), metadata: { name: 'web', namespace: 'other' } }]],
  ])('not by one that %s', (_what, beside) => {
    expect(relations('delete', gone, beside)).toEqual({})
  })
})

test.each<[string, KubeObject, readonly KubeObject[], readonly string[] | undefined]>([
  ['a Secret that nothing reads', object('Secret', 'a'), [web('{ containers: [] }')], []],
  [
    'one that is read if it is there',
    object('Secret', 'a'),
    [web('{ containers: [{ envFrom: [{ secretRef: { name: a, optional: true } }] }] }')],
    undefined,
  ],
  ['one that custom resources may name', object('Secret', 'a'), [object('Widget', 'w')], undefined],
  ['one of a release that goes', object('Secret', 'a'), [], undefined],
  ['another kind', object('ServiceAccount', 'a'), [web('{ containers: [] }')], undefined],
])('whether anything refers to what is deleted: %s', (_what, one, beside, expected) => {
  expect(relations('delete', one, beside).usedBy).toEqual(expected)
})

describe('of what may be found by its labels nobody knows whether it is used', () => {
  const labelled = (labels: Readonly<Record<string, string>>) => {
    const one = object('ConfigMap', 'a')
    return { ...one, metadata: { ...one.metadata, labels } }
  }
  test.each<[string, KubeObject, readonly string[] | undefined]>([
    ['no labels', object('ConfigMap', 'a'), []],
    ['the application', labelled({ 'app.kubernetes.io/name': 'shop', app: 'shop', tier: 'web' }), []],
    ['the chart and its version', labelled({ 'helm.sh/chart': 'shop-1', heritage: 'Helm', release: 'shop' }), []],
    ['a dashboard', labelled({ grafana_dashboard: '1', app: 'shop' }), undefined],
    ['a repository of Argo CD', labelled({ 'argocd.argoproj.io/secret-type': 'repository' }), undefined],
  ])('%s', (_what, one, expected) => {
    expect(relations('delete', one, [web('{ containers: [] }')]).usedBy).toEqual(expected)
  })
})

test('where objects of the release are hidden, nobody knows whether they refer to it', () => {
  const one = object('Secret', 'a')
  const releases = { before: releaseObjects([]), after: releaseObjects([web('{ containers: [] }')], true) }
  const pair = { before: one }
  const found = impactOf({
    ref: refOfObject(one),
    change: 'delete',
    real: pair,
    shown: pair,
    isDrifted: false,
    releases,
  })
  expect(found.usedBy).toBeUndefined()
})
