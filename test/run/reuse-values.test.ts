import { beforeEach, describe, expect, test } from 'vitest'
import { type RunScene, runScene } from './scene.ts'

const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { a: "1" }'
const POD = 'apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: {}'
const config = (color: string) => ({ color, replicas: 12345678901234567890n })

let scene: RunScene
beforeEach(() => {
  scene = runScene()
})

const lastReuse = () => scene.renderer.requests.at(-1)?.reuse

describe('reuse-values', () => {
  test.each([
    ['reuse', true],
    ['reset-then-reuse', false],
  ] as const)('%s renders with the values of the deployed revision', async (reuseValues, keepsDefaults) => {
    scene.renderer.chart(CONFIG, { values: config('red') })
    await scene.run({})
    await scene.run({ reuseValues })
    expect(lastReuse()).toEqual({ keepsDefaults, chartName: 'shop', chartValues: {}, config: config('red') })
  })

  test('none and a first install reuse nothing', async () => {
    scene.renderer.chart(CONFIG, { values: config('red') })
    await scene.run({ reuseValues: 'reuse' })
    expect(lastReuse()).toBeUndefined()
    await scene.run({ reuseValues: 'none' })
    expect(lastReuse()).toBeUndefined()
  })

  test('takes the values that are deployed, not those of a later revision that failed', async () => {
    scene.renderer.chart(CONFIG, { values: config('red') })
    await scene.run({})
    scene.renderer.chart(`${CONFIG}\n---\n${POD}`, { values: config('blue') })
    scene.cluster.statusWhenApplied({ kind: 'Pod' }, 500, { phase: 'Failed' })
    expect((await scene.run({}))[0]?.outcome.status).toBe('failed')
    await scene.run({ command: 'plan', reuseValues: 'reuse' })
    expect(lastReuse()?.config).toEqual(config('red'))
  })

  test('takes those of a failed install where nothing was ever deployed, as Helm does', async () => {
    scene.renderer.chart(`${CONFIG}\n---\n${POD}`, { values: config('blue') })
    scene.cluster.statusWhenApplied({ kind: 'Pod' }, 500, { phase: 'Failed' })
    await scene.run({})
    await scene.run({ command: 'plan', reuseValues: 'reuse' })
    expect(lastReuse()?.config).toEqual(config('blue'))
  })

  test('takes nothing of a release that was uninstalled', async () => {
    scene.renderer.chart(CONFIG, { values: config('red') })
    await scene.run({})
    await scene.run({ command: 'uninstall', keepHistory: true })
    await scene.run({ reuseValues: 'reuse' })
    expect(lastReuse()).toBeUndefined()
  })

  test('stops where no record can be read: nothing reused would be another deploy', async () => {
    const labels = { owner: 'helm', name: 'shop', status: 'deployed', version: '1' }
    const metadata = { name: 'sh.helm.release.v1.shop.v1', namespace: 'web', labels }
    scene.cluster.put({ apiVersion: 'v1', kind: 'Secret', metadata, data: { release: 'bm90IGEgcmVjb3Jk' } })
    scene.renderer.chart(CONFIG)
    const [result] = await scene.run({ reuseValues: 'reuse' })
    expect(result?.outcome.failure?.message).toBe(
      'no record of the release can be read, so that its values are not known',
    )
    expect(scene.renderer.requests).toEqual([])
  })
})
