import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { impactOf } from '../../src/impact/assess.ts'
import { releaseObjects } from '../../src/impact/release-objects.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import { refOfObject } from '../../src/model/ref.ts'
import { objectEffectsPhrase } from '../../src/report/words/object-effects-text.ts'
import { plainText } from '../../src/report/words/phrase.ts'
import { crd, object, version } from './crds.ts'

/** `v1 ConfigMap settings`, in the namespace `shop` unless it is said to be of the cluster. */
function kube(head: string, body = '{}', { isOfCluster = false, metadata = '{}' } = {}): KubeObject {
  const [apiVersion = '', kind = '', name = ''] = head.split(' ')
  const more = load(metadata) as JsonObject
  return {
    apiVersion,
    kind,
    metadata: { name, ...(isOfCluster ? {} : { namespace: 'shop' }), ...more },
    ...(load(body) as JsonObject),
  }
}

const ofCluster = (head: string, body?: string, metadata = '{}') => kube(head, body, { isOfCluster: true, metadata })
const web = (pod: string, spec = '') =>
  kube('apps/v1 Deployment web', `{ spec: { ${spec} template: { spec: ${pod} } } }`)

/** What is said of the change, after its risk. */
function said(before: KubeObject | undefined, after: KubeObject | undefined, beside: readonly KubeObject[] = []) {
  const one = after ?? before
  if (one === undefined) throw new Error('nothing to compare')
  const release = (own: KubeObject | undefined) => releaseObjects([...beside, ...(own === undefined ? [] : [own])])
  const pair = { ...(before && { before }), ...(after && { after }) }
  const { effects, risk } = impactOf({
    ref: refOfObject(one),
    change: after === undefined ? 'delete' : before === undefined ? 'create' : 'update',
    real: pair,
    shown: pair,
    isDrifted: false,
    releases: { before: release(before), after: release(after) },
  })
  return effects === undefined ? risk : `${risk}: ${plainText(objectEffectsPhrase(effects))}`
}

