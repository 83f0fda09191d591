import { beforeEach, describe, expect, test } from 'vitest'
import { defined } from '../../src/model/defined.ts'
import { RenderError } from '../../src/model/errors.ts'
import type { PassResult } from '../../src/model/pass.ts'
import type { Plan } from '../../src/model/plan.ts'
import { noValues, type ReleaseSpec } from '../../src/model/release.ts'
import type { Rendered } from '../../src/model/rendered.ts'
import { type BaseRender, baseRenderWorld } from '../../src/pass/base-render-world.ts'
import { nothingProvided } from '../../src/pass/provided.ts'
import { type PassRequest, runPass } from '../../src/pass/run-pass.ts'
import type { Renderer, RenderRequest, Secrets } from '../../src/ports.ts'
import { isWorthPosting } from '../../src/report/comment/comment.ts'
import { planText } from '../../src/report/words/plan-text.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import { fakeClock } from '../doubles/fake-clock.ts'
import { type FakeRenderer, fakeRenderer } from '../doubles/fake-renderer.ts'
import { releaseOptions } from '../doubles/release-options.ts'
import { neverStopped } from '../doubles/stops.ts'

const specAt = (path: string): ReleaseSpec => ({
  release: 'shop',
  namespace: 'web',
  weight: 0,
  source: { kind: 'chart', path, values: noValues },
})

let base: FakeRenderer
let head: FakeRenderer
let secrets: Secrets
let plans: Plan[]

beforeEach(() => {
  base = fakeRenderer()
  head = fakeRenderer()
  secrets = createSecrets()
  plans = []
})

/** What a side renders: a text, one that comes out otherwise the second time, or a failure. */
type Side = string | { readonly text: string; readonly again: string } | Error

interface Given extends Partial<PassRequest>, Partial<Omit<BaseRender, 'releases'>> {
  /** Of the base. */
  readonly crds?: string
}

/** The plan of a chart that was rendered as `before` and is now as `after`; undefined: the base has none. */
async function run(
  before: Side | undefined,
  after: Side,
  { crds = '', kubeVersion, apiVersions = [], ...given }: Given = {},
) {
  const renderer: Renderer = {
    ...head,
    render: async (request) => {
      const isBase = request.chartPath === 'base/chart'
      const side = isBase ? before : after
      return rendered(isBase ? base : head, side ?? '', request, isBase ? crds : '')
    },
  }
  const world = baseRenderWorld({
    releases: before === undefined ? [] : [specAt('base/chart')],
    apiVersions,
    ...defined({ kubeVersion }),
  })
  const request: PassRequest = {
    task: { kind: 'deploy' },
    isPlanOnly: true,
    spec: specAt('chart'),
    options: releaseOptions,
    prune: true,
    leftOut: [],
    providedEarlier: nothingProvided,
    approvalIgnore: [],
    isUnderApproval: false,
    approval: undefined,
    mayLackRights: true,
    holder: 'run 1',
    stop: neverStopped(),
    lockWaitMs: 0,
    onPlan: (plan) => plans.push(plan),
    onEvent: () => {},
    onHeld: () => {},

    onFreed: () => {},
    ...given,
  }
  return runPass(request, world, { renderer, clock: fakeClock(), secrets })
}

async function rendered(renderer: FakeRenderer, side: Side, request: RenderRequest, crds: string): Promise<Rendered> {
  if (side instanceof Error) throw side
  if (typeof side === 'string') {
    renderer.chart(side, { crds })
    return renderer.render(request)
  }
  const [first, second] = [
    await rendered(renderer, side.text, request, crds),
    await rendered(renderer, side.again, request, crds),
  ]
  const documents = first.documents.map((document, index) => {
    const again = second.documents[index]?.object
    return again === undefined ? document : { ...document, again }
  })
  return { ...first, documents }
}

async function pass(before: Side | undefined, after: Side, given: Given = {}): Promise<PassResult> {
  return (await run(before, after, given)).result
}

