import fc from 'fast-check'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../../src/model/object.ts'
import type { DryRun } from '../../src/model/observed.ts'
import type { AwaitOperation, Fingerprint, IgnoredField } from '../../src/model/plan.ts'
import { type FingerprintInput, fingerprintOf } from '../../src/plan/fingerprint.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { PlanInput } from '../../src/plan/plan-input.ts'
import { type Given, parseGiven, planInput } from './given.ts'

const plain: FingerprintInput = { ignored: [], redact: (text) => text }

/** The planner's input for a chart with one Deployment and whatever else is given, as YAML. */
function given(text: string, change: Partial<Given> = {}): PlanInput {
  return planInput({ ...parseGiven(text), ...change })
}

function print(input: PlanInput, how: Partial<FingerprintInput> = {}): Fingerprint {
  return fingerprintOf(makePlan(input), { ...plain, ...how })
}

function hashOf(text: string, how: Partial<FingerprintInput> = {}): string {
  return print(given(text), how).hash
}

/** The one object of the chart, answered by the server with this object. */
function answered(body: KubeObject, object: JsonObject, live: readonly KubeObject[] = []): PlanInput {
  const name = `${body.kind}/web/${body.metadata.name}`
  const answers: { [ref: string]: DryRun } = { [name]: { kind: 'accepted', object: object as KubeObject } }
  const verb = live.length === 0 ? 'install' : 'upgrade'
  return given('{}', { verb, chart: [body], answers, live })
}

const yaml = (text: string): KubeObject => load(text) as KubeObject

const service = yaml('{ apiVersion: v1, kind: Service, metadata: { name: a }, spec: { ports: [{ port: 80 }] } }')
const config = yaml('{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { key: value } }')
const secret = yaml('{ apiVersion: v1, kind: Secret, metadata: { name: a }, data: { password: czNjcjN0LWE= } }')
const deployment = yaml(`
  apiVersion: apps/v1
  kind: Deployment
  metadata: { name: a }
  spec: { template: { spec: { containers: [{ name: a, image: a:1 }] } } }`)

function withFields(object: KubeObject, change: JsonObject): KubeObject {
  return merged(object, change) as KubeObject
}

function merged(below: JsonValue, above: JsonValue): JsonValue {
  if (!isJsonObject(below) || !isJsonObject(above)) return above
  const all = Object.entries(above).map(([key, value]) => [key, merged(below[key] ?? null, value ?? null)] as const)
  return { ...below, ...Object.fromEntries(all) }
}

const managed = (manager: string, fieldsV1: JsonObject, subresource = '') => ({
  metadata: {
    managedFields: [{ manager, operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1, subresource }],
  },
})

