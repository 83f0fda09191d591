import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import type { ApplyOperation, Operation, Plan } from '../../src/model/plan.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import { givenOf, planInput } from './given.ts'

/** The plan of an upgrade from these objects to those. */
function upgrade(before: string, after: string): Plan {
  const objects = (text: string) => load(text) as KubeObject[]
  return upgradeOf(objects(before), objects(after))
}

function upgradeOf(previous: readonly KubeObject[], chart: readonly KubeObject[]): Plan {
  const given = givenOf({ verb: 'upgrade', previous, chart })
  return makePlan(planInput(given, (_live, body) => body)).plan
}

function operations({ stages }: Plan): readonly Operation[] {
  return stages.flatMap(({ groups }) => groups.flatMap(({ ranks }) => ranks.flat()))
}

function renamings(plan: Plan): readonly ApplyOperation[] {
  return operations(plan).flatMap((one) => (one.kind === 'apply' && one.renamedFrom !== undefined ? [one] : []))
}

/** `Kind/old → new`, with `=` behind it where nothing else differs. */
function pairs(before: string, after: string): readonly string[] {
  return renamings(upgrade(before, after))
    .map(({ ref, renamedFrom }) => {
      const same = renamedFrom?.isSame === true ? ' =' : ''
      return `${ref.kind}/${renamedFrom?.ref.name} → ${ref.name}${same}`
    })
    .toSorted()
}

function paths(plan: Plan): readonly string[] {
  return renamings(plan).flatMap(({ impact }) => (impact?.fields ?? []).map(({ path }) => path))
}

const object = (apiVersion: string, kind: string, name: string, rest: string) =>
  `- { apiVersion: ${apiVersion}, kind: ${kind}, metadata: { name: ${name} }, ${rest} }\n`
const config = (name: string, data: string) => object('v1', 'ConfigMap', name, `data: ${data}`)
const deployment = (name: string, image = 'shop:1', more = '') => `
- apiVersion: apps/v1
  kind: Deployment
  metadata: { name: ${name}, labels: { app: ${name} } }
  spec:
    replicas: 2
    selector: { matchLabels: { app: ${name} } }
    template:
      metadata: { labels: { app: ${name} } }
      spec:
        serviceAccountName: ${name}
        containers:
          - name: ${name}
            image: ${image}
            args: [serve, --port, "8080"]
            envFrom: [{ configMapRef: { name: ${name}-config } }]
            resources: { limits: { memory: 1Gi } }
            ${more}
`
const account = (name: string) => `- { apiVersion: v1, kind: ServiceAccount, metadata: { name: ${name} } }\n`
const release = (name: string, more = '') =>
  deployment(name, 'shop:1', more) +
  config(`${name}-config`, '{ pages: "12" }') +
  object('v1', 'ServiceAccount', name, 'automountServiceAccountToken: false') +
  object('v1', 'Service', name, `spec: { selector: { app: ${name} }, ports: [{ port: 80 }] }`) +
  object(
    'networking.k8s.io/v1',
    'Ingress',
    name,
    `spec: { defaultBackend: { service: { name: ${name}, port: { number: 80 } } } }`,
  ) +
  object(
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    name,
    `spec: { maxReplicas: 5, scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: ${name} } }`,
  )