/** The operations of the plan, without the waits. */
async function changes(before: Side | undefined, after: Side, given: Given = {}) {
  const { plan } = await pass(before, after, given)
  if (plan === undefined) return ['no plan']
  return planText(plan)
    .split('\n')
    .filter((line) => /^ {4}\d+ |^ {2}[=ew]/.test(line) && !/ until /.test(line) && !line.startsWith('  weight'))
    .map((line) => line.trim().replace(/^\d+ /, ''))
}

const configMap = (name: string, data: string, more = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}${more} }\ndata: ${data}`
const all = (...documents: readonly string[]) => documents.join('\n---\n')
const HOOK = (image: string, more = '') =>
  `apiVersion: batch/v1\nkind: Job\nmetadata: { name: migrate, annotations: { helm.sh/hook: "pre-install,pre-upgrade"${more} } }\nspec: { image: ${image} }`

const workload = (spec: string, container: string) =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: app }\nspec: { ${spec}, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: app, ${container} }] } } }`

const CRD =
  'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: widgets.acme.dev }\nspec: { group: acme.dev, names: { kind: Widget } }'

test('reuse-values stops a plan without a cluster: only the record knows the values', async () => {
  const { result } = await run(undefined, 'apiVersion: v1', { options: { ...releaseOptions, reuseValues: 'reuse' } })
  expect(result.outcome.failure).toMatchObject({
    reason: 'invalid-input',
    message: 'input reuse-values: reuse takes values from the release record, and a plan without a cluster has none',
  })
})

