import { beforeEach, describe, expect, test } from 'vitest'
import type { PassResult } from '../../src/model/pass.ts'
import type { RenderRequest } from '../../src/ports.ts'
import { isWorthPosting } from '../../src/report/comment/comment.ts'
import { planText } from '../../src/report/words/plan-text.ts'
import { apiError } from '../doubles/fake-cluster.ts'
import type { ChartOptions } from '../doubles/fake-renderer.ts'
import { type RunScene, runScene } from '../run/scene.ts'

const CONFIG = `apiVersion: v1
kind: ConfigMap
metadata: { name: web }
data: { a: "1" }`

const hook = (event: string, name: string, image = 'a:1') => `apiVersion: v1
kind: Pod
metadata: { name: ${name}, annotations: { helm.sh/hook: ${event} } }
spec: { containers: [{ name: a, image: "${image}" }] }`

const chart = (...documents: readonly string[]) => documents.join('\n---\n')

let scene: RunScene
beforeEach(() => {
  scene = runScene()
})

/** The plan of the second chart over the deployed first one. */
async function planOver(
  before: readonly [string, ChartOptions?],
  now: readonly [string, ChartOptions?],
): Promise<PassResult> {
  scene.renderer.chart(...before)
  await scene.run({})
  scene.renderer.chart(...now)
  const [pass] = await scene.run({ command: 'plan' })
  if (pass?.plan === undefined) throw new Error('no plan was made')
  return pass
}

const revisionOf = ({ plan }: PassResult) => [plan?.writesRevision, ...(plan?.revisionBecause ?? [])]
const headOf = ({ plan }: PassResult) => (plan === undefined ? '' : planText(plan).split('\n')[0])

describe('why a revision is written where no object changes', () => {
  test.each<[string, readonly [string, ChartOptions?], readonly string[], string]>([
    ['the notes', [CONFIG, { notes: 'Thanks!' }], ['notes'], 'the notes changed'],
    ['the values', [CONFIG, { values: { a: 1 } }], ['values'], 'the values changed'],
    ['the version of the chart', [CONFIG, { version: '1.0.1' }], ['chart-version'], "the chart's version changed"],
    ['its files', [CONFIG, { template: '# new' }], ['chart'], 'files of the chart changed'],
    ['a test hook that is new', [chart(CONFIG, hook('test', 'a'))], ['test-hooks'], 'test hooks changed'],
    ['a hook of another event', [chart(CONFIG, hook('pre-delete', 'a'))], ['hooks'], 'hooks changed'],
    [
      'several things, in one order',
      [chart(CONFIG, hook('test', 'a')), { notes: 'x', version: '2.0.0', values: { a: 1 }, template: '# new' }],
      ['chart-version', 'chart', 'values', 'test-hooks', 'notes'],
      "the chart's version, files of the chart, the values, test hooks and the notes changed",
    ],
  ])('%s', async (_what, now, causes, words) => {
    const pass = await planOver([CONFIG], now)
    expect(revisionOf(pass)).toEqual([true, ...causes])
    expect(headOf(pass)).toBe(`upgrade shop in web, revision 2 because ${words}: no changes, 1 unchanged`)
  })

  test('a hook that is gone', async () => {
    expect(revisionOf(await planOver([chart(CONFIG, hook('test', 'a'))], [CONFIG]))).toEqual([true, 'test-hooks'])
  })

  test('a revision before that failed', async () => {
    scene.cluster.failWhen({ verb: 'apply', kind: 'ConfigMap' }, apiError('Invalid'), 1)
    scene.renderer.chart(CONFIG)
    await scene.run({})
    await scene.run({})
    scene.cluster.failWhen({ verb: 'apply', kind: 'ConfigMap' }, apiError('Invalid'), 1)
    const pass = await planOver([CONFIG.replace('"1"', '"2"')], [CONFIG])
    expect(revisionOf(pass)).toEqual([true, 'last-not-deployed'])
    expect(headOf(pass)).toContain('revision 4 because the last one is not deployed: no changes')
  })

  test('a rollback to another revision', async () => {
    await planOver([CONFIG], [CONFIG, { values: { a: 1 } }])
    await scene.run({})
    const [pass] = await scene.run({ command: 'plan-rollback', revision: 1 })
    expect(pass && revisionOf(pass)).toEqual([true, 'other-revision'])
  })

  test('hooks that run, and nothing else', async () => {
    const both = chart(CONFIG, hook('pre-upgrade', 'a'))
    const pass = await planOver([both], [both])
    expect(revisionOf(pass)).toEqual([true, 'hooks-run'])
    expect(headOf(pass)).toBe('upgrade shop in web, revision 2: no changes, 1 unchanged, 1 hook to run')
  })

  test('none where nothing is otherwise, and none where an object changes', async () => {
    expect(revisionOf(await planOver([CONFIG], [CONFIG]))).toEqual([false])
    const changed = CONFIG.replace('"1"', '"2"')
    expect(revisionOf(await planOver([CONFIG], [changed, { notes: 'x' }]))).toEqual([true])
  })
})

