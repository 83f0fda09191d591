import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { withApplied } from '../../src/manifest/applied-fields.ts'
import { changedPaths } from '../../src/manifest/compare.ts'
import { at, type JsonObject, type KubeObject } from '../../src/model/object.ts'

/** What `kubectl get -o yaml --show-managed-fields` shows of a Deployment that we applied, an autoscaler and kubectl at work. */
const live = load(`
  apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: web
    annotations: { deployment.kubernetes.io/revision: '1' }
    labels: { app: web, tier: front }
    managedFields:
      - manager: helm
        operation: Apply
        fieldsV1:
          f:metadata: { f:labels: { f:app: {}, f:tier: {} } }
          f:spec:
            f:selector: {}
            f:template:
              f:spec:
                f:nodeSelector: {}
                f:containers:
                  'k:{"name":"web"}':
                    .: {}
                    f:name: {}
                    f:image: {}
                    f:args: {}
                    f:resources: { f:limits: { f:cpu: {} } }
                  'k:{"name":"old"}': { .: {}, f:name: {}, f:image: {} }
                f:tolerations: {}
      - manager: kubectl
        operation: Update
        fieldsV1:
          f:spec: { f:template: { f:spec: { f:containers: { 'k:{"name":"debug"}': { .: {}, f:name: {}, f:image: {} } } } } }
  spec:
    replicas: 3
    selector: { matchLabels: { app: web } }
    strategy: { type: RollingUpdate }
    template:
      spec:
        nodeSelector: { disk: ssd, zone: a }
        dnsPolicy: ClusterFirst
        containers:
          - { name: web, image: web:1, imagePullPolicy: IfNotPresent, args: [a, b], resources: { limits: { cpu: '1' } } }
          - { name: old, image: old:1 }
          - { name: debug, image: debug:1 }
        tolerations: [{ key: a, operator: Exists }, { key: b, operator: Exists }]
  status: { replicas: 3 }
`) as KubeObject

const body = load(`
  apiVersion: apps/v1
  kind: Deployment
  metadata: { name: web, labels: { app: web, tier: front } }
  spec:
    selector: { matchLabels: { app: web } }
    strategy: {}
    template:
      spec:
        nodeSelector: { disk: ssd, zone: a }
        securityContext: {}
        volumes: []
        hostname: null
        containers:
          - { name: web, image: web:1, args: [a, b], resources: { limits: { cpu: 1 } } }
          - { name: old, image: old:1 }
        tolerations: [{ key: a, operator: Exists }, { key: b, operator: Exists }]
`) as KubeObject

const pod = (spec: JsonObject): KubeObject => ({ ...body, spec: { ...(body.spec as JsonObject), template: { spec } } })

function pathsFrom(change: (spec: JsonObject) => JsonObject): readonly string[] {
  const spec = load(
    JSON.stringify((body as unknown as { spec: { template: { spec: JsonObject } } }).spec.template.spec),
  )
  return changedPaths(live, withApplied(live, pod(change(spec as JsonObject))))
}

const items = '/spec/template/spec'

