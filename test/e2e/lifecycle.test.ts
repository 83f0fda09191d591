import { dump } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { at } from '../../src/tools/local/cluster/cluster-api.ts'
import { test } from '../cluster/fixture.ts'
import { createNamespace, type Namespace } from '../cluster/namespace.ts'
import { type Helm, helmIn } from './helm.ts'
import { type Chapter, emptyWorkspace, live, namesIn } from './life.ts'
import { type Steps, violations } from './timeline.ts'

const CHART = 'test/e2e/charts/lifecycle'

/** Sources: docs/sources.md#helm-rollback, docs/sources.md#helm-uninstall, docs/sources.md#helm-test. */
describe.skipIf(inject('cluster').local === undefined).concurrent('a release', () => {
  test.for(['helm3', 'helm4'] as const)(
    'made by the real %s is rolled back, tested and uninstalled by us, from an empty directory',
    async (version, { namespace, expect }) => {
      const helm = await helmIn(namespace, version)
      await helm('install', 'app', CHART, '--set', 'greeting=first')
      await helm('upgrade', 'app', CHART, '--set', 'greeting=second')
      const workspace = await emptyWorkspace()

      const rollback = await live(namespace, { command: 'rollback' }, { workspace })
      expect(rollback.exitCode, rollback.log).toBe(0)
      expect(rollback.outputs).toMatchObject({ status: 'rolled-back', revision: '3', 'previous-revision': '2' })
      expect(await greeting(namespace)).toBe('first')
      expect(await history(helm)).toEqual(['1 superseded', '2 superseded', '3 deployed'])

      const tested = await live(namespace, { command: 'test', 'test-filter': 'ping' }, { workspace })
      expect(tested.exitCode, tested.log).toBe(0)
      expect(tested.outputs).toMatchObject({ status: 'tested', revision: '3' })
      expect(tested.log).toContain('this is ping')
      expect(tested.log).not.toContain('this is load')
      expect(await history(helm)).toEqual(['1 superseded', '2 superseded', '3 deployed'])

      const uninstall = await live(namespace, { command: 'uninstall', 'keep-history': 'true' }, { workspace })
      expect(uninstall.exitCode, uninstall.log).toBe(0)
      expect(await namesIn(namespace, 'v1', 'configmaps')).toEqual([])
      expect(await namesIn(namespace, 'apps/v1', 'deployments')).toEqual([])
      expect((await history(helm)).at(-1)).toBe('3 uninstalled')
    },
  )

  test('that fails goes back to the last good revision with on-failure: rollback', async ({ namespace, expect }) => {
    const helm = await helmIn(namespace, 'helm4')
    await live(namespace, { command: 'deploy', chart: CHART, set: 'greeting=good' })
    const failed = await live(namespace, {
      command: 'deploy',
      chart: CHART,
      values: dump({ greeting: 'bad', web: { scenario: 'crash-loop' } }),
      'on-failure': 'rollback',
    })

    expect(failed.exitCode).toBe(1)
    expect(failed.outputs).toMatchObject({ 'failure-reason': 'not-ready', 'failed-stage': 'main/0' })
    expect(await greeting(namespace)).toBe('good')
    expect(await history(helm)).toEqual(['1 superseded', '2 failed', '3 deployed'])
    expect(failed.log.indexOf('CrashLoopBackOff')).toBeLessThan(failed.log.indexOf('rollback app in'))
  })

  test('that was never deployed is left as it is, and the log says so', async ({ namespace, expect }) => {
    const failed = await live(namespace, {
      command: 'deploy',
      chart: CHART,
      values: dump({ web: { scenario: 'crash-loop' } }),
      'on-failure': 'rollback',
    })

    expect(failed.exitCode).toBe(1)
    expect(failed.log).toContain('Nothing is rolled back: no revision of this release was ever deployed.')
    expect(await namesIn(namespace, 'apps/v1', 'deployments')).toEqual(['web'])
  })

  test('is tested after its deploy with test: true; a failed test leaves it deployed', async ({
    namespace,
    expect,
  }) => {
    const helm = await helmIn(namespace, 'helm4')
    const deploy = { command: 'deploy', chart: CHART, test: 'true' }
    const good = await live(namespace, deploy)
    expect(good.exitCode, good.log).toBe(0)
    expect(good.log).toContain('this is ping')
    expect(good.log).toContain('this is load')

    const bad = await live(namespace, { ...deploy, values: dump({ ping: { scenario: 'fail' } }) })
    expect(bad.exitCode).toBe(1)
    expect(bad.outputs).toMatchObject({ 'failure-reason': 'test-failed', revision: '2' })
    expect(await history(helm)).toEqual(['1 superseded', '2 deployed'])
  })

  test('counts as ready once applied with wait: false, while its hooks still block', async ({ namespace, expect }) => {
    const result = await live(namespace, {
      command: 'deploy',
      chart: CHART,
      wait: 'false',
      values: dump({ hooks: true, web: { scenario: 'never-ready' } }),
    })

    expect(result.exitCode, result.log).toBe(0)
    expect(result.outputs.status).toBe('deployed')
    expect(result.log).toMatch(/Job\/\S+\/default complete after/)
    expect(result.log).not.toMatch(/Deployment\/\S+\/web (ready|waits)/)
  })

  describe('with hooks of one weight', () => {
    let namespace: Namespace
    let deploy: Chapter

    beforeAll(async () => {
      namespace = await createNamespace(inject('cluster').kubeconfig)
      deploy = await live(namespace, { command: 'deploy', chart: CHART, values: dump({ hooks: true }) })
    })
    afterAll(() => namespace?.remove())

    test('runs hooks of one weight one at a time, in kind order, then by name', () => {
      const order: Steps = [
        ['deployments/web'],
        ['configmaps/zz-first'],
        ['jobs/default'],
        ['jobs/failed'],
        ['jobs/never'],
        ['jobs/succeeded'],
      ]
      expect(deploy.exitCode, deploy.log).toBe(0)
      expect(
        violations(
          deploy.events.filter(({ ref }) => ref.namespace === namespace.name),
          order,
        ),
      ).toEqual([])
    })

    test('leaves and removes the hooks that their delete policies name', async () => {
      expect(await namesIn(namespace, 'batch/v1', 'jobs')).toEqual(['default', 'failed', 'never'])

      const values = dump({ hooks: true, failing: true })
      const failing = await live(namespace, { command: 'deploy', chart: CHART, values })
      expect(failing.outputs).toMatchObject({ 'failure-reason': 'hook-failed', 'failed-stage': 'post/1' })
      expect(await namesIn(namespace, 'batch/v1', 'jobs')).toEqual(['default', 'failed', 'fails', 'never'])
    })
  })
})

async function greeting({ api, path }: Namespace): Promise<unknown> {
  return at(await api.get(`${path}/configmaps/settings`), 'data', 'greeting')
}

async function history(helm: Helm): Promise<readonly string[]> {
  const revisions = JSON.parse(await helm('history', 'app', '--output', 'json')) as readonly {
    readonly revision: number
    readonly status: string
  }[]
  return revisions.map(({ revision, status }) => `${revision} ${status}`)
}