describe('what does not change the hash', () => {
  const same = (a: PlanInput, b: PlanInput) => {
    const [first, second] = [print(a), print(b)]
    expect([first.hash, first.digests]).toEqual([second.hash, second.digests])
  }

  test('the order of keys', () => {
    const turned = yaml('{ data: { key: value }, metadata: { name: a }, kind: ConfigMap, apiVersion: v1 }')
    same(answered(config, config), answered(turned, turned))
  })

  test('a default that is spelled out', () => {
    const defaulted = withFields(service, { spec: { ports: [{ port: 80, protocol: 'TCP' }] } })
    same(answered(service, defaulted), answered(defaulted, defaulted))
  })

  test('status and bookkeeping', () => {
    const later = withFields(config, {
      status: { phase: 'x' },
      metadata: { uid: 'u', resourceVersion: '7', generation: 3, creationTimestamp: '2026-01-01T00:00:00Z' },
    })
    same(answered(config, config), answered(config, later))
  })

  test('revision, problems and what is left alone', () => {
    const input = answered(config, config)
    const untouched = { ref: { apiVersion: 'v1', kind: 'ConfigMap', name: 'x' }, reason: 'kept' as const }
    const problem = { severity: 'warning' as const, reason: 'rejected' as const, place: {}, what: 'w' }
    same(input, { ...input, revision: 9, leftOut: [untouched], problems: [problem] })
  })

  test('addresses and ports that the API server draws at random', () => {
    const drawn = (ip: string, nodePort: number) =>
      withFields(service, {
        spec: { clusterIP: ip, clusterIPs: [ip], healthCheckNodePort: nodePort, ports: [{ port: 80, nodePort }] },
      })
    same(answered(service, drawn('10.0.0.1', 30001)), answered(service, drawn('10.0.0.2', 30002)))
  })

  test("a Job's controller", () => {
    const job = yaml(
      '{ apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { template: { metadata: { labels: { x: y } } } } }',
    )
    const owned = (uid: string) =>
      withFields(job, {
        metadata: { labels: { 'controller-uid': uid } },
        spec: {
          selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
          template: { metadata: { labels: { 'controller-uid': uid, 'batch.kubernetes.io/controller-uid': uid } } },
        },
      })
    same(answered(job, owned('a')), answered(job, owned('b')))
  })

  test("a Pod's token", () => {
    const pod = yaml(
      '{ apiVersion: v1, kind: Pod, metadata: { name: a }, spec: { containers: [{ name: a, image: a }] } }',
    )
    const mounted = (name: string) =>
      withFields(pod, {
        spec: {
          volumes: [{ name }],
          containers: [{ name: 'a', image: 'a', volumeMounts: [{ name, mountPath: '/var' }] }],
        },
      })
    same(answered(pod, mounted('kube-api-access-abcde')), answered(pod, mounted('kube-api-access-fghij')))
  })

  test('replicas that an autoscaler sets', () => {
    const scaled = (replicas: number) =>
      withFields(deployment, {
        ...managed('kube-controller-manager', { 'f:spec': { 'f:replicas': {} } }, 'scale'),
        spec: { replicas },
      })
    same(answered(deployment, scaled(3)), answered(deployment, scaled(5)))
    same(answered(deployment, scaled(3)), answered(deployment, withFields(deployment, { spec: { replicas: 1 } })))
  })

  test('fields that other managers alone hold, whether they stand in maps of their own or not', () => {
    const fields = {
      'f:metadata': { 'f:annotations': { '.': {}, 'f:deployment.kubernetes.io/revision': {}, 'f:note': {} } },
    }
    const noted = (note: string) =>
      withFields(config, { metadata: { ...managed('operator', fields).metadata, annotations: { note } } })
    same(answered(config, noted('a')), answered(config, noted('b')))
    same(answered(config, noted('a')), answered(config, config))
  })

  test('values that come out otherwise at each render', () => {
    const render = (key: string) => {
      const body = withFields(config, { data: { key, fixed: 'x' } })
      const input = answered(body, body)
      return {
        ...input,
        desired: input.desired.map((one) => ({ ...one, manifest: { ...one.manifest, varies: ['/data/key'] } })),
      }
    }
    same(render('a'), render('b'))
  })

  test('what each render generates for a Secret, written as stringData and kept as data', () => {
    const render = (password: string, text: string) => {
      const body = yaml(`{ apiVersion: v1, kind: Secret, metadata: { name: a }, stringData: { password: ${text} } }`)
      const input = answered(body, withFields(secret, { data: { password } }))
      const varies = ['/stringData/password']
      return { ...input, desired: input.desired.map((one) => ({ ...one, manifest: { ...one.manifest, varies } })) }
    }
    const hashOfRender = (password: string, text: string) => print(render(password, text), { secretKey: 'k' }).hash
    expect(hashOfRender('c2VjcmV0LW9uZQ==', 'secret-one')).toBe(hashOfRender('c2VjcmV0LXR3bw==', 'secret-two'))
  })

  test('but no data of a kind of another group called Secret: it stores stringData as written', () => {
    const hashOfData = (a: string) => {
      const text = `{ apiVersion: example.com/v1, kind: Secret, metadata: { name: a }, stringData: { a: x }, data: { a: ${a} } }`
      const input = given('{}', { chart: [yaml(text)] })
      const varies = ['/stringData/a']
      const desired = input.desired.map((one) => ({ ...one, manifest: { ...one.manifest, varies } }))
      return print({ ...input, desired }, { secretKey: 'k' }).hash
    }
    expect(hashOfData('one')).not.toBe(hashOfData('two'))
  })

  test('names that come out otherwise at each render', () => {
    const render = (name: string) => {
      const input = given('{}', { chart: [withFields(config, { metadata: { name } })] })
      return {
        ...input,
        desired: input.desired.map((one) => ({ ...one, manifest: { ...one.manifest, varies: ['/metadata/name'] } })),
      }
    }
    same(render('migrate-x7k2p'), render('migrate-b9c3d'))
    expect(Object.keys(print(render('migrate-x7k2p')).digests)).toEqual([
      'main/apply//ConfigMap/web/*@shop/template/1.yaml',
    ])
  })

  test.each<[string, 'upgrade' | 'uninstall', string, string]>([
    ['without a policy', 'upgrade', 'pre-upgrade', ''],
    ['deleted after success', 'upgrade', 'pre-upgrade', ', helm.sh/hook-delete-policy: hook-succeeded'],
    ['deleted after a failure', 'upgrade', 'post-upgrade', ', helm.sh/hook-delete-policy: hook-failed'],
    ['before a deletion', 'uninstall', 'pre-delete', ''],
  ])('whether the Job of a hook is still there from its last run: %s', (_what, verb, event, policy) => {
    const hook = yaml(
      `{ apiVersion: batch/v1, kind: Job, metadata: { name: a, annotations: { helm.sh/hook: ${event}${policy} } } }`,
    )
    same(given('{}', { verb, chart: [hook], live: [hook] }), given('{}', { verb, chart: [hook] }))
  })

  test.each<[string, readonly string[], Partial<IgnoredField>]>([
    ['a pointer', ['data', 'key'], {}],
    ['any step', ['*', 'key'], {}],
    ['a pointer of one kind', ['data', 'key'], { kind: 'ConfigMap' }],
    ['a pointer of one object', ['data', 'key'], { kind: 'ConfigMap', name: 'a' }],
  ])('what approval-ignore names: %s', (_form, steps, of) => {
    const [a, b] = ['1', '2'].map((key) => withFields(config, { data: { key, fixed: 'x' } }))
    const ignored = [{ steps, ...of }]
    expect(print(answered(config, a ?? {}), { ignored })).toEqual(print(answered(config, b ?? {}), { ignored }))
  })

  test('properties of any object: neither the order of its keys nor the kind of its numbers', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (data) => {
        const turned = Object.fromEntries(Object.entries(data).toReversed())
        const [a, b] = [data, turned].map((one) => ({ ...config, data: one }) as unknown as KubeObject)
        expect(print(answered(config, a ?? {}))).toEqual(print(answered(config, b ?? {})))
      }),
      { numRuns: 50 },
    )
    const [a, b] = [5, 5n].map((data) => ({ ...config, data }) as unknown as KubeObject)
    expect(print(answered(config, a ?? {}))).toEqual(print(answered(config, b ?? {})))
  })
})

