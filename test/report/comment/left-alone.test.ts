import { beforeEach, describe, expect, test } from 'vitest'
import type { PassResult } from '../../../src/model/pass.ts'
import { comment } from '../../../src/report/comment/comment.ts'
import { summary } from '../../../src/report/summary/summary.ts'
import { planText } from '../../../src/report/words/plan-text.ts'
import { type RunScene, runScene } from '../../run/scene.ts'

/** What the deploy records and does not run: a later verb runs it, and the plan is where somebody reads it. */
const config = (value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { a: "${value}" }`
const job = (name: string, events: string, image: string, more = '') =>
  `apiVersion: batch/v1\nkind: Job\nmetadata: { name: ${name}, annotations: { helm.sh/hook: "${events}"${more} } }\nspec: { template: { spec: { containers: [{ name: main, image: "${image}" }] } } }`
const chart = (...documents: readonly string[]) => documents.join('\n---\n')

let scene: RunScene
beforeEach(() => {
  scene = runScene()
})

async function planned(before: string, after: string): Promise<PassResult> {
  scene.renderer.chart(before)
  await scene.run({})
  scene.renderer.chart(after)
  const [pass] = await scene.run({ command: 'plan' })
  if (pass === undefined) throw new Error('there is no plan')
  return pass
}

const info = { cluster: 'prod.example', actionVersion: '0', runUrl: 'https://github.example/runs/1' }
const commentOf = (pass: PassResult, limitBytes = 60_000) => comment({ passes: [pass], info, limitBytes })
const reports: readonly [string, (pass: PassResult) => string][] = [
  ['comment', commentOf],
  ['summary', (pass) => summary({ passes: [pass], info })],
]

describe.each(reports)('the %s shows of a hook that does not run now', (_name, textOf) => {
  test.each(['test', 'pre-delete', 'pre-rollback', 'post-install'])('on %s what the chart changed', async (event) => {
    const text = textOf(
      await planned(chart(config('1'), job('b', event, 'tool:1')), chart(config('2'), job('b', event, 'tool:2'))),
    )
    expect(text).toMatch(/<summary><code>Job\/web\/b<\/code>, changed hook of another event/)
    expect(text).toMatch(/^-.*image: tool:1$/m)
    expect(text).toMatch(/^\+.*image: tool:2$/m)
  })

  test('the body, where the chart brings it', async () => {
    const text = textOf(await planned(config('1'), chart(config('1'), job('b', 'test', 'tool:2'))))
    expect(text).toContain('<code>Job/web/b</code>, new hook of another event (<code>helm test</code>)')
    expect(text).toMatch(/^\+.*image: tool:2$/m)
  })

  test('what it held, where the chart no longer has it', async () => {
    const text = textOf(await planned(chart(config('1'), job('b', 'test', 'tool:1')), config('2')))
    expect(text).toContain('<code>Job/web/b</code>, hook that the chart no longer has')
    expect(text).toMatch(/^-.*image: tool:1$/m)
  })

  test('nothing, where it is as before', async () => {
    const text = textOf(
      await planned(chart(config('1'), job('b', 'test', 'tool:1')), chart(config('2'), job('b', 'test', 'tool:1'))),
    )
    expect(text).not.toContain('tool:1')
  })

  test('no value of a Secret', async () => {
    const secret = (value: string) =>
      `apiVersion: v1\nkind: Secret\nmetadata: { name: s, annotations: { helm.sh/hook: test } }\nstringData: { token: ${value} }`
    const text = textOf(
      await planned(chart(config('1'), secret('kept-from-all-1')), chart(config('1'), secret('kept-from-all-2'))),
    )
    expect(text).toContain('<code>Secret/web/s</code>, changed hook of another event')
    expect(text).not.toContain('kept-from-all')
  })
})

test('what only another verb deploys is shown as well', async () => {
  const on = (value: string) => config(value).replace('name: a', 'name: a, annotations: { werf.io/deploy-on: install }')
  const text = commentOf(await planned(on('1'), chart(on('2'), job('b', 'test', 'tool:1'))))
  expect(text).toContain('<code>ConfigMap/web/a</code>, not deployed on this verb')
  expect(text).toMatch(/^\+ {2}a: '2'$/m)
})

test('hooks that are switched off are shown as well', async () => {
  await planned(chart(config('1'), job('b', 'pre-upgrade', 'tool:1')), config('1'))
  scene.renderer.chart(chart(config('1'), job('b', 'pre-upgrade', 'tool:2')))
  const [pass] = await scene.run({ command: 'plan', withHooks: false })
  const text = pass === undefined ? '' : commentOf(pass)
  expect(text).toContain('<code>Job/web/b</code>, not run, hooks are off (<code>pre-upgrade</code>)')
  expect(text).toMatch(/^\+.*image: tool:2$/m)
})

test('diffs that do not fit are counted with all others', async () => {
  const hooks = (image: string) =>
    Array.from({ length: 60 }, (_, index) => job(`b${index}`, 'test', `${image}-${index}`))
  const pass = await planned(chart(config('1'), ...hooks('tool:1')), chart(config('2'), ...hooks('tool:2')))
  const text = commentOf(pass, 12_000)
  const shown = text.match(/<summary><code>(?:Job|ConfigMap)\//g)?.length ?? 0
  expect(text).toContain(`${61 - shown} of 61 diffs are in the [job summary]`)
  expect(shown).toBeGreaterThan(1)
})

test('the text of the plan says what changes', async () => {
  const { plan } = await planned(
    chart(config('1'), job('b', 'test', 'tool:1')),
    chart(config('2'), job('b', 'test', 'tool:2')),
  )
  expect(plan && planText(plan)).toContain(
    '  = Job/web/b: changed hook of another event (helm test): containers[main].image 1 → 2',
  )
})
