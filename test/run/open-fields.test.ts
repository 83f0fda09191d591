import { beforeEach, describe, expect, test } from 'vitest'
import { at, type JsonObject, type KubeObject, stringAt } from '../../src/model/object.ts'
import type { ApplyOperation, Plan } from '../../src/model/plan.ts'
import { stageOperations } from '../../src/model/stage-operations.ts'
import { approvedPlanOf } from '../../src/plan/approved-plan.ts'
import { servedKind } from '../doubles/served-kind.ts'
import { type RunScene, runScene } from './scene.ts'

const service = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'db' },
  spec: { ports: [{ port: 5432 }] },
})
const secret = (password: string) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'db' }, data: { password: base64(password) } })
const config = (data: JsonObject) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'uses' }, data })
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** What a template finds of the first release. */
interface Found {
  readonly ip: string | undefined
  readonly uid: string | undefined
  readonly password: string | undefined
}

const ADDRESS = '10.96.3.7'
const UID = '0b9d4a4e-6c1c-4a52-9f60-3a2f9f1d2c11'

let scene: RunScene
let releases: readonly ReturnType<RunScene['chart']>[]
let first: readonly [string, string]
let second: (found: Found) => string

beforeEach(() => {
  scene = runScene()
  releases = ['first', 'second'].map(scene.chart)
  first = [service, service]
  const kinds = ['ConfigMap', 'Secret', 'Service', 'Namespace', 'Pod'].map((name) => servedKind('', 'v1', name))
  const others = [servedKind('coordination.k8s.io', 'v1', 'Lease'), servedKind('apps', 'v1', 'Deployment')]
  scene.cluster.setDiscovery({ kinds: [...kinds, ...others], failed: [] })
  scene.cluster.statusWhenApplied({ kind: 'Deployment' }, 1_000, { observedGeneration: 1 })
  stores('Service', withAddress)
  const render = scene.renderer.render.bind(scene.renderer)
  scene.renderer.render = async (request) => {
    const find = async (kind: string) => request.lookup?.('v1', kind, 'web', 'db')
    if (request.release === 'first') {
      scene.renderer.chart(first[0], { again: first[1] })
    } else {
      const [live, data] = [await find('Service'), await find('Secret')]
      scene.renderer.chart(
        second({
          ip: stringAt(live, 'spec', 'clusterIP'),
          uid: stringAt(live, 'metadata', 'uid'),
          password: stringAt(data, 'data', 'password'),
        }),
      )
    }
    return render(request)
  }
})

/** The API server, or who watches it, makes this of what is applied. */
function stores(kind: string, change: (object: KubeObject) => KubeObject): void {
  const { apply } = scene.cluster
  scene.cluster.apply = async (...asked) => {
    const stored = await apply.apply(scene.cluster, asked)
    return stored.kind === kind ? scene.cluster.put(change(stored)) : stored
  }
}

function withAddress(object: KubeObject): KubeObject {
  const spec = at(object, 'spec') as JsonObject
  return {
    ...object,
    metadata: { ...object.metadata, uid: UID },
    spec: { ...spec, clusterIP: ADDRESS, clusterIPs: [ADDRESS] },
  }
}

async function planned() {
  const results = await scene.run({ command: 'plan', approval: 'comment', releases })
  return results.flatMap(({ plan, fingerprint }) =>
    plan === undefined || fingerprint === undefined ? [] : [{ plan, approved: approvedPlanOf(plan, fingerprint) }],
  )
}

async function deploy(plans: Awaited<ReturnType<typeof planned>>) {
  const approved = plans.map((one) => one.approved)
  const review = {
    approvedPlans: async () => ({ plans: approved }),
    post: async () => ({}),
    endedEarly: async () => {},
  }
  const results = await scene.run({ approval: 'comment', releases }, review)
  return results.map(({ outcome }) => outcome.failure?.reason ?? outcome.status)
}

function appliesIn(plan: Plan | undefined): readonly ApplyOperation[] {
  return (plan?.stages ?? []).flatMap(stageOperations).filter((one) => one.kind === 'apply')
}

const live = (kind: string, name: string) =>
  scene.cluster.object({ apiVersion: kind === 'Deployment' ? 'apps/v1' : 'v1', kind, namespace: 'web', name })

