import { describe, expect, test } from 'vitest'
import { makePlan } from '../../src/plan/make-plan.ts'
import { parseGiven, planInput } from './given.ts'

test('a hook with another name at each render is no new one', () => {
  const given = parseGiven(`
    verb: upgrade
    previousHooks: [{ apiVersion: batch/v1, kind: Job, metadata: { name: a-b9c3d, annotations: { helm.sh/hook: pre-upgrade } } }]
    chart: [{ apiVersion: batch/v1, kind: Job, metadata: { name: a-x7k2p, annotations: { helm.sh/hook: pre-upgrade } } }]
    varies: { Job/web/a-x7k2p: [/metadata/name] }`)
  const [operation] = makePlan(planInput(given)).plan.stages[0]?.groups[0]?.ranks[0] ?? []
  expect(operation).toMatchObject({ change: 'create', reason: { code: 'unchanged' } })
})

test('a hook of a kind that comes later stays unknown-until-applied, so that its approval holds', () => {
  const given = parseGiven(`
    verb: upgrade
    previousHooks: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, annotations: { helm.sh/hook: pre-upgrade } } }]
    chart:
      - apiVersion: v1
        kind: ConfigMap
        metadata: { name: a, annotations: { helm.sh/hook: pre-upgrade } }
        data: { key: new }
    answers: { ConfigMap/web/a: { kind: not-possible, because: dry-run-refused } }`)
  const [operation] = makePlan(planInput(given)).plan.stages[0]?.groups[0]?.ranks[0] ?? []
  expect(operation).toMatchObject({ reason: { code: 'unknown-until-applied' } })
})

test.each([
  ['is new', '[]', 'access'],
  [
    'merely runs',
    '[{ apiVersion: v1, kind: Pod, metadata: { name: a, annotations: { helm.sh/hook: pre-upgrade } }, spec: { hostNetwork: true, containers: [{ name: a }] } }]',
    'other',
  ],
])('what a hook gets is told where it %s', (_what, previous, risk) => {
  const given = parseGiven(`
    verb: upgrade
    previousHooks: ${previous}
    chart:
      - apiVersion: v1
        kind: Pod
        metadata: { name: a, annotations: { helm.sh/hook: pre-upgrade } }
        spec: { hostNetwork: true, containers: [{ name: a }] }`)
  const [operation] = makePlan(planInput(given)).plan.stages[0]?.groups[0]?.ranks[0] ?? []
  expect(operation).toMatchObject({ impact: { risk } })
})

describe('a hook with another name at each render is compared with its predecessor', () => {
  const job = (name: string, more = '') =>
    `{ apiVersion: batch/v1, kind: Job, metadata: { name: ${name}, annotations: { helm.sh/hook: pre-upgrade } }${more} }`
  const planOf = (previous: readonly string[], chart: readonly string[], varies: string) =>
    makePlan(
      planInput(
        parseGiven(`
    verb: upgrade
    previousHooks: [${previous.join(', ')}]
    chart: [${chart.join(', ')}]
    varies: ${varies}`),
      ),
    ).plan
  const reasonsOf = (...given: Parameters<typeof planOf>) =>
    planOf(...given).stages.flatMap(({ groups }) =>
      groups.flatMap(({ ranks }) =>
        ranks.flat().flatMap((operation) => (operation.kind === 'apply' ? [operation.reason] : [])),
      ),
    )

  test('what changed in it is shown', () => {
    const varies = '{ Job/web/a-x7k2p: [/metadata/name, /spec/b] }'
    expect(
      reasonsOf([job('a-b9c3d', ', spec: { a: 1, b: x }')], [job('a-x7k2p', ', spec: { a: 2, b: y }')], varies),
    ).toEqual([{ code: 'chart-changed', paths: ['/spec/a'] }])
  })

  test('a value that comes out otherwise at each render is a change where it is new', () => {
    const varies = '{ Job/web/a-x7k2p: [/metadata/name, /spec/b] }'
    expect(reasonsOf([job('a-b9c3d', ', spec: { a: 1 }')], [job('a-x7k2p', ', spec: { a: 1, b: y }')], varies)).toEqual(
      [{ code: 'chart-changed', paths: ['/spec/b'] }],
    )
    expect(reasonsOf([job('a-b9c3d')], [job('a-x7k2p', ', spec: { a: 1, b: y }')], varies)).toEqual([
      { code: 'chart-changed', paths: ['/spec'] },
    ])
  })

  test('one that another kind or template had is none', () => {
    const pod = job('a-b9c3d').replace('batch/v1', 'v1').replace('Job', 'Pod')
    expect(reasonsOf([pod], [job('a-x7k2p')], '{ Job/web/a-x7k2p: [/metadata/name] }')).toEqual([{ code: 'new' }])
    const [first, second] = ['a-x7k2p', 'b']
    expect(reasonsOf([job(second)], [job(second), job(first)], `{ Job/web/${first}: [/metadata/name] }`)).toEqual([
      { code: 'new' },
      { code: 'unchanged' },
    ])
  })
})