describe('the plan without a cluster', () => {
  test('is that of the head against the base', async () => {
    const before = all(
      configMap('same', '{ a: "1" }'),
      configMap('changed', '{ a: "1" }'),
      configMap('gone', '{ a: "1" }'),
    )
    const after = all(
      configMap('same', '{ a: "1" }'),
      configMap('changed', '{ a: "2" }'),
      configMap('new', '{ a: "1" }'),
    )
    const { plan } = await pass(before, after)
    expect(plan && planText(plan)).toMatchInlineSnapshot(`
      "upgrade shop in web, no new revision: 1 to update, 1 to rename (created anew, the old one deleted), 1 unchanged (rendered diff against the base branch, not compared with the cluster)

      stage main
        weight 0
          1 ~ update ConfigMap/web/changed: data.a 1 → 2
          1 + create ConfigMap/web/new: renamed from gone; the same but for names and version labels
          1 = unchanged ConfigMap/web/same

      stage prune
        weight 0
          1 - delete ConfigMap/web/gone (foreground): renamed to new
      "
    `)
  })

  test('is a first install where the base has no such release', async () => {
    const { plan, previousChart } = await pass(undefined, all(HOOK('v1'), configMap('web', '{}')))
    expect([plan?.verb, previousChart, await changes(undefined, all(HOOK('v1'), configMap('web', '{}')))]).toEqual([
      'install',
      undefined,
      ['+ create Job/web/migrate [pre-install]', '+ create ConfigMap/web/web'],
    ])
  })

  test('knows neither revision nor fingerprint, and reads nothing', async () => {
    const result = await pass(configMap('web', '{}'), configMap('web', '{ a: "1" }'))
    expect(result).toMatchObject({
      command: 'plan',
      requests: 0,
      outcome: { status: 'planned' },
      previousChart: { name: 'shop' },
    })
    expect(result.plan).toMatchObject({ comparedBy: 'base-render', writesRevision: false, verb: 'upgrade' })
    expect([result.fingerprint, result.readAtMs, result.previousRevision]).toEqual([undefined, undefined, undefined])
    expect(plans).toEqual([result.plan])
  })

  test('shows nobody but the chart as the cause, and no marks of a release', async () => {
    const before = all(configMap('changed', '{ a: "1" }'), configMap('gone', '{ a: "1" }'))
    const { plan } = await pass(before, all(configMap('changed', '{ a: "2" }'), configMap('new', '{ a: "1" }')))
    expect(JSON.stringify(plan)).not.toMatch(/meta\.helm\.sh|managed-by|managedFields|drift/)
    expect(JSON.stringify(plan)).toContain('"before":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"gone"')
  })

  test('gives both sides the same revision, and asks nobody for live objects', async () => {
    await pass(configMap('web', '{}'), configMap('web', '{}'), { kubeVersion: 'v1.30.0' })
    const asked = [...base.requests, ...head.requests].map(({ revision, isUpgrade, kubeVersion, lookup }) => ({
      revision,
      isUpgrade,
      kubeVersion,
      lookup,
    }))
    const expected = { revision: 1, isUpgrade: true, kubeVersion: 'v1.30.0', lookup: undefined }
    expect(asked).toEqual([expected, expected])
  })

  test('takes the defaults of the API as said on both sides', async () => {
    const before = workload('selector: { matchLabels: { a: b } }', 'image: "app:1", ports: [{ containerPort: 80 }]')
    const stated = workload(
      'progressDeadlineSeconds: 600, strategy: { type: RollingUpdate }, selector: { matchLabels: { a: b } }',
      'image: "app:1", imagePullPolicy: IfNotPresent, resources: {}, ports: [{ containerPort: 80, protocol: TCP }]',
    )
    const names = 'containers[app].resources, containers[app]…protocol and 3 more'
    const same = '= unchanged Deployment/web/app: stored as before:'
    expect(await changes(before, stated)).toEqual([`${same} states the defaults of ${names}`])
    expect(await changes(stated, before)).toEqual([`${same} no longer states the defaults of ${names}`])
    expect(await changes(stated, stated)).toEqual(['= unchanged Deployment/web/app'])
  })

  test('shows replicas that are stated from now on: others may have set another number', async () => {
    const [before, after] = ['', 'replicas: 1, '].map((replicas) =>
      workload(`${replicas}selector: { matchLabels: { a: b } }`, 'image: app'),
    ) as [string, string]
    expect(await changes(before, after)).toEqual([
      expect.stringContaining(
        '~ update Deployment/web/app: replicas 1 added (an autoscaler or kubectl scale may have set another number)',
      ),
    ])
    expect(await changes(after, before)).toEqual([
      '= unchanged Deployment/web/app: stored as before: no longer states the defaults of replicas; for replicas this holds in the render only: others may have set it in the cluster',
    ])
  })

  test('says of an object that changes what else of it only states defaults', async () => {
    const [before, after] = ['', 'replicas: 1, revisionHistoryLimit: 10, '].map((stated) =>
      workload(`${stated}selector: { matchLabels: { a: b } }`, 'image: app'),
    ) as [string, string]
    expect(await changes(before, after)).toEqual([
      '~ update Deployment/web/app: replicas 1 added (an autoscaler or kubectl scale may have set another number); the rest is stored as before: states the defaults of revisionHistoryLimit',
    ])
    const { plan } = await pass(before, after)
    const [operation] = plan?.stages[0]?.groups[0]?.ranks.flat() ?? []
    expect(operation?.kind === 'apply' ? operation.impact?.respelled : undefined).toMatchObject([
      { path: 'spec.revisionHistoryLimit', kind: 'added', after: '10' },
    ])
  })

  test('calls the two forms of a Secret no default', async () => {
    const secret = (data: string) => `apiVersion: v1\nkind: Secret\nmetadata: { name: app }\n${data}`
    expect(await changes(secret('stringData: { a: b }'), secret('type: Opaque\ndata: { a: Yg== }'))).toEqual([
      '= unchanged Secret/web/app: stored as before: states the defaults of type, writes data, stringData otherwise',
    ])
  })

  test('shows the default that takes the place of a field', async () => {
    const before = workload('replicas: 3, revisionHistoryLimit: 5, selector: { matchLabels: { a: b } }', 'image: app')
    const after = workload('selector: { matchLabels: { a: b } }', 'image: app')
    const { plan } = await pass(before, after)
    const [operation] = plan?.stages[0]?.groups[0]?.ranks.flat() ?? []
    expect(operation?.kind === 'apply' ? operation.impact : undefined).toMatchObject({
      fields: [
        { path: 'spec.replicas', before: '3', after: '1' },
        { path: 'spec.revisionHistoryLimit', before: '5', after: '10' },
      ],
      scale: { from: 3, to: 1 },
    })
  })

  test.each([
    ['HorizontalPodAutoscaler', 'autoscaling/v2', 'kind: Deployment, name: app'],
    ['ScaledObject', 'keda.sh/v1alpha1', 'name: app'],
  ])('leaves the number of pods to a %s that is there', async (kind, apiVersion, target) => {
    const autoscaler = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: app }\nspec: { scaleTargetRef: { ${target} }, maxReplicas: 9 }`
    const selector = 'selector: { matchLabels: { a: b } }'
    const [fixed, free] = [workload(`replicas: 3, ${selector}`, 'image: app'), workload(selector, 'image: app')]
    const scaleOf = async (before: string, after: string) => {
      const { plan } = await pass(before, after)
      const operations = plan?.stages.flatMap(({ groups }) => groups.flatMap(({ ranks }) => ranks.flat())) ?? []
      const found = operations.find(({ kind: what, ref }) => what === 'apply' && ref.kind === 'Deployment')
      return found?.kind === 'apply' ? found.impact?.scale : undefined
    }
    expect(await scaleOf(all(autoscaler, fixed), all(autoscaler, free))).toBeUndefined()
    expect(await scaleOf(fixed, all(autoscaler, free)), 'until the new one has counted').toEqual({ from: 3, to: 1 })
  })

  test('recreates what a cluster would: a Job that has finished, and what a policy names', async () => {
    const job = (image: string) =>
      `apiVersion: batch/v1\nkind: Job\nmetadata: { name: seed }\nspec: { template: { spec: { restartPolicy: Never, containers: [{ name: seed, image: "${image}" }] } } }`
    const settings = (value: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings, annotations: { werf.io/delete-policy: before-creation-if-immutable } }\nimmutable: true\ndata: { a: "${value}" }`
    expect(await changes(all(job('seed:1.1'), settings('1')), all(job('seed:1.2'), settings('2')))).toEqual([
      '± recreate ConfigMap/web/settings (foreground): immutable: data.a 1 → 2',
      '± recreate Job/web/seed (foreground): immutable: containers[seed].image 1.1 → 1.2',
    ])
  })

  test('leaves the version of Kubernetes to the engine where none is given', async () => {
    await pass(undefined, configMap('web', '{}'))
    expect(head.requests.map(({ kubeVersion, isUpgrade }) => [kubeVersion, isUpgrade])).toEqual([[undefined, false]])
  })

  test('lets charts ask for built-in kinds and those of api-versions', async () => {
    await pass(undefined, configMap('web', '{}'), { apiVersions: ['acme.dev/v1', 'acme.dev/v1/Widget'] })
    const [{ apiVersions = [] } = {}] = head.requests
    expect(
      ['apps/v1/Deployment', 'v1', 'acme.dev/v1', 'acme.dev/v1/Widget', 'acme.dev/v2'].map((one) =>
        apiVersions.includes(one),
      ),
    ).toEqual([true, true, true, true, false])
  })

  test('puts objects without a namespace into that of the release, and cluster-scoped ones into none', async () => {
    const role = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: reader }\nrules: []'
    expect(await changes(undefined, all(role, configMap('web', '{}')))).toEqual([
      '+ create ConfigMap/web/web',
      '+ create ClusterRole/reader',
    ])
  })

  test('takes kinds that nobody can be asked about as they are', async () => {
    const widget = 'apiVersion: acme.dev/v1\nkind: Widget\nmetadata: { name: web }\nspec: { size: 1 }'
    expect(await changes(widget, widget.replace('1 }', '2 }'))).toEqual(['~ update Widget/web/web: size 1 → 2'])
  })

  test('waits for external dependencies of types that nobody can be asked about', async () => {
    const after = configMap(
      'web',
      '{}',
      ', annotations: { db.external-dependency.werf.io/resource: databases.v1beta1.acme.dev/main }',
    )
    const { plan } = await pass(undefined, after)
    expect(plan?.problems).toEqual([])
    expect(JSON.stringify(plan)).toContain(
      '"ref":{"apiVersion":"acme.dev/v1beta1","kind":"databases","name":"main","namespace":"web"}',
    )
  })

  test('keeps what prune keeps', async () => {
    const kept = configMap('kept', '{}', ', annotations: { helm.sh/resource-policy: keep }')
    expect(await changes(all(kept, configMap('web', '{}')), configMap('web', '{}'))).toEqual([
      '= unchanged ConfigMap/web/web',
      '= ConfigMap/web/kept: kept by its resource policy',
    ])
    expect(
      await changes(all(configMap('gone', '{}'), configMap('web', '{}')), configMap('web', '{}'), { prune: false }),
    ).toEqual(['= unchanged ConfigMap/web/web', '= ConfigMap/web/gone: left in the cluster, pruning is off'])
  })

  test('deletes no hook and nothing of crds/ that left the chart', async () => {
    const before = all(HOOK('v1'), configMap('web', '{}'))
    expect(await changes(before, configMap('web', '{}'), { crds: CRD })).toEqual([
      '= unchanged ConfigMap/web/web',
      '= Job/web/migrate: hook that the chart no longer has (pre-install, pre-upgrade)',
    ])
  })

  test('lists what the inputs leave out', async () => {
    const ref = { apiVersion: 'kots.io/v1beta1', kind: 'Config', name: 'shop' }
    const { plan } = await pass(undefined, configMap('web', '{}'), { leftOut: [{ ref, reason: 'excluded' }] })
    expect(plan?.untouched).toEqual([{ ref, reason: 'excluded' }])
  })

  test('tells later releases what this one provides', async () => {
    const { provided } = await run(undefined, CRD)
    expect(provided.kinds).toEqual(['acme.dev/Widget'])
  })

  test('leaves hooks and crds/ out where the release asks for it', async () => {
    const without = { options: { ...releaseOptions, withHooks: false, withCrds: false }, crds: CRD }
    expect(await changes(HOOK('v1'), all(HOOK('v2'), configMap('web', '{}')), without)).toEqual([
      '+ create ConfigMap/web/web',
      '= Job/web/migrate: not run, hooks are off (pre-install, pre-upgrade): image v1 → v2',
    ])
  })
})