describe('what only the cluster says of an earlier release of the run', () => {
  test('is shown by its name, and deployed under the approval as the cluster says it', async () => {
    second = ({ ip }) => config({ url: `http://${ip}:5432`, other: 'x' })
    const plans = await planned()
    const [operation] = appliesIn(plans[1]?.plan)
    expect(operation?.after?.data).toEqual({ url: 'http://‹spec.clusterIP of Service/web/db›:5432', other: 'x' })
    expect(operation?.open).toEqual([
      {
        path: '/data/url',
        text: 'http://‹spec.clusterIP of Service/web/db›:5432',
        of: [{ ref: { apiVersion: 'v1', kind: 'Service', namespace: 'web', name: 'db' }, path: '/spec/clusterIP' }],
      },
    ])
    expect(await deploy(plans)).toEqual(['deployed', 'deployed'])
    expect(live('ConfigMap', 'uses')?.data).toEqual({ url: `http://${ADDRESS}:5432`, other: 'x' })
  })

  test('a plan has the same hash each time', async () => {
    second = ({ ip, uid }) => config({ url: `http://${ip}:5432`, uid: uid ?? '', length: String(ip?.length) })
    const [one, other] = [await planned(), await planned()]
    expect(one.map(({ approved }) => approved.hash)).toEqual(other.map(({ approved }) => approved.hash))
  })

  test('is open for a run after one that failed between the releases', async () => {
    second = ({ ip }) => config({ url: `http://${ip}:5432` })
    const plans = await planned()
    await scene.run({ releases: releases.slice(0, 1) })
    expect(await deploy(plans)).toEqual(['no-changes', 'deployed'])
    expect(live('ConfigMap', 'uses')?.data).toEqual({ url: `http://${ADDRESS}:5432` })
  })

  test('may be a random word of a Secret, in a Secret, in a text and in base64', async () => {
    first = [secret('Xy7aBcD9eF0gH2iJ'), secret('Qw4rTyU8iO1pA5sD')]
    second = ({ password = '' }) => {
      const decoded = Buffer.from(password, 'base64').toString('utf8')
      const dsn = `postgres://app:${decoded}@db`
      const uses = {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'uses' },
        data: { password, dsn: base64(dsn) },
      }
      return `${JSON.stringify(uses)}\n---\n${config({ encoded: password, url: dsn })}`
    }
    const plans = await planned()
    const shown = appliesIn(plans[1]?.plan).map(({ after }) => after?.data)
    expect(shown).toEqual(
      expect.arrayContaining([
        { password: '(hidden)', dsn: '(hidden)' },
        {
          encoded: '‹data.password of Secret/web/db in base64›',
          url: 'postgres://app:‹data.password of Secret/web/db›@db',
        },
      ]),
    )
    first = [secret('Zz1yXw2vUt3sRq4p'), secret('Oo5nMm6lKk7jIi8h')]
    expect(await deploy(plans)).toEqual(['deployed', 'deployed'])
    expect(live('ConfigMap', 'uses')?.data).toEqual({
      encoded: base64('Zz1yXw2vUt3sRq4p'),
      url: 'postgres://app:Zz1yXw2vUt3sRq4p@db',
    })
    expect(live('Secret', 'uses')?.data).toEqual({
      password: base64('Zz1yXw2vUt3sRq4p'),
      dsn: base64('postgres://app:Zz1yXw2vUt3sRq4p@db'),
    })
  })

  test('may be a variable of a container, and a checksum over it in an annotation of the pods', async () => {
    const sum = (text: string | undefined) =>
      `${base64(`${text}`).replaceAll('=', '')}000000000000000000000000`.slice(0, 20)
    second = ({ ip }) => workload({ env: [{ name: 'HOST', value: ip ?? '' }] }, { 'checksum/config': sum(ip) })
    const plans = await planned()
    expect(appliesIn(plans[1]?.plan)[0]?.open?.map(({ path, of }) => [path, of.length])).toEqual([
      ['/spec/template/metadata/annotations/checksum~1config', 0],
      ['/spec/template/spec/containers/0/env/0/value', 1],
    ])
    expect(await deploy(plans)).toEqual(['deployed', 'deployed'])
    expect(at(live('Deployment', 'uses'), 'spec', 'template', 'spec', 'containers', 0, 'env', 0, 'value')).toBe(ADDRESS)
  })
})

