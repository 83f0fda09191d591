import { beforeEach, describe, expect, test } from 'vitest'
import { nothingForeseen } from '../../src/manifest/cluster-values.ts'
import { formatRef, refKey } from '../../src/model/ref.ts'
import { answersAfter } from '../../src/pass/lookup-ahead.ts'
import { approvedPlanOf } from '../../src/plan/approved-plan.ts'
import { hintText } from '../../src/report/words/hint-text.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import { type RunScene, runScene } from './scene.ts'

const config = (name: string, value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { a: ${JSON.stringify(value)} }`

let scene: RunScene
let releases: readonly ReturnType<RunScene['chart']>[]
/** Chart of `first`, and of `second` by what it looks up. */
let first: string
let second: (lookup: (kind: string, name: string) => Promise<unknown>) => Promise<string>

beforeEach(() => {
  scene = runScene()
  releases = ['first', 'second'].map(scene.chart)
  first = config('made', 'x')
  second = async (lookup) => config('uses', JSON.stringify((await lookup('ConfigMap', 'made')) ?? 'nothing'))
  const render = scene.renderer.render.bind(scene.renderer)
  scene.renderer.render = async (request) => {
    const find = async (kind: string, name: string) => {
      const found = await request.lookup?.('v1', kind, 'web', name)
      const items = (found?.items ?? []) as readonly { readonly data?: unknown }[]
      return name === '' ? items.map(({ data }) => data) : found?.data
    }
    scene.renderer.chart(request.release === 'first' ? first : await second(find))
    return render(request)
  }
})

async function planned() {
  return (await scene.run({ command: 'plan', releases })).flatMap(({ plan, fingerprint }) =>
    plan === undefined || fingerprint === undefined ? [] : [{ plan, approved: approvedPlanOf(plan, fingerprint) }],
  )
}

async function deployApproved() {
  const plans = (await planned()).map(({ approved }) => approved)
  const review = { approvedPlans: async () => ({ plans }), post: async () => ({}), endedEarly: async () => {} }
  return scene.run({ approval: 'comment', releases }, review)
}

const uses = () => scene.cluster.object({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'web', name: 'uses' })?.data

describe('what a release looks up of an earlier one of the run', () => {
  test('is in the plan as it will be, and is deployed as it was approved', async () => {
    const [, plan] = await planned()
    const shown = plan?.plan.stages.flatMap(({ groups }) => groups.flatMap(({ ranks }) => ranks.flat()))
    expect(shown?.map((one) => [formatRef(one.ref), one.kind === 'apply' && one.after?.data])).toEqual([
      ['ConfigMap/web/uses', { a: '{"a":"x"}' }],
    ])
    const results = await deployApproved()
    expect(results.map(({ outcome }) => outcome.status)).toEqual(['deployed', 'deployed'])
    expect(uses()).toEqual({ a: '{"a":"x"}' })
  })

  test('may be a list, and what is changed or goes', async () => {
    second = async (lookup) => config('uses', JSON.stringify((await lookup('ConfigMap', '')) as readonly unknown[]))
    first = `${config('made', 'x')}\n---\n${config('old', 'z')}`
    await scene.run({ releases: releases.slice(0, 1) })
    scene.cluster.put({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'other', namespace: 'web' },
      data: { b: 'y' },
    })
    first = config('made', 'changed')
    const results = await deployApproved()
    expect(results.map(({ outcome }) => outcome.status)).toEqual(['deployed', 'deployed'])
    expect(uses()).toEqual({ a: '[{"a":"changed"},{"b":"y"}]' })
  })

  test('a value of a Secret is as secret as one that is there', async () => {
    const made = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'made', namespace: 'web' } }
    const object = { ...made, data: { password: Buffer.from('correcthorse').toString('base64') } }
    const secrets = createSecrets()
    const nothing = async () => undefined
    const key = refKey({ apiVersion: 'v1', kind: 'Secret', namespace: 'web', name: 'made' })
    const ahead = [() => new Map([[key, { object, foreseen: nothingForeseen }]])]
    const { lookup } = answersAfter(nothing, { ahead, made: ahead, objects: [] }, secrets)
    expect(await lookup('v1', 'Secret', 'web', 'made')).toEqual(object)
    expect(secrets.redactNames('db-correcthorse')).not.toContain('correcthorse')
  })

  test('a kind that is not there has no list, as when nothing comes', async () => {
    const ahead = [() => new Map([['ConfigMap', undefined]])]
    const { lookup } = answersAfter(async () => undefined, { ahead, made: [], objects: [] }, createSecrets())
    expect(await lookup('example.com/v1', 'Rack', 'web', '')).toBeUndefined()
  })

  test('what only the cluster says stops the later release before its first write, and the hint leads on', async () => {
    second = async (lookup) =>
      config('uses', (await lookup('ConfigMap', 'byController')) === undefined ? 'harmless' : 'evil')
    const plans = (await planned()).map(({ approved }) => approved)
    const { apply } = scene.cluster
    scene.cluster.apply = async (...asked) => {
      const answer = await apply.apply(scene.cluster, asked)
      scene.cluster.put({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'byController', namespace: 'web' },
        data: {},
      })
      return answer
    }
    const review = { approvedPlans: async () => ({ plans }), post: async () => ({}), endedEarly: async () => {} }
    const results = await scene.run({ approval: 'comment', releases }, review)
    expect(results.map(({ outcome }) => outcome.failure?.reason ?? outcome.status)).toEqual([
      'deployed',
      'plan-changed',
    ])
    expect(uses()).toBeUndefined()
    const hint = results[1]?.outcome.failure?.hint
    expect(hint && hintText(hint)).toMatch(/^what first made, and lookup finds, is known only now: plan again/)
    scene.cluster.apply = apply
    expect((await deployApproved()).map(({ outcome }) => outcome.status)).toEqual(['no-changes', 'deployed'])
  })
})
