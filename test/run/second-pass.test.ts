import { beforeEach, describe, expect, test } from 'vitest'
import type { Settings } from '../../src/inputs/inputs.ts'
import type { KubeObject } from '../../src/model/object.ts'
import type { PassResult } from '../../src/model/pass.ts'
import type { ReleaseHook, ReleaseRecord } from '../../src/model/release.ts'
import { fromSecret, secretName, secretRef, toSecret } from '../../src/record/secret.ts'
import { type RunScene, runScene } from './scene.ts'

/** Whoever may write Secrets of the namespace changes the record between a deploy and the rollback or test that follows it. */
const config = (value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { a: "${value}" }`
const job = (event: string, command = 'ours') =>
  `apiVersion: batch/v1\nkind: Job\nmetadata: { name: b, annotations: { helm.sh/hook: ${event} } }\nspec: { command: ${command} }`
const chart = (...documents: readonly string[]) => documents.join('\n---\n')
const foreign = chart(config('foreign'), 'apiVersion: v1\nkind: Pod\nmetadata: { name: foreign }\nspec: {}')

let scene: RunScene
beforeEach(() => {
  scene = runScene()
})

const secretOf = (revision: number) => secretRef('web', secretName('shop', revision))

function stored(revision: number): KubeObject {
  const secret = scene.cluster.object(secretOf(revision))
  if (secret === undefined) throw new Error(`there is no revision ${revision}`)
  return secret
}

/** Writes the record of a revision anew, as `helm` or somebody's script would. */
function forge(revision: number, change: (record: ReleaseRecord) => Partial<ReleaseRecord>, as = revision): void {
  const { record } = fromSecret(stored(revision), 'shop').stored
  const forged = { ...record, version: as, ...change(record) }
  scene.cluster.put(toSecret(forged, { namespace: 'web', nowMs: 0, labels: {} }))
}

const mark = (status: ReleaseRecord['info']['status']) => (record: ReleaseRecord) => ({
  info: { ...record.info, status },
})

const withCommand = (command: string) => (hook: ReleaseHook) => ({
  ...hook,
  manifest: hook.manifest.replace('ours', command),
})

function story(results: readonly PassResult[]): readonly string[] {
  return results.map(({ command, outcome: { failure, status } }) =>
    failure === undefined || command === 'deploy'
      ? `${command}: ${status}`
      : `${command}: ${failure.reason}: ${failure.message} (Secret ${failure.ref?.name})`,
  )
}

describe('on-failure: rollback', () => {
  /** Two good revisions, and a third that fails; `between`: what others do before the rollback. */
  async function rolledBack(between: () => void, change: Partial<Settings> = {}): Promise<readonly string[]> {
    for (const value of ['0', '1']) {
      scene.renderer.chart(config(value))
      await scene.run({})
    }
    scene.cluster.statusWhenApplied({ kind: 'Job' }, 500, { conditions: [{ type: 'Failed', status: 'True' }] })
    scene.renderer.chart(chart(config('2'), job('post-upgrade')))
    scene.beforePass((pass) => (pass === 2 ? between() : undefined))
    return story(await scene.run({ onFailure: 'rollback', ...change }))
  }
  const data = () => scene.cluster.object({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'web', name: 'a' })?.data

  test('goes back to the record that the deploy has read', async () => {
    expect(await rolledBack(() => {})).toEqual(['deploy: failed', 'rollback: rolled-back'])
    expect(data()).toEqual({ a: '1' })
  })

  test('goes back where others have changed labels and the mark of the failure only', async () => {
    const relabel = () => {
      const { metadata, ...secret } = stored(2)
      scene.cluster.put({ ...secret, metadata: { ...metadata, labels: { ...metadata.labels, team: 'shop' } } })
      forge(3, (record) => ({ info: { ...record.info, description: 'looked into' } }))
    }
    expect(await rolledBack(relabel)).toEqual(['deploy: failed', 'rollback: rolled-back'])
  })

  test.each<[string, () => void, string]>([
    [
      'objects of the revision to go back to were replaced',
      () => forge(2, () => ({ manifest: foreign })),
      'revision 2 is not as this run knew it (Secret sh.helm.release.v1.shop.v2)',
    ],
    [
      'its hooks were',
      () => forge(2, () => ({ hooks: [{ ...hookOf('pre-rollback') }] })),
      'revision 2 is not as this run knew it (Secret sh.helm.release.v1.shop.v2)',
    ],
    [
      'the dialect of its annotations was',
      () =>
        forge(2, () => ({
          chart: { metadata: { annotations: { 'staged-helm-deploy.dev/plain-manifests': 'true' } } },
        })),
      'revision 2 is not as this run knew it (Secret sh.helm.release.v1.shop.v2)',
    ],
    [
      'the revision that failed was',
      () => forge(3, () => ({ manifest: foreign })),
      'revision 3 is not as this run knew it (Secret sh.helm.release.v1.shop.v3)',
    ],
    [
      'an older one was, and is marked deployed',
      () => forge(1, (record) => ({ manifest: foreign, ...mark('deployed')(record) })),
      'revision 1 is not as this run knew it (Secret sh.helm.release.v1.shop.v1)',
    ],
    [
      'an older one is to be the last good one',
      () => forge(2, mark('failed')),
      'revision 1 is the one to roll back to now, and was revision 2 (Secret sh.helm.release.v1.shop.v1)',
    ],
    [
      'a newer one was added',
      () => forge(2, (record) => ({ manifest: foreign, ...mark('superseded')(record) }), 4),
      'revision 4 was written since this run read the record (Secret sh.helm.release.v1.shop.v4)',
    ],
    [
      'the revision to go back to was deleted',
      () => scene.cluster.remove(secretOf(2)),
      'revision 2 is gone, or cannot be read any more (Secret sh.helm.release.v1.shop.v2)',
    ],
    [
      'the revision that failed was deleted',
      () => scene.cluster.remove(secretOf(3)),
      'revision 3 is gone, or cannot be read any more (Secret sh.helm.release.v1.shop.v3)',
    ],
  ])('is refused where %s', async (_what, between, message) => {
    expect(await rolledBack(between)).toEqual(['deploy: failed', `rollback: locked: ${message}`])
    expect(data()).toEqual({ a: '2' })
  })

  test('goes back where the deploy has taken the oldest revision out of the history', async () => {
    expect(await rolledBack(() => {}, { historyMax: 2 })).toEqual(['deploy: failed', 'rollback: rolled-back'])
  })

  test('undoes nothing where the deploy had nothing to change, and says so', async () => {
    for (const value of ['0', '1']) {
      scene.renderer.chart(chart(config(value), pod))
      scene.cluster.statusWhenApplied({ kind: 'Pod' }, 500, READY)
      await scene.run({})
    }
    scene.cluster.setStatus({ apiVersion: 'v1', kind: 'Pod', namespace: 'web', name: 'p' }, FAILED)
    expect(story(await scene.run({ onFailure: 'rollback' }))).toEqual(['deploy: failed'])
    expect(scene.notes().at(-1)).toMatch(/^Nothing is rolled back: this deploy has changed nothing/)
    expect(data()).toEqual({ a: '1' })
  })
})

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: {}'
const READY = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }
const FAILED = { phase: 'Failed' }

function hookOf(event: string): ReleaseHook {
  return { name: 'b', kind: 'Job', path: 'b.yaml', manifest: job(event, 'foreign'), events: [event] }
}

describe('test: true', () => {
  async function tested(between: () => void): Promise<readonly string[]> {
    for (const value of ['0', '1']) {
      scene.renderer.chart(chart(config(value), job('test')))
      scene.beforePass((pass) => (pass === 2 && value === '1' ? between() : undefined))
      const results = await scene.run({ test: value === '1' })
      if (value === '1') return story(results)
    }
    return []
  }
  const command = () =>
    (
      scene.cluster.object({ apiVersion: 'batch/v1', kind: 'Job', namespace: 'web', name: 'b' })?.spec as
        | { readonly command?: string }
        | undefined
    )?.command

  test('runs the hooks of the revision that the deploy has written', async () => {
    expect(await tested(() => {})).toEqual(['deploy: deployed', 'test: tested'])
    expect(command()).toBe('ours')
  })

  test('runs those of the deployed revision where the deploy had nothing to do', async () => {
    await tested(() => {})
    expect(story(await scene.run({ test: true }))).toEqual(['deploy: no-changes', 'test: tested'])
  })

  test.each<[string, () => void, string]>([
    [
      'they were replaced',
      () => forge(2, ({ hooks }) => ({ hooks: hooks.map(withCommand('foreign')) })),
      'revision 2 is not as this run knew it (Secret sh.helm.release.v1.shop.v2)',
    ],
    [
      'a newer revision brings others',
      () => forge(2, ({ hooks }) => ({ hooks: hooks.map(withCommand('foreign')) }), 3),
      'revision 3 was written since this run read the record (Secret sh.helm.release.v1.shop.v3)',
    ],
    [
      'an older revision is marked as the deployed one',
      () => {
        forge(1, mark('deployed'))
        forge(2, mark('superseded'))
      },
      'revision 1 is the deployed one now, and was revision 2 (Secret sh.helm.release.v1.shop.v1)',
    ],
    [
      'no revision is deployed any more',
      () => forge(2, mark('failed')),
      'no revision is the deployed one now, and was revision 2 (Secret sh.helm.release.v1.shop.v2)',
    ],
  ])('is refused where %s', async (_what, between, message) => {
    expect(await tested(between)).toEqual(['deploy: deployed', `test: locked: ${message}`])
    expect(command()).toBeUndefined()
  })
})