describe('and stops before the first write of its release, where the answer changes anything else', () => {
  const pod = { image: 'shop:1' }
  test.each<[string, (ip: string) => string]>([
    ['a condition on it', (ip) => config({ url: ip, mode: ip.startsWith('10.') ? 'evil' : 'harmless' })],
    ['another text in its place', (ip) => config({ url: ip.startsWith('10.') ? 'evil.example' : ip })],
    ['more text around it', (ip) => config({ url: ip.startsWith('10.') ? `${ip}; rm -rf /` : ip })],
    ['another key', (ip) => config({ url: ip, ...(ip.startsWith('10.') ? { 'run.sh': 'evil' } : {}) })],
    ['another object', (ip) => config({ url: ip }) + (ip.startsWith('10.') ? `\n---\n${workload(pod)}` : '')],
    ['a part of it', (ip) => config({ octet: ip.split('.')[0] ?? '' })],
    ['its length', (ip) => config({ length: String(ip.length) })],
    ['a name', (ip) => config({ url: ip }).replace('"uses"', `"uses-${ip}"`)],
    ['an argument', (ip) => workload({ ...pod, args: [ip] })],
    ['a command', (ip) => workload({ ...pod, command: ['curl', ip] })],
    ['an image', (ip) => workload({ image: `${ip}/shop` })],
    [
      'a directive',
      (ip) => workload(pod, {}, { 'werf.io/deploy-dependency-x': `state=ready,kind=Service,name=db-${ip}` }),
    ],
    ['an annotation of our dialects', (ip) => workload(pod, {}, { 'helm.sh/any': ip })],
    ['a checksum where a program reads it', (ip) => config({ sum: base64(ip.padEnd(15)) })],
  ])('%s', async (_what, chart) => {
    second = ({ ip = '' }) => chart(ip)
    expect(await deploy(await planned())).toEqual(['deployed', 'plan-changed'])
    expect([live('ConfigMap', 'uses'), live('Deployment', 'uses')]).toEqual([undefined, undefined])
  })

  test('a value that has another form than such values have', async () => {
    first = [secret('Xy7aBcD9eF0gH2iJ'), secret('Qw4rTyU8iO1pA5sD')]
    second = ({ password = '' }) => config({ 'run.sh': `login ${Buffer.from(password, 'base64')}` })
    const plans = await planned()
    stores('Secret', (object) => ({ ...object, data: { password: base64('x && evil --now') } }))
    expect(await deploy(plans)).toEqual(['deployed', 'invalid-input'])
    expect(live('ConfigMap', 'uses')).toBeUndefined()
  })

  test('a chart that has become another since the review', async () => {
    second = ({ ip }) => config({ url: `http://${ip}` })
    const plans = await planned()
    second = ({ ip }) => config({ url: `http://${ip}.evil.example` })
    expect(await deploy(plans)).toEqual(['planned', 'plan-changed'])
  })

  test('the value of another object, or another value of the same', async () => {
    second = ({ ip, uid }) => config({ a: ip ?? '', b: uid ?? '' })
    const plans = await planned()
    second = ({ ip, uid }) => config({ a: uid ?? '', b: ip ?? '' })
    expect(await deploy(plans)).toEqual(['planned', 'plan-changed'])
  })

  test('the plan says so before', async () => {
    second = ({ ip }) => workload({ image: `${ip}/shop` })
    const [, plan] = await planned()
    expect(plan?.plan.problems.map(({ severity, what }) => `${severity}: ${what}`)).toEqual([
      'warning: depends on what only the cluster will say of an earlier release, so that a deploy under an approval stops before this release: /spec/template/spec/containers/0/image',
    ])
  })
})

function workload(container: JsonObject, podAnnotations: JsonObject = {}, annotations: JsonObject = {}): string {
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'uses', annotations },
    spec: { replicas: 0, template: { metadata: { annotations: podAnnotations }, spec: { containers: [container] } } },
  })
}