describe('objects that get other names together', () => {
  test.each(['storefront', 'shop-eu', 'eu-shop', 'x'])('shop and all that names it become %s', (name) => {
    expect(pairs(release('shop'), release(name))).toEqual(
      [
        `ConfigMap/shop-config → ${name}-config =`,
        `Deployment/shop → ${name} =`,
        `HorizontalPodAutoscaler/shop → ${name} =`,
        `Ingress/shop → ${name} =`,
        `Service/shop → ${name} =`,
        `ServiceAccount/shop → ${name} =`,
      ].toSorted(),
    )
  })

  test('tell which labels of their pods others do not know', () => {
    const plan = upgrade(release('shop'), release('storefront'))
    const labels = renamings(plan).map(({ ref, renamedFrom }) => [ref.kind, renamedFrom?.podLabels])
    expect(labels.filter(([, podLabels]) => podLabels !== undefined)).toEqual([
      ['Deployment', [{ key: 'app', before: 'shop', after: 'storefront' }]],
    ])
  })

  test('are found by the names of others where they hold something else', () => {
    const [before, after] = [release('shop'), release('storefront').replace('pages: "12"', 'items: "9"')]

    expect(pairs(before, after)).toContain('ConfigMap/shop-config → storefront-config')
    expect(paths(upgrade(before, after))).toEqual(['data.items', 'data.pages'])
  })

  test('and another version in one of them', () => {
    const job = (name: string, image: string) =>
      object(
        'batch/v1',
        'Job',
        name,
        `spec: { template: { spec: { containers: [{ name: run, image: "${image}" }] } } }`,
      )
    const [before, after] = [
      release('shop') + job('shop-migrate-1-0-0', 'shop:1'),
      release('storefront') + job('storefront-migrate-1-1-0', 'shop:2'),
    ]

    expect(pairs(before, after)).toContain('Job/shop-migrate-1-0-0 → storefront-migrate-1-1-0')
  })

  test('many alike are told apart by what stays of their names', () => {
    const workers = (base: string) => ['a', 'b', 'c'].map((one) => deployment(`${base}-${one}`)).join('')

    expect(pairs(workers('worker'), workers('consumer'))).toEqual([
      'Deployment/worker-a → consumer-a',
      'Deployment/worker-b → consumer-b',
      'Deployment/worker-c → consumer-c',
    ])
  })

  test('an image, a variable and an argument with the old name in it are more than a name', () => {
    const more = (name: string) => `env: [{ name: URL, value: "http://${name}/" }]`
    const [before, after] = [
      release('shop', more('shop')).replace('shop:1', 'hub/shop:1'),
      release('storefront', more('storefront')).replace('shop:1', 'hub/storefront:1'),
    ]

    expect(paths(upgrade(before, after))).toEqual([
      'spec.template.spec.containers[storefront].image',
      'spec.template.spec.containers[storefront].env[URL].value',
    ])
  })

  test('an account or a ConfigMap that is another one and not renamed is told', () => {
    const [before, after] = [deployment('shop'), deployment('storefront')]

    expect(paths(upgrade(before, after)).toSorted()).toEqual([
      'spec.template.spec.containers[storefront].envFrom[0].configMapRef.name',
      'spec.template.spec.serviceAccountName',
    ])
  })

  test('the values of a renamed Secret are compared and not shown', () => {
    const secret = (name: string, value: string) => object('v1', 'Secret', name, `data: { password: ${value} }`)
    const same = renamings(upgrade(secret('old', 'c2FtZQ=='), secret('new', 'c2FtZQ==')))
    const changed = upgrade(secret('db-1-0', 'c2FtZQ=='), secret('db-2-0', 'b3RoZXI='))

    expect(same.map(({ renamedFrom }) => renamedFrom?.isSame)).toEqual([true])
    expect(renamings(changed).map(({ after }) => after?.data)).toEqual([{ password: '(hidden, changed)' }])
    expect(JSON.stringify(changed)).not.toMatch(/c2FtZQ|b3RoZXI/)
  })

  test('rights under another name are told as those of a new object', () => {
    const bound = (name: string) =>
      object(
        'rbac.authorization.k8s.io/v1',
        'ClusterRoleBinding',
        name,
        'roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin }, subjects: [{ kind: User, name: jane }]',
      )
    const [created] = renamings(upgrade(bound('old'), bound('new')))

    expect(created?.renamedFrom?.isSame).toBe(true)
    expect(created?.impact?.access?.gained).toHaveLength(1)
  })
})

describe('what is not renamed', () => {
  test.each<[string, string, string]>([
    ['two of little that differ', config('old', '{ a: b }'), config('new', '{ a: c }')],
    ['empty accounts', account('old'), account('new')],
    ['another kind', config('old', '{ a: b }'), object('v1', 'Secret', 'new', 'data: { a: b }')],
    [
      'what holds other objects',
      object('v1', 'Namespace', 'old', 'spec: {}'),
      object('v1', 'Namespace', 'new', 'spec: {}'),
    ],
    ['one of two', config('old', '{ a: b }') + config('older', '{ a: b }'), config('new', '{ a: b }')],
    ['the heir of one of two', config('old', '{ a: b }'), config('new', '{ a: b }') + config('newer', '{ a: b }')],
    ['a number that counts', config('worker-1', '{ a: b }'), config('worker-2', '{ a: c }')],
    ['words at the end', config('web-staging', '{ a: b }'), config('web-production', '{ a: c }')],
    ['another base', config('api-9k2d7t', '{ a: b }'), config('web-6b8f4c', '{ a: c }')],
    [
      'two of one base',
      config('web-9k2d7t', '{ a: b }') + config('web-111111', '{ a: c }'),
      config('web-6b8f4c', '{ a: d }'),
    ],
  ])('%s', (_title, before, after) => {
    expect(pairs(before, after)).toEqual([])
  })
})

