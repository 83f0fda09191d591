import { describe, expect, inject, test } from 'vitest'
import { type Succession, succeeded, type Told } from './twins.ts'

const { kubeconfig } = inject('cluster')

/** What the plan of the next chart announces; `helmFails`: `helm upgrade` of the Helm that installed it does. */
type Row = readonly [
  what: string,
  by: Succession['by'],
  charts: readonly [before: string, after: string],
  announced: readonly string[],
  helm?: 'helm fails',
]

async function expectTruth([, by, [before, after], announced, helm]: Row): Promise<void> {
  const told = await succeeded(kubeconfig, { by, before, after })
  const expected: Omit<Told, 'reasons'> = {
    announced,
    otherwise: [],
    statuses: ['deployed', 'no-changes'],
    problems: [],
    unlikeHelm: helm === undefined ? [] : undefined,
  }
  expect(told).toMatchObject(expected)
}

describe.concurrent('of a release that Helm 3 made: the plan announces what is stored, and the second deploy writes nothing', () => {
  test.for<Row>([
    [
      'an empty map that the API server filled in stays',
      'helm3',
      changed(statefulSet('updateStrategy: { type: RollingUpdate, rollingUpdate: {} }'), 'a:1', 'a:2'),
      ['update StatefulSet/db: /spec/template/spec/containers/0/image'],
    ],
    [
      'a default that another value would get stays',
      'helm3',
      changed(deployment(''), 'a:1', 'a:latest'),
      ['update Deployment/web: /spec/template/spec/containers/0/image'],
    ],
    [
      'a value that leaves the chart becomes the default',
      'helm3',
      [deployment('', 'imagePullPolicy: Never,'), deployment('')],
      ['update Deployment/web: /spec/template/spec/containers/0/imagePullPolicy'],
    ],
    [
      'a block that leaves the chart becomes its defaults',
      'helm3',
      [deployment('strategy: { type: Recreate }'), deployment('')],
      ['update Deployment/web: /spec/strategy/rollingUpdate /spec/strategy/type'],
    ],
    [
      'defaults beside a new value stay where Helm leaves them',
      'helm3',
      [daemonSet(''), daemonSet('updateStrategy: { type: OnDelete }')],
      ['update DaemonSet/agent: /spec/updateStrategy/type'],
    ],
    [
      'the API server drops what does not fit any more',
      'helm3',
      [service('sessionAffinity: ClientIP'), service('')],
      ['update Service/web: /spec/sessionAffinity /spec/sessionAffinityConfig'],
    ],
    [
      'a strategy of another type',
      'helm3',
      [deployment(''), deployment('strategy: { type: Recreate }')],
      ['update Deployment/web: /spec/strategy/rollingUpdate /spec/strategy/type'],
    ],
    [
      'a strategy of another type, which Helm 3 cannot change to',
      'helm3',
      [statefulSet(''), statefulSet('updateStrategy: { type: OnDelete }')],
      ['update StatefulSet/db: /spec/updateStrategy/rollingUpdate /spec/updateStrategy/type'],
      'helm fails',
    ],
    [
      'a key that leaves stringData stays in data, as Helm leaves it',
      'helm3',
      [secret('stringData: { a: "1", b: "2" }'), secret('stringData: { b: "2", c: "3" }')],
      ['update Secret/keys: /data/c'],
    ],
    [
      'keys of a Secret',
      'helm3',
      [secret('data: { a: MQ==, b: MQ== }'), secret('stringData: { b: "2" }')],
      ['update Secret/keys: /data/a /data/b'],
    ],
  ])('%s', expectTruth)

  test('CRDs in crds/, which no record has, are not written while they are the same', async () => {
    const before = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n'
    const told = await succeeded(kubeconfig, { by: 'helm3', before, after: before, crds: CRD })
    expect(told).toMatchObject({ announced: [], problems: [], statuses: ['deployed', 'no-changes'] })
  })
})