describe('a hook before everything else', () => {
  const hook = (spec: string, { event = 'pre-upgrade', kind = 'Job', more = '' } = {}) => {
    const [apiVersion, body] = kind === 'Job' ? ['batch/v1', `{ template: { spec: ${spec} } }`] : ['v1', spec]
    return `{ apiVersion: ${apiVersion}, kind: ${kind}, metadata: { name: migrate, annotations: { helm.sh/hook: ${event}${more} } }, spec: ${body} }`
  }
  const runs = (image: string, extra = '') => `{ containers: [{ name: a, image: "${image}"${extra} }] }`
  const running = '{ apiVersion: v1, kind: ConfigMap, metadata: { name: shop } }'
  const saidOf = (before: string, after: string, previous = `[${running}]`) => {
    const given = parseGiven(`
      verb: upgrade
      previous: ${previous}
      previousHooks: [${before}]
      chart: [${running}, ${after}]`)
    const operations = makePlan(planInput(given)).plan.stages.flatMap(({ groups }) =>
      groups.flatMap(({ ranks }) => ranks.flat()),
    )
    const found = operations.find((one) => one.kind === 'apply' && one.ref.name === 'migrate')
    return found?.kind === 'apply' ? found.impact?.runsFirst : 'none'
  }

  test.each<[string, string, string]>([
    ['another image', hook(runs('a:1')), hook(runs('a:2'))],
    ['another command', hook(runs('a:1')), hook(runs('a:1', ', command: [up]'))],
    ['other arguments', hook(runs('a:1', ', args: [up]')), hook(runs('a:1', ', args: [down]'))],
    ['another variable', hook(runs('a:1')), hook(runs('a:1', ', env: [{ name: A, value: b }]'))],
    ['of a Pod', hook(runs('a:1'), { kind: 'Pod' }), hook(runs('a:2'), { kind: 'Pod' })],
    ['that is new', '', hook(runs('a:1'))],
  ])('ends the deploy if it fails: %s', (_what, before, after) => {
    expect(saidOf(before, after)).toBe(true)
  })

  test.each<[string, string, string]>([
    ['runs the same', hook(runs('a:1')), hook(runs('a:1'))],
    ['is given other resources', hook(runs('a:1')), hook(runs('a:1', ', resources: { limits: { cpu: 1 } }'))],
    [
      'runs behind the rest',
      hook(runs('a:1'), { event: 'post-upgrade' }),
      hook(runs('a:2'), { event: 'post-upgrade' }),
    ],
    [
      'may fail',
      hook(runs('a:1'), { more: ', werf.io/fail-mode: IgnoreAndContinueDeployProcess' }),
      hook(runs('a:2'), { more: ', werf.io/fail-mode: IgnoreAndContinueDeployProcess' }),
    ],
  ])('says nothing where it %s', (_what, before, after) => {
    expect(saidOf(before, after)).toBeUndefined()
  })
})