describe('hooks', () => {
  test('run, and are no change while their definition stays', async () => {
    const { plan } = await pass(HOOK('v1'), HOOK('v1'))
    expect(JSON.stringify(plan)).not.toContain('chart-changed')
    expect(await changes(HOOK('v1'), HOOK('v1'))).toEqual([
      '± recreate Job/web/migrate [pre-upgrade] (foreground): delete policy',
    ])
  })

  test('tell what the chart changed in them, as any object', async () => {
    const { plan } = await pass(HOOK('v1'), HOOK('v2'))
    const [operation] = plan?.stages[0]?.groups[0]?.ranks[0] ?? []
    expect(operation).toMatchObject({
      reason: { code: 'chart-changed', paths: ['/spec/image'] },
      before: { spec: { image: 'v1' } },
      after: { spec: { image: 'v2' } },
    })
  })

  test('that are new say so', async () => {
    expect(await changes(configMap('web', '{}'), all(HOOK('v1'), configMap('web', '{}')))).toEqual([
      '+ create Job/web/migrate [pre-upgrade]: new hook; ⚠️ runs before the rest: if it fails, the rest is not changed',
      '= unchanged ConfigMap/web/web',
    ])
  })

  test('of an earlier run are over: nobody waits for them', async () => {
    const kept = HOOK('v1', ', helm.sh/hook-delete-policy: hook-succeeded')
    const { plan } = await pass(kept, kept)
    const awaits = plan?.stages.flatMap(({ groups }) => groups.flatMap(({ ranks }) => ranks.flat())) ?? []
    expect(awaits.map(({ kind }) => kind)).toEqual(['apply', 'await', 'delete'])
  })
})