describe('what changes the hash', () => {
  const base = `
    verb: upgrade
    previous:
      - { apiVersion: v1, kind: ConfigMap, metadata: { name: old } }
    chart:
      - { apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { key: value } }
      - apiVersion: batch/v1
        kind: Job
        metadata: { name: migrate, annotations: { helm.sh/hook: pre-upgrade } }
        spec: { template: { spec: { containers: [{ name: a, image: a:1 }] } } }
      - { apiVersion: apps/v1, kind: Deployment, metadata: { name: web }, spec: {} }`

  test('replicas that the chart sets to none, where an autoscaler could set those that it leaves out', () => {
    const scaled = (replicas: number) => withFields(deployment, { spec: { replicas } })
    expect(print(answered(scaled(0), scaled(0))).hash).not.toBe(print(answered(deployment, scaled(1))).hash)
    expect(print(given('{}', { chart: [scaled(0)] })).hash).not.toBe(print(given('{}', { chart: [deployment] })).hash)
  })

  test.each<[string, string, string]>([
    ['a value', 'key: value', 'key: other'],
    ['a number for a text', 'key: value', 'key: 1'],
    ["a hook's image", 'image: a:1', 'image: a:2'],
    ["a hook's event", 'pre-upgrade', 'post-upgrade'],
    ['a weight', 'metadata: { name: web }', "metadata: { name: web, annotations: { werf.io/weight: '5' } }"],
    ['a label that is folded as noise', '{ name: web }', '{ name: web, labels: { helm.sh/chart: a-2 } }'],
    ['another version of the API', 'apiVersion: apps/v1', 'apiVersion: apps/v1beta1'],
    ['the verb', 'verb: upgrade', 'verb: install'],
    ['what is pruned', 'name: old', 'name: older'],
  ])('%s', (_what, from, to) => {
    expect(base).toContain(from)
    expect(hashOf(base.replace(from, to))).not.toBe(hashOf(base))
  })

  test.each<[string, Partial<AwaitOperation>]>([
    ['what is waited for', { until: 'readable' }],
    ['which values are waited for', { properties: [{ path: '.status.phase', value: 'Ready' }] }],
    ['what a failed wait does', { failure: 'ignore' }],
  ])('%s', (_what, change) => {
    const planned = makePlan(given('{}', { chart: [deployment] }))
    const stages = planned.plan.stages.map((stage) => ({
      ...stage,
      groups: stage.groups.map((group) => ({
        ...group,
        ranks: group.ranks.map((rank) => rank.map((one) => (one.kind === 'await' ? { ...one, ...change } : one))),
      })),
    }))
    expect(fingerprintOf({ ...planned, plan: { ...planned.plan, stages } }, plain).hash).not.toBe(
      fingerprintOf(planned, plain).hash,
    )
  })

  test('release and namespace', () => {
    const input = answered(config, config)
    const hashes = [input, { ...input, release: 'other' }, { ...input, namespace: 'other' }].map(
      (one) => print(one).hash,
    )
    expect(new Set(hashes).size).toBe(3)
  })

  test('a field that a webhook adds', () => {
    expect(print(answered(config, withFields(config, { data: { added: 'x' } })))).not.toEqual(
      print(answered(config, config)),
    )
  })

  test('what the API server would draw, where the chart sets it', () => {
    const fixed = (clusterIP: string) => withFields(service, { spec: { clusterIP } })
    const [a, b] = [fixed('10.0.0.1'), fixed('None')]
    expect(print(answered(a, a)).hash).not.toBe(print(answered(b, b)).hash)
  })

  test('a field that helm holds beside another manager', () => {
    const shared = (key: string) => {
      const fieldsV1 = { 'f:data': { 'f:key': {} } }
      const entry = (manager: string, operation: string) => ({ manager, operation, apiVersion: 'v1', fieldsV1 })
      return withFields(config, {
        data: { key },
        metadata: { managedFields: [entry('helm', 'Apply'), entry('kubectl', 'Update')] },
      })
    }
    expect(print(answered(config, shared('a'))).hash).not.toBe(print(answered(config, shared('b'))).hash)
  })

  test('approval-ignore of another object ignores nothing', () => {
    const [a, b] = ['1', '2'].map((key) => withFields(config, { data: { key } }))
    const ignored = [{ steps: ['data', 'key'], kind: 'ConfigMap', name: 'b' }]
    expect(print(answered(config, a ?? {}), { ignored })).not.toEqual(print(answered(config, b ?? {}), { ignored }))
  })
})

