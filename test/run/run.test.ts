import { beforeEach, describe, expect, test } from 'vitest'
import type { Settings } from '../../src/inputs/inputs.ts'
import type { StopReason } from '../../src/model/outcome.ts'
import type { PassResult } from '../../src/model/pass.ts'
import type { Stop } from '../../src/pass/last-writes.ts'
import { type RunScene, runScene } from './scene.ts'

const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: NAME }\ndata: { a: "1" }'
const HOOK = `apiVersion: batch/v1
kind: Job
metadata: { name: migrate, annotations: { helm.sh/hook: "pre-install,pre-upgrade" } }
spec: {}`
/** Nothing in the cluster of these tests ends a Pod. */
const ENDLESS_HOOK = HOOK.replace('batch/v1', 'v1').replace('Job', 'Pod')

let scene: RunScene
beforeEach(() => {
  scene = runScene()
})

const story = (results: readonly PassResult[]) =>
  results.map(({ command, outcome, release }) => `${command} ${release}: ${outcome.status}`)

describe('a run', () => {
  test('deploys its releases in their order, after a forecast of all of them', async () => {
    scene.renderer.chart(CONFIG.replace('NAME', 'a'))
    const results = await scene.run({ releases: [scene.chart('shop'), { ...scene.chart('other'), namespace: 'web' }] })
    expect(scene.notes()[0]).toMatch(/^Forecast/)
    expect(story(results)[0]).toBe('deploy shop: deployed')
  })

  test('writes nothing where a later release has a mistake of its inputs', async () => {
    scene.renderer.chart(
      `${CONFIG.replace('NAME', 'a')}\n---\n${CONFIG.replace('NAME', 'b, annotations: { werf.io/weight: high }')}`,
    )
    const results = await scene.run({ releases: [scene.chart('shop'), scene.chart('other')] })
    expect(story(results)).toEqual(['plan shop: failed', 'plan other: failed'])
    expect(scene.cluster.writes()).toEqual([])
  })

  test('stops at the first release that fails', async () => {
    scene.renderer.chart(HOOK)
    scene.cluster.statusWhenApplied({ kind: 'Job' }, 500, { conditions: [{ type: 'Failed', status: 'True' }] })
    const results = await scene.run({ releases: [scene.chart('shop'), scene.chart('other')] })
    expect(story(results)).toEqual(['deploy shop: failed'])
  })

  test('names a release that was in the list and is not any more, and leaves it alone', async () => {
    scene.renderer.chart('')
    await scene.run({ releases: [scene.chart('a'), scene.chart('b'), scene.chart('gone')] })
    await scene.run({ releases: [scene.chart('a'), scene.chart('b')] })
    expect(scene.notes().at(-1)).toBe(
      'Release web/gone is no longer in this list. It stays deployed; command: uninstall removes it.',
    )
  })

  test('on-failure: rollback goes back after a failed upgrade, and the run still fails', async () => {
    scene.renderer.chart(CONFIG.replace('NAME', 'a'))
    await scene.run({ onFailure: 'rollback' })
    scene.renderer.chart(
      `${CONFIG.replace('NAME', 'a').replace('"1"', '"2"')}\n---\n${HOOK.replace('pre-install,pre-upgrade', 'post-upgrade')}`,
    )
    scene.cluster.statusWhenApplied({ kind: 'Job' }, 500, { conditions: [{ type: 'Failed', status: 'True' }] })
    expect(story(await scene.run({ onFailure: 'rollback' }))).toEqual([
      'deploy shop: failed',
      'rollback shop: rolled-back',
    ])
    const config = scene.cluster.object({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'web', name: 'a' })
    expect(config?.data).toEqual({ a: '1' })
  })

  /** An upgrade whose last hook never ends; `stop` ends the run. */
  async function endlessUpgrade(change: Partial<Settings>, stop: Stop): Promise<readonly PassResult[]> {
    scene.renderer.chart(CONFIG.replace('NAME', 'a'))
    await scene.run({})
    scene.renderer.chart(
      `${CONFIG.replace('NAME', 'a').replace('"1"', '"2"')}\n---\n${ENDLESS_HOOK.replace('pre-install,pre-upgrade', 'post-upgrade')}`,
    )
    return scene.run({ onFailure: 'rollback', ...change }, undefined, stop)
  }

  function stopAfter(ms: number, reason: StopReason): { readonly stop: Stop; readonly cancel: AbortController } {
    const ended = new AbortController()
    const cancel = new AbortController()
    scene.clock.schedule(ms, () => ended.abort(reason))
    return { stop: { signal: ended.signal, cancelled: cancel.signal }, cancel }
  }

  test('on-failure: rollback goes back after the time of the run was over: it has its own', async () => {
    const { stop } = stopAfter(60_000, 'timeout')
    const results = await endlessUpgrade({}, stop)
    expect(story(results)).toEqual(['deploy shop: failed', 'rollback shop: rolled-back'])
    expect(results[0]?.outcome.failure?.reason).toBe('timeout')
    const config = scene.cluster.object({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'web', name: 'a' })
    expect(config?.data).toEqual({ a: '1' })
  })

  test('on-failure: rollback ends after rollback-timeout', async () => {
    const { stop } = stopAfter(60_000, 'timeout')
    scene.clock.schedule(59_999, () => scene.cluster.slowWhen({ verb: 'apply', kind: 'ConfigMap' }, 86_400_000))
    const [, rollback] = await endlessUpgrade({ rollbackTimeoutSeconds: 30 }, stop)
    expect([rollback?.outcome.failure?.reason, Number(rollback?.finishedAtMs) - Number(rollback?.startedAtMs)]).toEqual(
      ['timeout', 30_000],
    )
  })

  test('on-failure: rollback ends when the job is cancelled', async () => {
    const { stop, cancel } = stopAfter(60_000, 'timeout')
    scene.clock.schedule(59_999, () => scene.cluster.slowWhen({ verb: 'apply', kind: 'ConfigMap' }, 86_400_000))
    scene.clock.schedule(70_000, () => cancel.abort('cancelled'))
    const [, rollback] = await endlessUpgrade({}, stop)
    expect(rollback?.outcome.status).toBe('cancelled')
  })

  test('on-failure: rollback undoes nothing on a first install, and says so', async () => {
    scene.renderer.chart(HOOK)
    scene.cluster.statusWhenApplied({ kind: 'Job' }, 500, { conditions: [{ type: 'Failed', status: 'True' }] })
    expect(story(await scene.run({ onFailure: 'rollback' }))).toEqual(['deploy shop: failed'])
    expect(scene.notes().at(-1)).toMatch(/^Nothing is rolled back/)
  })

  test('test: true runs the test hooks after the deploy', async () => {
    scene.renderer.chart(HOOK.replace('pre-install,pre-upgrade', 'test'))
    expect(story(await scene.run({ test: true }))).toEqual(['deploy shop: deployed', 'test shop: tested'])
  })
})