describe('what comes out otherwise each time', () => {
  const random = (value: string, other: string) => ({
    text: configMap('web', `{ random: ${value}, fixed: "1" }`),
    again: configMap('web', `{ random: ${other}, fixed: "1" }`),
  })

  test('is no change where both sides have it', async () => {
    expect(await changes(random('aaa', 'bbb'), random('ccc', 'ddd'))).toEqual([
      '= unchanged ConfigMap/web/web; non-deterministic: data.random',
    ])
  })

  test('does not hide a change beside it', async () => {
    const after = {
      text: random('ccc', '').text.replace('"1"', '"2"'),
      again: random('', 'ddd').again.replace('"1"', '"2"'),
    }
    expect(await changes(random('aaa', 'bbb'), after)).toEqual([
      '~ update ConfigMap/web/web: data.fixed 1 → 2; non-deterministic: data.random',
    ])
  })

  test.each(['test', 'pre-upgrade', 'pre-delete'])('is no change as the name of a hook: %s', async (event) => {
    const hook = (name: string) =>
      `apiVersion: batch/v1\nkind: Job\nmetadata: { name: ${name}, annotations: { helm.sh/hook: ${event} } }\nspec: {}`
    const named = (name: string) => ({ text: hook(name), again: hook(`${name}-again`) })
    const compared = await pass(named('check-aaa'), named('check-bbb'))
    expect([compared.plan?.changedHooks, isWorthPosting([compared])]).toEqual([undefined, false])
  })

  test('is a change where it is new', async () => {
    expect(await changes(random('aaa', 'bbb').text, random('ccc', 'ddd'))).toEqual([
      '~ update ConfigMap/web/web: data.random aaa → ccc; non-deterministic: data.random',
    ])
  })
})

