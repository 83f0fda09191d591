import { beforeEach, describe, expect, test } from 'vitest'
import type { PassResult } from '../../src/model/pass.ts'
import { approvedPlanOf } from '../../src/plan/approved-plan.ts'
import { type RunScene, runScene } from './scene.ts'

const config = (value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { a: "${value}" }`
const hook = (event: string, command = 'backup') =>
  `apiVersion: batch/v1\nkind: Job\nmetadata: { name: b, annotations: { helm.sh/hook: ${event} } }\nspec: { command: ${command} }`
const chart = (...documents: readonly string[]) => documents.join('\n---\n')

let scene: RunScene
beforeEach(() => {
  scene = runScene()
})

async function planned(text: string): Promise<PassResult> {
  scene.renderer.chart(text)
  const [pass] = await scene.run({ command: 'plan', approval: 'comment' })
  if (pass === undefined) throw new Error('there is no plan')
  return pass
}

/** What becomes of a deploy of this chart under the plan. */
async function deployed(
  text: string,
  { fingerprint, plan }: PassResult,
): Promise<readonly string[] | string | undefined> {
  if (plan === undefined || fingerprint === undefined) throw new Error('there is no plan')
  const plans = [approvedPlanOf(plan, fingerprint)]
  const review = { approvedPlans: async () => ({ plans }), post: async () => ({}), endedEarly: async () => {} }
  scene.renderer.chart(text)
  const [result] = await scene.run({ approval: 'comment' }, review)
  return result?.differences?.map(({ id, kind }) => `${kind} ${id}`) ?? result?.outcome.status
}

describe.each(['pre-delete', 'pre-rollback', 'test', 'pre-upgrade'])('a hook on %s that leaves the chart', (event) => {
  beforeEach(async () => {
    scene.renderer.chart(chart(config('1'), hook(event)))
    await scene.run({})
  })

  test('stops a deploy whose plan had it', async () => {
    const pass = await planned(chart(config('2'), hook(event)))
    expect(await deployed(config('2'), pass)).toContain('not-approved hook/record/gone/batch/Job/web/b')
  })

  test('is listed and can be approved, also for a run that is repeated', async () => {
    const pass = await planned(config('2'))
    expect(pass.plan?.untouched).toMatchObject([{ reason: 'gone-hook', ref: { name: 'b' } }])
    expect(await deployed(config('2'), pass)).toBe('deployed')
    expect(await deployed(config('2'), pass)).toBe('no-changes')
  })

  test('may not be back after its end was approved', async () => {
    const pass = await planned(config('2'))
    expect(await deployed(chart(config('2'), hook(event)), pass)).toContain('gone hook/record/gone/batch/Job/web/b')
  })

  test('needs an approval, also where nothing else changes', async () => {
    const pass = await planned(chart(config('1'), hook(event)))
    expect(await deployed(config('1'), pass)).toContain('not-approved hook/record/gone/batch/Job/web/b')
  })
})