describe('what an apply most likely gives, without asking', () => {
  test('nothing changes where the body is what was applied: defaults, other managers and empty maps are no change', () => {
    expect(changedPaths(live, withApplied(live, body))).toEqual([])
  })

  test.each<[string, (spec: JsonObject) => JsonObject, readonly string[]]>([
    [
      'a value of an item',
      (spec) => ({
        ...spec,
        containers: [
          { name: 'web', image: 'web:2' },
          { name: 'old', image: 'old:1' },
        ],
      }),
      [`${items}/containers/0/args`, `${items}/containers/0/image`, `${items}/containers/0/resources`],
    ],
    [
      'an item that left the chart goes, one of somebody else stays',
      (spec) => ({
        ...spec,
        containers: [{ name: 'web', image: 'web:1', args: ['a', 'b'], resources: { limits: { cpu: 1 } } }],
      }),
      [`${items}/containers/1/image`, `${items}/containers/1/name`, `${items}/containers/2`],
    ],
    [
      'a list without keys is replaced',
      (spec) => ({ ...spec, tolerations: [{ key: 'a', operator: 'Exists' }] }),
      [`${items}/tolerations/1`],
    ],
    [
      'a map held as a whole is replaced',
      (spec) => ({ ...spec, nodeSelector: { disk: 'ssd' } }),
      [`${items}/nodeSelector/zone`],
    ],
    ['a new field', (spec) => ({ ...spec, hostNetwork: true }), [`${items}/hostNetwork`]],
  ])('%s', (_what, change, paths) => {
    expect(pathsFrom(change)).toEqual(paths)
  })

  test('a quantity written otherwise is no change, another one is, and the text of anything else stays a text', () => {
    const limited = (limits: JsonObject) => ({
      ...live,
      spec: { template: { spec: { containers: [{ name: 'web', resources: { limits } }] } }, data: { cpu: '1' } },
    })
    const paths = (limits: JsonObject, cpu: string) => {
      const sent = limited(limits)
      const applied = withApplied(limited({ cpu: '1', memory: '1Gi' }), {
        ...sent,
        spec: { ...sent.spec, data: { cpu } },
      })
      return changedPaths(limited({ cpu: '1', memory: '1Gi' }), applied)
    }
    expect(paths({ cpu: '1000m', memory: '1024Mi' }, '1')).toEqual([])
    expect(paths({ cpu: '1001m', memory: '1Gi' }, '1000m')).toEqual([
      '/spec/data/cpu',
      '/spec/template/spec/containers/0/resources/limits/cpu',
    ])
  })

  test('a port is the same by its number and protocol, whatever its name', () => {
    const live = load(`
      apiVersion: v1
      kind: Service
      metadata:
        name: web
        managedFields:
          - manager: helm
            operation: Apply
            fieldsV1:
              f:spec:
                f:ports:
                  'k:{"port":80,"protocol":"TCP"}': { .: {}, f:name: {}, f:port: {}, f:targetPort: {} }
                  'k:{"port":53,"protocol":"UDP"}': { .: {}, f:name: {}, f:port: {}, f:protocol: {} }
                  'k:{"port":90,"protocol":"TCP"}': { .: {}, f:name: {}, f:port: {} }
      spec:
        ports:
          - { name: http, port: 80, protocol: TCP, targetPort: http, nodePort: 30080 }
          - { name: dns, port: 53, protocol: UDP, targetPort: 53 }
          - { name: metrics, port: 90, protocol: TCP, targetPort: 90 }
    `) as KubeObject
    const body = load(`
      apiVersion: v1
      kind: Service
      metadata: { name: web }
      spec:
        ports:
          - { name: http, port: 443, targetPort: https }
          - { name: web, port: 80, targetPort: http }
          - { name: dns, port: 53 }
          - { name: dns-udp, port: 53, protocol: UDP }
    `) as KubeObject
    expect(at(withApplied(live, body), 'spec', 'ports')).toEqual([
      { name: 'http', port: 443, targetPort: 'https' },
      { name: 'web', port: 80, protocol: 'TCP', targetPort: 'http', nodePort: 30080 },
      { name: 'dns', port: 53 },
      { name: 'dns-udp', port: 53, protocol: 'UDP', targetPort: 53 },
    ])
  })

  test.each([
    ['a b', 'b a', 'b a'],
    ['a X b', 'a n b', 'a X n b'],
    ['X b', 'n b', 'X n b'],
    ['a X b', 'b n a', 'X b n a'],
    ['a b c X', 'c a', 'b c X a'],
    ['X', '', 'X'],
    ['', 'a b', 'a b'],
  ])('a merged list of %s, and an apply of %s, are %s: the order of the API server', (there, sent, order) => {
    const containers = (names: string) => names.split(' ').flatMap((name) => (name === '' ? [] : [{ name }]))
    const pod = (names: string): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: { containers: containers(names) },
    })
    // X belongs to somebody else.
    const owned = Object.fromEntries(
      there.split(' ').map((name) => [`k:{"name":"${name}"}`, { '.': {}, 'f:name': {} }]),
    )
    const fieldsV1 = { 'f:spec': { 'f:containers': owned } }
    const managedFields = ['helm', 'other'].map((manager) => ({ manager, operation: 'Apply', fieldsV1 }))
    const live: KubeObject = { ...pod(there), metadata: { name: 'a', managedFields } }
    expect(at(withApplied(live, pod(sent)), 'spec', 'containers')).toEqual(containers(order))
  })

  test('a label that left the chart goes', () => {
    const without = { ...body, metadata: { name: 'web', labels: { app: 'web' } } }
    expect(changedPaths(live, withApplied(live, without))).toEqual(['/metadata/labels/tier'])
  })

  describe('inside of what is held as a whole, what the revision before had and the chart has not goes', () => {
    const held = (field: string) => ({
      metadata: { name: 'a', managedFields: [{ manager: 'helm', operation: 'Apply', fieldsV1: { [field]: {} } }] },
    })
    const policy = (spec: string): KubeObject =>
      load(`{ apiVersion: v1, kind: NetworkPolicy, metadata: { name: a }, spec: ${spec} }`) as KubeObject
    const heldPolicy = (spec: string): KubeObject => {
      const fieldsV1 = { 'f:spec': { 'f:ingress': {}, 'f:podSelector': {} } }
      const managedFields = [{ manager: 'helm', operation: 'Apply', fieldsV1 }]
      return { ...policy(spec), metadata: { name: 'a', managedFields } }
    }
    const whole =
      '{ podSelector: { matchLabels: { app: web } }, ingress: [{ from: [{ podSelector: { x: y } }], ports: [{ port: 80 }] }] }'
    const stored = whole.replace('port: 80', 'port: 80, protocol: TCP')

    test.each<[string, string, string, readonly string[]]>([
      ['nothing else: a default', '', '', []],
      ['a key of an item', 'from: [{ podSelector: { x: y } }], ', '', ['/spec/ingress/0/from']],
      ['all of a map', '{ podSelector: { x: y } }', '{ podSelector: {} }', ['/spec/ingress/0/from/0/podSelector/x']],
      ['a key that is null now', 'from: [{ podSelector: { x: y } }]', 'from: null', ['/spec/ingress/0/from']],
      ['all of the map itself', '{ matchLabels: { app: web } }', '{}', ['/spec/podSelector/matchLabels']],
    ])('%s', (_what, from, to, paths) => {
      const live = heldPolicy(stored)
      expect(changedPaths(live, withApplied(live, policy(whole.replace(from, to)), policy(whole)))).toEqual(paths)
    })

    test('names of resources that a Role is bound to', () => {
      const role = (names: string): KubeObject =>
        load(
          `{ apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: { name: a }, rules: [{ resources: [secrets], verbs: [get]${names} }] }`,
        ) as KubeObject
      const before = role(', resourceNames: [one]')
      const live = { ...before, ...held('f:rules') }
      expect(changedPaths(live, withApplied(live, role(''), before))).toEqual(['/rules/0/resourceNames'])
    })
  })

  test('stringData of any other kind is a field like others', () => {
    const settings = { apiVersion: 'example.com/v1', kind: 'Settings', metadata: { name: 'a' } }
    const applied = withApplied(settings, { ...settings, stringData: { key: 'value' } })
    expect(applied).toEqual({ ...settings, stringData: { key: 'value' } })
  })

  test('stringData of a Secret is compared with its data', () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }
    const stored = { ...secret, data: { key: 'dmFsdWU=' } }
    expect(changedPaths(stored, withApplied(stored, { ...secret, stringData: { key: 'value' } }))).toEqual([])
    expect(changedPaths(stored, withApplied(stored, { ...secret, stringData: { key: 'other' } }))).toEqual([
      '/data/key',
    ])
  })
})