describe('values of Secrets', () => {
  const secret = (value: string) =>
    `apiVersion: v1\nkind: Secret\nmetadata: { name: key }\nstringData: { key: ${value} }`

  test('of both sides are hidden, and known to whoever prints', async () => {
    const { plan } = await pass(secret('old-value-1'), secret('new-value-2'))
    expect(JSON.stringify(plan)).not.toMatch(/old-value|new-value/)
    expect(secrets.redact('old-value-1 new-value-2')).toBe('*** ***')
  })

  test('that go are hidden', async () => {
    const { plan } = await pass(all(secret('old-value-1'), configMap('web', '{}')), configMap('web', '{}'))
    expect(JSON.stringify(plan)).toContain('"stringData":{"key":"(hidden)"}')
  })
})

describe('what goes wrong', () => {
  const broken = new RenderError({ message: 'execution error at (shop/templates/web.yaml:3:4): no image' })

  test('in the head is a failure, as in any plan', async () => {
    expect((await pass(configMap('web', '{}'), broken)).outcome).toEqual({
      status: 'failed',
      failure: { reason: 'render-failed', doing: 'render the chart', message: broken.message },
    })
  })

  test('in the base is a note, and everything counts as new', async () => {
    const { outcome, plan } = await pass(broken, configMap('web', '{}'))
    expect([outcome.status, plan?.verb]).toEqual(['planned', 'install'])
    expect(plan?.problems).toEqual([
      {
        severity: 'warning',
        reason: 'render-failed',
        place: {},
        what: `the base does not render, so that everything counts as new: ${broken.message}`,
      },
    ])
  })

  test('with annotations of the head blocks the plan, with annotations of the base it does not matter', async () => {
    const wrong = configMap('web', '{}', ', annotations: { werf.io/weight: heavy }')
    expect((await pass(configMap('web', '{}'), wrong)).outcome.failure?.reason).toBe('invalid-input')
    expect((await pass(wrong, configMap('web', '{}'))).outcome).toEqual({ status: 'planned' })
  })

  test('when the run is stopped, no plan is left', async () => {
    const signal = AbortSignal.abort('cancelled')
    const { outcome, plan } = await pass(new Error('stopped'), configMap('web', '{}'), {
      stop: { signal, cancelled: signal },
    })
    expect([outcome.status, plan]).toEqual(['cancelled', undefined])
  })
})