describe('classes, limits, accounts, APIs and namespaces', () => {
  const storage = (body: string) => ofCluster('storage.k8s.io/v1 StorageClass fast', body)
  const priority = (body: string) => ofCluster('scheduling.k8s.io/v1 PriorityClass high', body)
  const api = (spec: string) => ofCluster('apiregistration.k8s.io/v1 APIService v1.a.example.com', `{ spec: ${spec} }`)
  const own = api('{ service: { name: a, namespace: shop } }')
  const namespace = ofCluster('v1 Namespace shop')
  const account = (body: string) => kube('v1 ServiceAccount web', body)

  test.each<[string, KubeObject | undefined, KubeObject | undefined, string]>([
    [
      'a StorageClass whose volumes go with their claims',
      storage('{ reclaimPolicy: Retain }'),
      storage('{}'),
      'access: ⚠️ new volumes are deleted with their claims (reclaimPolicy Delete)',
    ],
    ['one that grows volumes', storage('{}'), storage('{ allowVolumeExpansion: true }'), 'other'],
    [
      'a PriorityClass',
      undefined,
      priority('{ value: 1000 }'),
      'access: ⚠️ its pods push out others of a priority below 1000',
    ],
    ['one that waits', undefined, priority('{ value: 1000, preemptionPolicy: Never }'), 'new: priority 1000'],
    ['one below all others', undefined, priority('{ value: -10 }'), 'new: priority -10'],
    [
      'one that becomes the default',
      priority('{ value: 5 }'),
      priority('{ value: 5, globalDefault: true }'),
      'access: ⚠️ default for all new pods that name no class',
    ],
    ['an APIService', undefined, own, 'new'],
    [
      'one with another Service',
      own,
      api('{ service: { name: b, namespace: shop } }'),
      'access: ⚠️ Service/shop/b answers requests for it now',
    ],
    [
      'one that is not verified',
      own,
      api('{ service: { name: a, namespace: shop }, insecureSkipTLSVerify: true }'),
      'access: ⚠️ its certificate is not verified (insecureSkipTLSVerify)',
    ],
    ['one that goes', own, undefined, 'stopped: ⚠️ objects of v1.a.example.com can no longer be read or written'],
    ['one without a Service that goes', api('{ group: a.example.com }'), undefined, 'stopped'],
    ['a Namespace that goes', namespace, undefined, 'deleted: all its objects are deleted with it'],
    [
      'a RuntimeClass',
      undefined,
      ofCluster('node.k8s.io/v1 RuntimeClass sandbox', '{ handler: runsc }'),
      'new: runs pods by handler runsc',
    ],
    ['a StorageClass of another group', undefined, ofCluster('example.com/v1 StorageClass fast', '{}'), 'new'],
  ])('%s', (_what, before, after, expected) => {
    expect(said(before, after)).toBe(expected)
  })

  test('what follows from a quota that is too low is told once', () => {
    const quota = (hard: string) => kube('v1 ResourceQuota all', `{ spec: { hard: ${hard} } }`)
    const asking = web('{ containers: [{ resources: { requests: { cpu: 500m } } }] }', 'replicas: 3,')
    expect(said(quota('{ pods: 9, requests.cpu: 9 }'), quota('{ pods: 2, requests.cpu: 1 }'), [asking])).toBe(
      'access: ⚠️ pods 2 is less than the 3 that pods of the release ask for; ⚠️ requests.cpu 1 is less than the 1500m that pods of the release ask for: new pods beyond that are refused, those that run stay',
    )
    expect(said(quota('{ pods: 9 }'), quota('{ pods: 4 }'), [asking])).toBe('access: ⚠️ allows less: pods')
  })

  test('a token comes to the pods that leave it to their account', () => {
    const [off, on] = [account('{ automountServiceAccountToken: false }'), account('{}')]
    const [user, refuser, other] = [
      web('{ serviceAccountName: web }'),
      kube(
        'apps/v1 StatefulSet db',
        '{ spec: { template: { spec: { serviceAccountName: web, automountServiceAccountToken: false } } } }',
      ),
      kube('apps/v1 DaemonSet agent', '{ spec: { template: { spec: {} } } }'),
    ]

    expect(said(off, on, [user, refuser, other])).toBe(
      'access: ⚠️ pods of Deployment/web get its token when they next start',
    )
    expect(said(on, off, [user])).toBe('other: pods of Deployment/web no longer get its token when they next start')
    expect(said(off, on, [refuser, other])).toBe('other')
  })

  const quota = (hard: string, more = '') => kube('v1 ResourceQuota all', `{ spec: { hard: ${hard} ${more} } }`)
  const pods = web(
    '{ containers: [{ name: a, resources: { requests: { cpu: 500m }, limits: { memory: 1Gi } } }] }',
    'replicas: 3,',
  )

  test.each<[string, KubeObject | undefined, KubeObject, string]>([
    ['less', quota('{ pods: 9 }'), quota('{ pods: 5 }'), 'access: ⚠️ allows less: pods'],
    ['more', quota('{ pods: 3 }'), quota('{ pods: 5 }'), 'other'],
    ['the same, written otherwise', quota('{ cpu: 4 }'), quota('{ cpu: 4000m }'), 'other'],
    [
      'fewer pods than the release has',
      quota('{ pods: 9 }'),
      quota('{ pods: 2 }'),
      'access: ⚠️ pods 2 is less than the 3 that pods of the release ask for: new pods beyond that are refused, those that run stay',
    ],
    [
      'less processor time than its pods ask for',
      undefined,
      quota('{ requests.cpu: 1 }'),
      'access: ⚠️ requests.cpu 1 is less than the 1500m that pods of the release ask for: new pods beyond that are refused, those that run stay',
    ],
    [
      'less memory than their limits, which they ask for without a request',
      undefined,
      quota('{ memory: 2Gi }'),
      'access: ⚠️ memory 2Gi is less than the 3Gi that pods of the release ask for: new pods beyond that are refused, those that run stay',
    ],
    ['of some pods only', undefined, quota('{ pods: 1 }', ', scopes: [Terminating]'), 'new'],
    [
      'less for one container',
      undefined,
      kube('v1 LimitRange all', '{ spec: { limits: [{ type: Container, max: { memory: 512Mi } }] } }'),
      'access: ⚠️ Container max memory 512Mi is less than the 1Gi that pods of the release ask for: new pods beyond that are refused, those that run stay',
    ],
  ])('limits that allow %s', (_what, before, after, expected) => {
    expect(said(before, after, [pods])).toBe(expected)
  })
})