describe('a version or a hash at the end of the name', () => {
  const job = (name: string, image: string) =>
    object('batch/v1', 'Job', name, `spec: { template: { spec: { containers: [{ name: run, image: "${image}" }] } } }`)

  test.each<[string, string, string, string]>([
    ['Job', 'batch/v1', 'index-2-4-0', 'index-2-5-0'],
    ['Job', 'batch/v1', 'index-v2.4', 'index-v2.5'],
    ['Job', 'batch/v1', 'migrate-ff06c244', 'migrate-4f436acc'],
    ['Job', 'batch/v1', 'migrate-13', 'migrate-14'],
    ['Deployment', 'apps/v1', 'web-2-4-0', 'web-2-5-0'],
    ['ConfigMap', 'v1', 'web-9k2d7t', 'web-6b8f4c'],
    ['Secret', 'v1', 'web-mhbtck', 'web-bcdfgh'],
  ])('%s: %s %s gives way to %s, whatever they hold', (kind, apiVersion, before, after) => {
    expect(
      pairs(object(apiVersion, kind, before, 'data: { a: b }'), object(apiVersion, kind, after, 'spec: { c: 1 }')),
    ).toEqual([`${kind}/${before} → ${after}`])
  })

  test.each([
    ['Deployment', 'apps/v1', 'worker-1', 'worker-2'],
    ['Deployment', 'apps/v1', 'web-defaced', 'web-effaced'],
    ['Job', 'batch/v1', 'index-2-4-0', 'reindex-2-5-0'],
    ['StatefulSet', 'apps/v1', 'db-16-1', 'db-17-0'],
    ['PersistentVolumeClaim', 'v1', 'data-1-0', 'data-2-0'],
    ['Service', 'v1', 'web-9k2d7t', 'web-6b8f4c'],
  ])('%s: %s %s and %s are two objects', (kind, apiVersion, before, after) => {
    expect(
      pairs(object(apiVersion, kind, before, 'spec: { a: 1 }'), object(apiVersion, kind, after, 'spec: {}')),
    ).toEqual([])
  })

  test('only what differs is a change', () => {
    const plan = upgrade(job('migrate-1-0-0', 'shop:1.0.0'), job('migrate-1-1-0', 'shop:1.1.0'))

    expect(paths(plan)).toEqual(['spec.template.spec.containers[run].image'])
  })
})

describe('a hook with a version in its name', () => {
  const hook = (name: string, image: string): KubeObject => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, annotations: { 'helm.sh/hook': 'pre-upgrade' } },
    spec: { template: { spec: { containers: [{ name: 'run', image }] } } },
  })
  const run = (before: KubeObject, after: KubeObject) => {
    const given = givenOf({ verb: 'upgrade', previousHooks: [before], chart: [after] })
    return renamings(makePlan(planInput(given, (_live, body) => body)).plan)
  }

  test('is compared with the one of the last revision', () => {
    const [changed] = run(hook('migrate-1-0-0', 'shop:1.0.0'), hook('migrate-1-1-0', 'shop:1.1.0'))

    expect(changed?.renamedFrom).toEqual({ ref: expect.objectContaining({ name: 'migrate-1-0-0' }) })
    expect(changed?.reason.code).toBe('chart-changed')
    expect(changed?.impact?.fields.map(({ path }) => path)).toEqual(['spec.template.spec.containers[run].image'])
  })

  test('merely runs where nothing else of it differs', () => {
    const [same] = run(hook('migrate-1-0-0', 'shop:1'), hook('migrate-1-1-0', 'shop:1'))

    expect(same?.renamedFrom?.isSame).toBe(true)
    expect(same?.reason.code).toBe('unchanged')
  })
})

describe('however much comes and goes', () => {
  const many = (name: (index: number) => string, body: (index: number) => string) =>
    Array.from({ length: 500 }, (_, index) => config(name(index), body(index))).join('')

  test('500 that hold something of their own are paired', () => {
    const body = (index: number) => `{ index: "${index}" }`

    expect(
      pairs(
        many((index) => `old-${index}-x`, body),
        many((index) => `new-${index}-x`, body),
      ),
    ).toHaveLength(500)
  })

  test('500 that are alike are paired by none of their bodies, and quickly', () => {
    const body = () => '{ a: b }'

    expect(
      pairs(
        many((index) => `a${index}`, body),
        many((index) => `b${index}`, body),
      ),
    ).toEqual([])
  })

  test('an object that is nested deeper than any is left as it is', () => {
    const deep = Array.from({ length: 400 }).reduce<JsonObject>((inner) => ({ a: inner }), { b: 1 })
    const named = (name: string): KubeObject => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { ...deep, text: 'x' },
    })

    expect(renamings(upgradeOf([named('old')], [named('new')]))).toHaveLength(1)
  })
})