describe.concurrent('what the API server writes by itself', () => {
  test.for<Row>([
    [
      'an apply that takes all of a map takes the map',
      'helm4',
      [deployment('', 'securityContext: { runAsUser: 1 },'), deployment('', 'securityContext: {},')],
      ['update Deployment/web: /spec/template/spec/containers/0/securityContext'],
    ],
  ])('%s, and the second deploy writes nothing', expectTruth)

  test('is shown, and is no reason: the counter of a DaemonSet', async () => {
    const [before, after] = changed(daemonSet(''), 'a:1', 'a:2')
    const { announced, reasons } = await succeeded(kubeconfig, { by: 'helm4', before, after })
    const image = '/spec/template/spec/containers/0/image'
    expect({ announced, reasons }).toEqual({
      announced: [`update DaemonSet/agent: /metadata/annotations/deprecated.daemonset.template.generation ${image}`],
      reasons: [`DaemonSet/agent: chart-changed ${image}`],
    })
  })
})

describe.concurrent('a default that is in the way of the chart goes, and the plan says so', () => {
  test.for<Row>([
    [
      'Recreate after RollingUpdate',
      'helm4',
      [deployment(''), deployment('strategy: { type: Recreate }')],
      ['update Deployment/web: /spec/strategy/rollingUpdate /spec/strategy/type'],
      'helm fails',
    ],
    [
      'OnDelete after RollingUpdate',
      'helm4',
      [statefulSet(''), statefulSet('updateStrategy: { type: OnDelete }')],
      ['update StatefulSet/db: /spec/updateStrategy/rollingUpdate /spec/updateStrategy/type'],
      'helm fails',
    ],
    [
      'a volume that was an emptyDir for want of a type',
      'helm4',
      [volume('{ name: v }'), volume('{ name: v, configMap: { name: x } }')],
      ['update Deployment/web: /spec/template/spec/volumes/0/configMap /spec/template/spec/volumes/0/emptyDir'],
      'helm fails',
    ],
  ])('%s', expectTruth)

  test('what the chart itself gets wrong is refused', async () => {
    const [before, after] = [daemonSet(''), daemonSet('updateStrategy: { rollingUpdate: { maxSurge: 1 } }')]
    const { problems, announced } = await succeeded(kubeconfig, { by: 'helm4', before, after })
    expect({ problems, announced }).toEqual({
      problems: [expect.stringContaining('may not be set when maxUnavailable is non-zero')],
      announced: [],
    })
  })
})

function changed(text: string, from: string, to: string): readonly [string, string] {
  return [text, text.replace(from, to)]
}

function deployment(spec: string, container = ''): string {
  return workload('Deployment', 'web', `replicas: 0${spec === '' ? '' : `, ${spec}`}`, container)
}

function statefulSet(spec: string): string {
  return workload('StatefulSet', 'db', `replicas: 0, serviceName: db${spec === '' ? '' : `, ${spec}`}`, '')
}

function daemonSet(spec: string): string {
  return workload('DaemonSet', 'agent', `minReadySeconds: 1${spec === '' ? '' : `, ${spec}`}`, '')
}

function workload(kind: string, name: string, spec: string, container: string): string {
  const pod = `{ metadata: { labels: { app: web } }, spec: { containers: [{ ${container} name: a, image: "a:1" }] } }`
  const selector = 'selector: { matchLabels: { app: web } }'
  return `{ apiVersion: apps/v1, kind: ${kind}, metadata: { name: ${name} }, spec: { ${spec}, ${selector}, template: ${pod} } }`
}

function volume(one: string): string {
  return deployment('').replace('spec: { containers', `spec: { volumes: [${one}], containers`)
}

function service(spec: string): string {
  return `{ apiVersion: v1, kind: Service, metadata: { name: web }, spec: { ports: [{ port: 80 }], ${spec} } }`
}

function secret(values: string): string {
  return `{ apiVersion: v1, kind: Secret, metadata: { name: keys }, ${values} }`
}

const CRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.NAMESPACE.example.com
  annotations: { controller-gen.kubebuilder.io/version: v0.14.0 }
spec:
  group: NAMESPACE.example.com
  names: { kind: Widget, plural: widgets }
  scope: Namespaced
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
`
