import { beforeEach, describe, expect, test } from 'vitest'
import { planText } from '../../src/report/words/plan-text.ts'
import { type RunScene, runScene } from './scene.ts'

const hook = (name: string, event: string) => `apiVersion: batch/v1
kind: Job
metadata: { name: ${name}, annotations: { helm.sh/hook: "${event}" } }`
const CONFIG = `apiVersion: v1
kind: ConfigMap
metadata: { name: web }`
const CHART = [CONFIG, hook('before', 'pre-install,pre-rollback'), hook('goodbye', 'pre-delete'), hook('check', 'test')]

let scene: RunScene
beforeEach(() => {
  scene = runScene()
  scene.renderer.chart(CHART.join('\n---\n'))
})

const isThere = async (name: string) =>
  (await scene.cluster.get({ apiVersion: 'batch/v1', kind: 'Job', namespace: 'web', name })) !== undefined

/** Source: docs/sources.md#helm-hook-execution. */
describe('with hooks: false', () => {
  test('a deploy runs none, says so of those that would have run, and records all of them', async () => {
    const [pass] = await scene.run({ withHooks: false })
    expect(pass?.outcome).toMatchObject({ status: 'deployed' })
    expect(await isThere('before')).toBe(false)
    expect(pass?.plan && planText(pass.plan)).toContain(
      'Job/web/before: not run, hooks are off (pre-install, pre-rollback)',
    )
    expect(pass?.plan?.untouched.map(({ reason, ref }) => `${ref.name} ${reason}`)).toEqual([
      'before hooks-off',
      'check other-hook',
      'goodbye other-hook',
    ])
  })

  test('a rollback and an uninstall run none', async () => {
    await scene.run({ withHooks: false })
    scene.renderer.chart(`${CONFIG}\ndata: { a: b }`)
    await scene.run({})
    expect((await scene.run({ command: 'rollback', withHooks: false }))[0]?.outcome).toMatchObject({
      status: 'rolled-back',
    })
    const [pass] = await scene.run({ command: 'uninstall', withHooks: false })
    expect(pass?.outcome).toMatchObject({ status: 'uninstalled' })
    expect(pass?.plan && planText(pass.plan)).toContain('Job/web/goodbye: not run, hooks are off (pre-delete)')
    expect(await isThere('before')).toBe(false)
    expect(await isThere('goodbye')).toBe(false)
  })

  test('tests run all the same', async () => {
    await scene.run({ withHooks: false })
    expect((await scene.run({ command: 'test', withHooks: false }))[0]?.outcome).toMatchObject({ status: 'tested' })
    expect(await isThere('check')).toBe(true)
  })

  test('a hook that the release owns stays', async () => {
    const owned = `apiVersion: v1
kind: ConfigMap
metadata: { name: mine, annotations: { helm.sh/hook: pre-install, werf.io/ownership: release } }`
    scene.renderer.chart([CONFIG, owned].join('\n---\n'))
    await scene.run({})
    scene.renderer.chart([`${CONFIG}\ndata: { a: b }`, owned].join('\n---\n'))
    await scene.run({ withHooks: false })
    const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'web', name: 'mine' }
    expect(await scene.cluster.get(ref)).toBeDefined()
  })

  test('it is another plan to approve, either way', async () => {
    const [all] = await scene.run({ command: 'plan' })
    const [none] = await scene.run({ command: 'plan', withHooks: false })
    expect(none?.fingerprint?.hash).not.toBe(all?.fingerprint?.hash)
    expect(Object.keys(none?.fingerprint?.digests ?? {})).toContain('hook/record/off')
    scene.renderer.chart(CONFIG)
    const [without] = await scene.run({ command: 'plan', withHooks: false })
    expect(without?.fingerprint?.hash).not.toBe(none?.fingerprint?.hash)
  })
})
