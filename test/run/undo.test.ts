import { beforeEach, describe, expect, test } from 'vitest'
import type { Settings } from '../../src/inputs/inputs.ts'
import { ownershipOf, withOwnership } from '../../src/manifest/ownership.ts'
import type { StopReason } from '../../src/model/outcome.ts'
import type { PassResult } from '../../src/model/pass.ts'
import type { Stop } from '../../src/pass/last-writes.ts'
import { fromSecret, secretName, secretRef, toSecret } from '../../src/record/secret.ts'
import { type RunScene, runScene } from './scene.ts'

const config = (name: string, meta = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}${meta} }\ndata: { a: "1" }`
const hook = (name: string, event: string) =>
  `apiVersion: batch/v1\nkind: Job\nmetadata: { name: ${name}, annotations: { helm.sh/hook: ${event} } }\nspec: {}`
const chart = (...documents: readonly string[]) => documents.join('\n---\n')
const FAILED_JOB = { conditions: [{ type: 'Failed', status: 'True' }] }

let scene: RunScene
beforeEach(() => {
  scene = runScene()
})

const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'web', name })
const isThere = (name: string) => scene.cluster.object(configMap(name)) !== undefined
const revisions = () =>
  [1, 2, 3].flatMap((revision) => {
    const secret = scene.cluster.object(secretRef('web', secretName('shop', revision)))
    return secret === undefined ? [] : [`${revision} ${fromSecret(secret, 'shop').stored.record.info.status}`]
  })
const story = (results: readonly PassResult[]) =>
  results.map(({ command, outcome: { failure, status } }) =>
    failure === undefined || command === 'deploy' ? `${command}: ${status}` : `${command}: ${failure.reason}`,
  )

/** A run that is cancelled never has a timeout, nor the other way round. */
function stoppedAfter(ms: number, reason: StopReason): Stop {
  const [ended, cancel] = [new AbortController(), new AbortController()]
  scene.clock.schedule(ms, () => {
    ended.abort(reason)
    if (reason === 'cancelled') cancel.abort(reason)
  })
  return { signal: ended.signal, cancelled: cancel.signal }
}

/** Its post-install hook fails. */
function failingInstall(change: Partial<Settings>, ...documents: readonly string[]): Promise<readonly PassResult[]> {
  scene.renderer.chart(chart(...documents, hook('fails', 'post-install')))
  scene.cluster.statusWhenApplied({ kind: 'Job', name: 'fails' }, 500, FAILED_JOB)
  return scene.run({ onFailure: 'undo', ...change })
}

describe('atomic: true', () => {
  test('takes a failed first install down again, without a trace in the record', async () => {
    const results = await failingInstall({}, config('a'))
    expect(story(results)).toEqual(['deploy: failed', 'uninstall: taken-down'])
    expect([isThere('a'), revisions()]).toEqual([false, []])
  })

  test('leaves what resource-policy: keep names, as Helm does', async () => {
    await failingInstall({}, config('a'), config('b', ', annotations: { helm.sh/resource-policy: keep }'))
    expect([isThere('a'), isThere('b')]).toEqual([false, true])
  })

  test.each([
    [true, ['deploy: failed', 'uninstall: taken-down'], true],
    [false, ['deploy: failed', 'uninstall: taken-down'], false],
  ])('runs the hooks of an uninstall, with hooks: %s', async (withHooks, passes, runs) => {
    const failing = withHooks
      ? failingInstall({}, config('a'), hook('before', 'pre-delete'))
      : failingPod({ withHooks }, config('a'), hook('before', 'pre-delete'))
    expect(story(await failing)).toEqual(passes)
    const job = { apiVersion: 'batch/v1', kind: 'Job', namespace: 'web', name: 'before' }
    expect(scene.cluster.object(job) !== undefined).toBe(runs)
  })

  /** A Pod of the release fails. */
  function failingPod(change: Partial<Settings>, ...documents: readonly string[]): Promise<readonly PassResult[]> {
    scene.renderer.chart(chart(...documents, 'apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: {}'))
    scene.cluster.statusWhenApplied({ kind: 'Pod', name: 'p' }, 500, { phase: 'Failed' })
    return scene.run({ onFailure: 'undo', ...change })
  }

  test('waits for resources also with wait: false, as Helm does', async () => {
    expect(story(await failingPod({ wait: false }))).toEqual(['deploy: failed', 'uninstall: taken-down'])
  })

  test('leaves what the install had adopted, and lists it', async () => {
    scene.cluster.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'others', namespace: 'web' } })
    const [, takenDown] = await failingInstall({ takeOwnership: true }, config('a'), config('others'))
    expect([isThere('a'), isThere('others')]).toEqual([false, true])
    expect(takenDown?.plan?.untouched).toContainEqual({ ref: configMap('others'), reason: 'adopted' })
  })

  test('removes what carried the marks of the release before, as an uninstall of Helm does', async () => {
    const owner = { release: 'shop', namespace: 'web' }
    const left = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'left', namespace: 'web' } }
    scene.cluster.put(withOwnership(left, owner))
    expect(ownershipOf(withOwnership(left, owner), owner).kind).toBe('ours')
    await failingInstall({ takeOwnership: true }, config('left'))
    expect(isThere('left')).toBe(false)
  })

  test('keeps the history that an uninstall with keep-history has left', async () => {
    scene.renderer.chart(config('a'))
    await scene.run({})
    await scene.run({ command: 'uninstall', keepHistory: true })
    const results = await failingInstall({}, config('a'))
    expect(story(results)).toEqual(['deploy: failed', 'uninstall: taken-down'])
    expect([isThere('a'), revisions()]).toEqual([false, ['1 uninstalled']])
  })

  test('goes back after a failed upgrade, as on-failure: rollback does', async () => {
    scene.renderer.chart(config('a'))
    await scene.run({ onFailure: 'undo' })
    scene.renderer.chart(chart(config('a').replace('"1"', '"2"'), hook('fails', 'post-upgrade')))
    scene.cluster.statusWhenApplied({ kind: 'Job', name: 'fails' }, 500, FAILED_JOB)
    expect(story(await scene.run({ onFailure: 'undo' }))).toEqual(['deploy: failed', 'rollback: rolled-back'])
    expect(scene.cluster.object(configMap('a'))?.data).toEqual({ a: '1' })
  })

  test('undoes nothing where an earlier install has failed already, and says so', async () => {
    await failingPod({ onFailure: 'stop' }, config('a'))
    expect(story(await failingPod({}, config('a')))).toEqual(['deploy: failed'])
    expect(scene.notes().at(-1)).toMatch(/^Nothing is taken down: an earlier install of this release has failed/)
    expect(isThere('a')).toBe(true)
  })

  test('undoes nothing where a record cannot be read: what it deployed may be in use', async () => {
    const labels = { owner: 'helm', name: 'shop', status: 'deployed', version: '1' }
    const metadata = { name: secretName('shop', 1), namespace: 'web', labels }
    scene.cluster.put({ apiVersion: 'v1', kind: 'Secret', metadata, data: { release: 'bm90IGEgcmVjb3Jk' } })
    expect(story(await failingInstall({}, config('a')))).toEqual(['deploy: failed'])
    expect(scene.notes().at(-1)).toMatch(/^Nothing is taken down: .* its record cannot be read/)
    expect(isThere('a')).toBe(true)
  })

  test('undoes nothing where the deploy has not begun', async () => {
    scene.renderer.chart(config('a, annotations: { werf.io/weight: high }'))
    expect(story(await scene.run({ onFailure: 'undo' }))).toEqual(['deploy: failed'])
    expect(scene.notes()).toEqual([])
  })

  test('undoes nothing of a cancelled run, as on-failure: rollback', async () => {
    const stop = stoppedAfter(60_000, 'cancelled')
    scene.renderer.chart(chart(config('a'), 'apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: {}'))
    expect(story(await scene.run({ onFailure: 'undo' }, undefined, stop))).toEqual(['deploy: cancelled'])
    expect(isThere('a')).toBe(true)
  })

  test('has its own time, and ends after rollback-timeout', async () => {
    const stop = stoppedAfter(60_000, 'timeout')
    scene.renderer.chart(chart(config('a'), 'apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: {}'))
    scene.clock.schedule(59_999, () => scene.cluster.slowWhen({ verb: 'delete', kind: 'ConfigMap' }, 86_400_000))
    const results = await scene.run({ onFailure: 'undo', rollbackTimeoutSeconds: 30 }, undefined, stop)
    expect(story(results)).toEqual(['deploy: failed', 'uninstall: timeout'])
    expect(Number(results[1]?.finishedAtMs) - Number(results[1]?.startedAtMs)).toBe(30_000)
  })

  test.each<[string, () => void]>([
    [
      'the record was replaced by another one',
      () => {
        const secret = scene.cluster.object(secretRef('web', secretName('shop', 1)))
        if (secret === undefined) throw new Error('there is no record')
        const { record } = fromSecret(secret, 'shop').stored
        const forged = { ...record, manifest: `---\n${config('theirs')}\n` }
        scene.cluster.put(toSecret(forged, { namespace: 'web', nowMs: 0, labels: {} }))
      },
    ],
    [
      'another run has written a revision since',
      () => {
        const secret = scene.cluster.object(secretRef('web', secretName('shop', 1)))
        if (secret === undefined) throw new Error('there is no record')
        const { record } = fromSecret(secret, 'shop').stored
        scene.cluster.put(toSecret({ ...record, version: 2 }, { namespace: 'web', nowMs: 0, labels: {} }))
      },
    ],
    ['the record is gone', () => scene.cluster.remove(secretRef('web', secretName('shop', 1)))],
  ])('is refused where %s', async (_what, between) => {
    scene.cluster.put(
      withOwnership(
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'theirs', namespace: 'web' } },
        { release: 'shop', namespace: 'web' },
      ),
    )
    scene.beforePass((pass) => (pass === 2 ? between() : undefined))
    expect(story(await failingInstall({}, config('a')))).toEqual(['deploy: failed', 'uninstall: locked'])
    expect([isThere('a'), isThere('theirs')]).toEqual([true, true])
  })
})