describe('a CRD whose objects the release holds', () => {
  const text = { type: 'string' }
  const v1 = (spec: JsonObject) => version('v1', object({ spec: object(spec) }))
  const beta = version('v1beta1', object({ spec: object({ a: text }) }), { storage: false })
  const withItems = {
    list: { type: 'array', items: object({ x: text }) },
    map: { type: 'object', additionalProperties: object({ y: text }) },
  }
  const widget = (head: string, spec: string) => kube(head, `{ spec: ${spec} }`)
  const asObject = (one: JsonObject) => one as KubeObject

  test.each<[string, KubeObject, KubeObject | undefined, KubeObject, string]>([
    [
      'a field that one of them has',
      asObject(crd([v1({ a: text, b: text })])),
      asObject(crd([v1({ a: text })])),
      widget('example.com/v1 Widget big', '{ b: x }'),
      'schema: ⚠️ Widget/big of the release uses removed fields',
    ],
    [
      'a field that none of them has',
      asObject(crd([v1({ a: text, b: text })])),
      asObject(crd([v1({ a: text })])),
      widget('example.com/v1 Widget big', '{ a: x }'),
      'schema',
    ],
    [
      'a field of items',
      asObject(crd([v1(withItems)])),
      asObject(crd([v1({ ...withItems, list: { type: 'array', items: object({}) } })])),
      widget('example.com/v1 Widget big', '{ list: [{}, { x: a }] }'),
      'schema: ⚠️ Widget/big of the release uses removed fields',
    ],
    [
      'a field of values of a map',
      asObject(crd([v1(withItems)])),
      asObject(crd([v1({ ...withItems, map: { type: 'object', additionalProperties: object({}) } })])),
      widget('example.com/v1 Widget big', '{ map: { any.key: { y: a } } }'),
      'schema: ⚠️ Widget/big of the release uses removed fields',
    ],
    [
      'a version of which one is',
      asObject(crd([v1({ a: text }), beta])),
      asObject(crd([v1({ a: text }), { ...beta, served: false }])),
      widget('example.com/v1beta1 Widget big', '{}'),
      'schema: ⚠️ Widget/big of the release is of a version that is no longer served',
    ],
    [
      'itself',
      asObject(crd([v1({ a: text })])),
      undefined,
      widget('example.com/v1 Widget big', '{}'),
      'deleted: all its objects are deleted with it, 1 of the release: Widget/big',
    ],
    [
      'a field of another group',
      asObject(crd([v1({ a: text, b: text })])),
      asObject(crd([v1({ a: text })])),
      widget('other.example.com/v1 Widget big', '{ b: x }'),
      'schema',
    ],
  ])('loses %s', (_what, before, after, beside, expected) => {
    expect(said(before, after, [beside])).toBe(expected)
  })
})

describe('a StatefulSet whose pods get their names by a Service', () => {
  const set = (spec: string) => kube('apps/v1 StatefulSet db', `{ spec: ${spec} }`)
  const named = set('{ serviceName: db }')
  const service = kube('v1 Service db', '{}')

  test.each<[string, KubeObject | undefined, KubeObject, readonly KubeObject[], string]>([
    [
      'that is not of the release',
      undefined,
      named,
      [],
      'new: its pods get their names by Service/db, which is not of the release',
    ],
    ['that comes with it', undefined, named, [service], 'new'],
    ['of none', undefined, set('{ replicas: 1 }'), [], 'new'],
    ['that was missing before', set('{ serviceName: db, replicas: 1 }'), named, [], 'other'],
  ])('%s', (_what, before, after, beside, expected) => {
    expect(said(before, after, beside)).toBe(expected)
  })
})