describe('digests', () => {
  const digestOf = (input: PlanInput, how: Partial<FingerprintInput> = {}) =>
    Object.values(print(input, how).digests)[0]

  test('are too long for two operations to be made to share one, one for each apply and delete', () => {
    const { digests } = print(
      given(`
      verb: upgrade
      previous: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: old } }]
      chart: [{ apiVersion: apps/v1, kind: Deployment, metadata: { name: web } }]`),
    )
    expect(Object.keys(digests)).toEqual(['main/apply/apps/Deployment/web/web', 'prune/delete//ConfigMap/web/old'])
    expect(Object.values(digests).every((digest) => /^[\w-]{22}$/.test(digest))).toBe(true)
  })

  test('of a creation and of an update to the same end state are one', () => {
    const live = withFields(config, { data: { key: 'old' } })
    const owned = {
      labels: { 'app.kubernetes.io/managed-by': 'Helm' },
      annotations: { 'meta.helm.sh/release-name': 'shop', 'meta.helm.sh/release-namespace': 'web' },
    }
    const update = answered(config, config, [withFields(live, { metadata: owned })])
    expect(digestOf(update)).toBe(digestOf(answered(config, config)))
  })

  const ended = '{ conditions: [{ type: Complete, status: "True" }] }'

  test.each<[string, string, string, string]>([
    ['a Job that has ended', 'batch/v1, kind: Job', 'helm.sh/hook: pre-install', ended],
    [
      'a Job that is waited for first',
      'batch/v1, kind: Job',
      'helm.sh/hook: pre-install, helm.sh/hook-delete-policy: hook-failed',
      '{ active: 1 }',
    ],
    [
      'a Job of two events that is waited for first',
      'batch/v1, kind: Job',
      'helm.sh/hook: "pre-install,post-install", helm.sh/hook-delete-policy: hook-failed',
      '{ active: 1 }',
    ],
    ['an object that is made anew each time', 'v1, kind: ConfigMap', 'helm.sh/hook: pre-install', '{}'],
    [
      'an object that is updated in place',
      'v1, kind: ConfigMap',
      'helm.sh/hook: "pre-install,post-install", helm.sh/resource-policy: keep',
      '{}',
    ],
    [
      'what is recreated each time and is no hook',
      'v1, kind: ConfigMap',
      'werf.io/delete-policy: before-creation',
      '{}',
    ],
  ])(
    'and hash of what runs are one, whether its last run is still there or not: %s',
    (_what, kind, annotations, status) => {
      const chart = `
      chart:
        - { apiVersion: ${kind}, metadata: { name: a, annotations: { ${annotations} } } }`
      const marks = annotations.startsWith('helm.sh/hook')
        ? ''
        : `, labels: { app.kubernetes.io/managed-by: Helm }, annotations: { meta.helm.sh/release-name: shop, meta.helm.sh/release-namespace: web }`
      const left = `
      live:
        - { apiVersion: ${kind}, metadata: { name: a${marks} }, status: ${status} }`
      const [there, gone] = [print(given(chart + left)), print(given(chart))]
      expect([there.digests, there.hash]).toEqual([gone.digests, gone.hash])
    },
  )

  test('and hash of an unchanged hook are those of its creation', () => {
    const annotations = 'annotations: { helm.sh/hook: pre-install, helm.sh/resource-policy: keep }'
    const hook = `
      chart: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, ${annotations} } }]`
    const there = given(hook + hook.replace('chart:', 'live:'))
    expect(makePlan(there).plan.stages[0]?.groups[0]?.ranks[0]).toMatchObject([{ change: 'none' }])
    expect([print(there).digests, print(there).hash]).toEqual([print(given(hook)).digests, print(given(hook)).hash])
  })

  test('of what could not be asked: as rendered, and known again once it can be', () => {
    const unknown = given('{}', {
      chart: [config],
      options: { createNamespace: true },
      answers: { 'ConfigMap/web/a': { kind: 'namespace-missing' } },
    })
    const known = answered(config, withFields(config, { data: { defaulted: 'x' } }))
    const later = print(known)
    const id = 'main/apply//ConfigMap/web/a'
    expect(later.digests[id]).not.toBe(digestOf(unknown))
    expect(later.earlierDigests?.[id]).toContain(digestOf(unknown))
  })

  test('of what was known never stand for a rendered one', () => {
    const known = print(given('{}', { chart: [config] }))
    expect(Object.values(known.earlierDigests ?? {}).flat()).not.toContain(Object.values(known.digests)[0])
  })

  test('hold the weight', () => {
    const input = given('{}', { chart: [config] })
    const later = input.desired.map((one) => ({ ...one, directives: { ...one.directives, weight: 5 } }))
    expect(digestOf({ ...input, desired: later })).not.toBe(digestOf(input))
  })
})