describe('what comes out otherwise at each render and runs in no stage', () => {
  const random = (event: string, name: string, image = 'a:1'): readonly [string, ChartOptions] => [
    chart(CONFIG, hook(event, name, image)),
    { again: chart(CONFIG, hook(event, name.replace(/-.*/, '-z9z9z'), image)) },
  ]

  test.each(['test', 'pre-delete', 'pre-rollback'])('writes no revision and is not posted: %s', async (event) => {
    const pass = await planOver(random(event, 'check-x7k2p'), random(event, 'check-b9c3d'))
    expect(revisionOf(pass)).toEqual([false])
    expect(pass.plan?.changedHooks).toBeUndefined()
    expect(isWorthPosting([pass])).toBe(false)
  })

  test('has the same hash at each render', async () => {
    const first = await planOver(random('test', 'check-x7k2p'), random('test', 'check-b9c3d'))
    scene.renderer.chart(...random('test', 'check-0a0a0'))
    const [second] = await scene.run({ command: 'plan' })
    expect(second?.fingerprint).toEqual(first.fingerprint)
  })

  test('is written and posted where its constant parts change', async () => {
    const pass = await planOver(random('test', 'check-x7k2p'), random('test', 'check-b9c3d', 'a:2'))
    expect(revisionOf(pass)).toEqual([true, 'test-hooks'])
    expect(pass.plan?.changedHooks?.map(({ name }) => name)).toEqual(['check-b9c3d'])
    expect(isWorthPosting([pass])).toBe(true)
  })

  test('writes no revision as a part of the notes', async () => {
    const passwords = ['a', 'b', 'c', 'd', 'e', 'f'].values()
    const draw = { notes: () => `password ${passwords.next().value}` }
    expect(revisionOf(await planOver([CONFIG, draw], [CONFIG, draw]))).toEqual([false])
  })

  test('writes no revision as the number of the revision in the notes', async () => {
    const numbered = (thanks: string) => ({
      notes: ({ revision, isUpgrade }: RenderRequest) =>
        `${thanks} revision ${revision}${isUpgrade ? '' : ', the first'}`,
    })
    const chart: [string, ChartOptions] = [CONFIG, numbered('Thanks for')]
    await planOver(chart, chart)
    await scene.run({})
    expect(revisionOf(await planOver(chart, chart))).toEqual([false])
    expect(revisionOf(await planOver(chart, [CONFIG, numbered('Many thanks for')]))).toEqual([true, 'notes'])
  })

  test('does not count as a comment of the manifest', async () => {
    const at = (time: string): readonly [string] => [`# rendered at ${time}\n${CONFIG}`]
    expect(revisionOf(await planOver(at('14:02'), at('14:03')))).toEqual([false])
  })
})
