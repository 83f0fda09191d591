import { describe, expect, test } from 'vitest'
import { bodyFor } from '../src/manifest/apply-body.ts'
import { makePlan } from '../src/plan/make-plan.ts'
import { planText } from '../src/report/words/plan-text.ts'
import { cpuMsOf } from './cpu-time.ts'
import { parseGiven, planInput } from './plan/given.ts'

/** What public charts contain, as it reaches the planner. Those that end before it are in `traps.engine.test.ts`. */
describe('traps of public charts', () => {
  test('an empty hook-delete-policy is no policy at all: the old hook is neither deleted before nor after', () => {
    const hook = annotated('v1', 'ConfigMap', 'a', { 'helm.sh/hook': 'pre-upgrade', 'helm.sh/hook-delete-policy': '' })
    expect(operations({ verb: 'upgrade', chart: [hook], live: [hook] })).toEqual([
      '= unchanged ConfigMap/web/a [pre-upgrade]',
    ])
  })

  test('resource-policy nil is not keep: the object is recreated where its delete policy asks for it', () => {
    const job = annotated('batch/v1', 'Job', 'a', {
      'helm.sh/resource-policy': 'nil',
      'werf.io/delete-policy': 'before-creation',
    })
    expect(operations({ verb: 'upgrade', chart: [job], previous: [job] })[0]).toMatch(/^± recreate Job\/web\/a/)
  })

  test.each([
    ['apps/v1', 'DaemonSet'],
    ['v1', 'PersistentVolumeClaim'],
    ['v1', 'Secret'],
    ['v1', 'ServiceAccount'],
    ['networking.k8s.io/v1', 'NetworkPolicy'],
    ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'],
  ])('a hook of %s %s is done once it is applied', (apiVersion, kind) => {
    const hook = annotated(apiVersion, kind, 'a', { 'helm.sh/hook': 'pre-install' })
    expect(operations({ chart: [hook] })).toHaveLength(1)
  })

  test.each(['install', 'upgrade', 'rollback'])('one object on four events is recreated for each, on %s', (verb) => {
    const events = 'pre-install,pre-upgrade,pre-rollback,post-rollback'
    const hook = annotated('batch/v1', 'Job', 'check', { 'helm.sh/hook': events })
    const live = verb === 'install' ? [] : [hook]
    const applies = operations({ verb, chart: [hook], live }).filter((line) => !line.startsWith('> wait'))
    const once = verb === 'install' ? '+ create' : '± recreate'
    expect(applies.map((line) => line.split(' Job')[0])).toEqual(verb === 'rollback' ? [once, once] : [once])
  })

  test('blanks around the commas of events and policies do not count', () => {
    const hook = annotated('batch/v1', 'Job', 'a', {
      'helm.sh/hook': ' pre-install , post-install ',
      'helm.sh/hook-delete-policy': 'before-hook-creation , hook-succeeded ',
    })
    expect(operations({ chart: [hook] }).filter((line) => !line.startsWith('> wait'))).toEqual([
      '+ create Job/web/a [pre-install]',
      '- delete Job/web/a [pre-install] (foreground) if succeeded: delete policy',
      '+ create Job/web/a [post-install]',
      '- delete Job/web/a [post-install] (foreground) if succeeded: delete policy',
    ])
  })

  test('test-success means test', () => {
    const hook = annotated('v1', 'Pod', 'a', { 'helm.sh/hook': 'test-success' })
    expect(operations({ verb: 'test', chart: [hook] })).toEqual([
      '+ create Pod/web/a [test]',
      '> wait Pod/web/a [test] until complete',
    ])
  })

  test('a chart that renders no object at all is a plan without changes', () => {
    expect(text({ chart: [] })).toBe('install shop in web, revision 1: no changes')
  })

  test('weights stand above the kind order, and hooks of weight 0 rely on it', () => {
    const hook = (apiVersion: string, kind: string, weight: string) =>
      annotated(apiVersion, kind, 'a', { 'helm.sh/hook': 'pre-install', 'helm.sh/hook-weight': weight })
    const contradicting = [hook('v1', 'ServiceAccount', '5'), hook('batch/v1', 'Job', '-5')]
    expect(kindsOf(operations({ chart: contradicting }))).toEqual(['Job', 'Job', 'ServiceAccount'])
    const relying = [
      hook('batch/v1', 'Job', '0'),
      hook('rbac.authorization.k8s.io/v1', 'RoleBinding', '0'),
      hook('v1', 'ServiceAccount', '0'),
      hook('rbac.authorization.k8s.io/v1', 'Role', '0'),
    ]
    expect(kindsOf(operations({ chart: relying }))).toEqual(['ServiceAccount', 'Role', 'RoleBinding', 'Job', 'Job'])
  })

  test('a CRD of the templates that is to be kept stays, and its custom resources go', () => {
    const crd = {
      ...annotated(CRDS, 'CustomResourceDefinition', 'as.example.com', { 'helm.sh/resource-policy': 'keep' }),
      spec,
    }
    const previous = [crd, annotated('example.com/v1', 'A', 'a', {})]
    expect(operations({ verb: 'uninstall', previous })).toEqual(['- delete A/web/a (foreground): uninstalled'])
  })

  test('a kind whose CRD a hook Job installs is unknown until applied, not refused', () => {
    const chart = [
      annotated('batch/v1', 'Job', 'install-crds', { 'helm.sh/hook': 'pre-install' }),
      annotated('example.com/v1', 'A', 'a', {}),
    ]
    const answers = { 'A/web/a': { kind: 'kind-not-served' } }
    expect(operations({ chart, answers })).toContain(
      '+ create A/web/a: unknown until applied, its kind is not served yet',
    )
  })

  test('a CRD of several hundred kB is sent without an annotation that repeats it', () => {
    const description = 'x'.repeat(400_000)
    const crd = { ...annotated(CRDS, 'CustomResourceDefinition', 'as.example.com', {}), spec: { ...spec, description } }
    const [resource] = planInput(given({ chart: [crd] })).desired
    if (resource === undefined) throw new Error('no resource')
    const body = bodyFor(resource, { release: 'shop', namespace: 'web', live: undefined })
    expect(JSON.stringify(body.metadata).length).toBeLessThan(1_000)
  })

  test('a release of thousands of objects is planned within seconds', () => {
    const chart = Array.from({ length: 2000 }, (_, index) => annotated('v1', 'ConfigMap', `map-${index}`, {}))
    const costMs = cpuMsOf(() => expect(operations({ chart })).toHaveLength(2000))
    expect(costMs).toBeLessThan(10_000)
  })

  test('objects in other namespaces keep their place, and a cluster-scoped one has none', () => {
    const chart = [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'other' } },
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'a', namespace: 'other' } },
    ]
    expect(operations({ chart })).toEqual(['+ create ConfigMap/other/a', '+ create ClusterRole/a'])
  })

  test('kinds of one name in two groups are two objects', () => {
    const chart = ['a.example.com/v1', 'b.example.com/v1'].map((group) => annotated(group, 'Backup', 'daily', {}))
    expect(operations({ chart }).filter((line) => line.startsWith('+ create'))).toHaveLength(2)
  })

  test('an object twice in one chart, one without a name and one with generateName are named, all of them', () => {
    const chart = [
      annotated('v1', 'ConfigMap', 'twice', {}),
      annotated('v1', 'ConfigMap', 'twice', {}),
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} },
      { apiVersion: 'batch/v1', kind: 'Job', metadata: { generateName: 'run-' } },
    ]
    const { problems } = makePlan(planInput(given({ chart }))).plan
    expect(problems.map(({ severity }) => severity)).toEqual(['error', 'error', 'error'])
    expect(problems.map(({ what }) => what).join('\n')).toMatch(/generateName/)
  })
})

const CRDS = 'apiextensions.k8s.io/v1'
const spec = {
  group: 'example.com',
  scope: 'Namespaced',
  names: { kind: 'A', plural: 'as' },
  versions: [{ name: 'v1', served: true, storage: true }],
}

function annotated(apiVersion: string, kind: string, name: string, annotations: { readonly [key: string]: string }) {
  return { apiVersion, kind, metadata: { name, annotations } }
}

function given(parts: object) {
  return parseGiven(JSON.stringify({ rule: 'trap', source: 'test/rules.md#traps-of-public-charts', ...parts }))
}

function text(parts: object): string {
  return planText(makePlan(planInput(given(parts))).plan).trim()
}

/** The operations of the plan, one line each, without stage, weight and rank. */
function operations(parts: object): readonly string[] {
  return text(parts)
    .split('\n')
    .flatMap((line) => /^ {4}\d+ (.*)$/.exec(line)?.[1] ?? [])
}

function kindsOf(lines: readonly string[]): readonly string[] {
  return lines.map((line) => / (\w+)\/(?:web\/)?a\b/.exec(line)?.[1] ?? line)
}