describe('secret values in the fingerprint', () => {
  const changed = withFields(secret, { data: { password: 'b3RoZXI=' } })
  const [one, other] = [answered(secret, secret), answered(changed, changed)]

  test('count under the key of the live record', () => {
    expect(print(one, { secretKey: 'k' }).hash).not.toBe(print(other, { secretKey: 'k' }).hash)
  })

  test('cannot be guessed without the key', () => {
    expect(print(one, { secretKey: 'k' }).hash).not.toBe(print(one, { secretKey: 'l' }).hash)
  })

  test('count with their key names only on a first install', () => {
    expect(print(one).hash).toBe(print(other).hash)
    const more = withFields(secret, { data: { user: 'eA==' } })
    expect(print(answered(more, more)).hash).not.toBe(print(one).hash)
  })

  test('hide nothing of the text around them, also on a first install', () => {
    const redact = (text: string) => text.replaceAll('/bin/sh', '***')
    const run = (command: string) => withFields(config, { data: { command } })
    const [a, b] = ['/bin/sh -c migrate', '/bin/sh -c evil'].map((command) => answered(run(command), run(command)))
    if (a === undefined || b === undefined) throw new Error('two inputs')
    expect(print(a, { redact }).hash).not.toBe(print(b, { redact }).hash)
  })

  test.each(['containers', 'initContainers'])('hide no image of %s, which prints as it is', (list) => {
    const redact = (text: string) => text.replaceAll(/(good|evil)\/app:1/g, '***')
    const hashed = (image: string) => {
      const body = withFields(deployment, { spec: { template: { spec: { [list]: [{ name: 'a', image }] } } } })
      return print(answered(body, body), { redact }).hash
    }
    expect(hashed('good/app:1')).not.toBe(hashed('evil/app:1'))
  })

  test('count in the same way where they turn up in other objects', () => {
    const redact = (text: string) => text.replaceAll(/hunter\d/g, '***')
    const url = (password: string) => withFields(config, { data: { url: `postgres://u:${password}@db` } })
    const [a, b] = ['hunter1', 'hunter2'].map((password) => answered(url(password), url(password)))
    if (a === undefined || b === undefined) throw new Error('two inputs')
    expect(print(a, { redact }).hash).toBe(print(b, { redact }).hash)
    expect(print(a, { redact, secretKey: 'k' }).hash).not.toBe(print(b, { redact, secretKey: 'k' }).hash)
  })
})
