import { describe, expect, inject } from 'vitest'
import { at } from '../../src/tools/local/cluster/cluster-api.ts'
import type { ActionResult } from '../../src/tools/local/runner/run-action.ts'
import type { Namespace } from '../cluster/namespace.ts'
import { test } from './scene.ts'

/** What the simulation makes fail; `after` comes in a later weight group and must never be written. */
describe.skipIf(inject('cluster').local === undefined).concurrent('a deploy that fails', () => {
  test('by a hook ends at once, shows its log, and deletes it only then', async ({ namespace, action }) => {
    const hook = { scenario: 'fail', logs: 'checking\nfatal: no licence key' }
    const result = await action.deploy({ chart: 'trouble', values: { hook } })

    expect(story(result)).toEqual({
      exitCode: 1,
      status: 'failed',
      reason: 'hook-failed',
      stage: 'pre/0',
      resource: `Job/${namespace.name}/check`,
    })
    for (const text of [result.log, result.summary]) expect(text).toContain('fatal: no licence key')
    expect(await namesIn(namespace, 'configmaps')).toEqual([])
    expect(await statusOf(`${namespace.in('batch/v1')}/jobs/check`, namespace)).toBe(404)
    expect(await recordStatus(namespace)).toBe('failed')
  })

  test('by a Job of the release ends at once', async ({ namespace, action }) => {
    const job = { scenario: 'fail', logs: 'fatal: disk full' }
    const result = await action.deploy({ chart: 'trouble', values: { job } })

    expect(story(result)).toEqual({
      exitCode: 1,
      status: 'failed',
      reason: 'not-ready',
      stage: 'main/0',
      resource: `Job/${namespace.name}/task`,
    })
    for (const text of [result.log, result.summary]) expect(text).toContain('fatal: disk full')
    expect(await namesIn(namespace, 'configmaps')).toEqual(['before'])
  })

  test.for([
    { scenario: 'crash-loop', problem: 'CrashLoopBackOff' },
    { scenario: 'image-pull-error', problem: 'ImagePullBackOff' },
  ])('by pods in $scenario does not wait for the timeout', async ({ scenario, problem }, { namespace, action }) => {
    const result = await action.deploy({ chart: 'trouble', values: { deployment: { scenario } } })

    expect(story(result)).toEqual({
      exitCode: 1,
      status: 'failed',
      reason: 'not-ready',
      stage: 'main/0',
      resource: `Deployment/${namespace.name}/web`,
    })
    for (const text of [result.log, result.summary]) expect(text).toContain(problem)
    expect(result.elapsedMs).toBeLessThan(240_000)
    expect(await namesIn(namespace, 'configmaps')).toEqual(['before'])
    expect(await recordStatus(namespace)).toBe('failed')
  })

  test('by a Deployment that is never ready ends when the time is over, and says why', async ({
    namespace,
    action,
  }) => {
    const deployment = { scenario: 'never-ready' }
    const result = await action.deploy({ chart: 'trouble', values: { deployment }, inputs: { timeout: '15s' } })

    expect(story(result)).toEqual({
      exitCode: 1,
      status: 'failed',
      reason: 'timeout',
      stage: 'main/0',
      resource: `Deployment/${namespace.name}/web`,
    })
    for (const text of [result.log, result.summary]) {
      expect(text).toMatch(/web`? was not ready before the timeout/)
      expect(text).toMatch(/0 of 1 /)
    }
    expect(result.elapsedMs).toBeGreaterThan(14_000)
    expect(result.elapsedMs).toBeLessThan(120_000)
    expect(await recordStatus(namespace)).toBe('failed')
  })

  test('by a Deployment whose pods admission refuses ends after a minute, and says why', async ({
    namespace,
    action,
  }) => {
    const deployment = { serviceAccount: 'absent' }
    const result = await action.deploy({ chart: 'trouble', values: { deployment }, inputs: { timeout: '10m' } })

    expect(story(result), result.log).toEqual({
      exitCode: 1,
      status: 'failed',
      reason: 'not-ready',
      stage: 'main/0',
      resource: `Deployment/${namespace.name}/web`,
    })
    for (const text of [result.log, result.summary]) {
      expect(text).toMatch(/error looking up service account \S+\/absent: serviceaccount "absent" not found/)
    }
    expect(result.elapsedMs).toBeGreaterThan(55_000)
    expect(result.elapsedMs).toBeLessThan(200_000)
    expect(await namesIn(namespace, 'configmaps')).toEqual(['before'])
  })

  test('is gone on with by the next one, which needs no help', async ({ namespace, action }) => {
    await action.deploy({ chart: 'trouble', values: { job: { scenario: 'fail' } } })
    const result = await action.deploy({ chart: 'trouble', values: { job: { logs: 'fine' } } })

    expect(result.exitCode).toBe(0)
    expect(result.outputs).toMatchObject({ status: 'deployed', revision: '2' })
    expect(await namesIn(namespace, 'configmaps')).toEqual(['after', 'before'])
  })
})

/** The part of the outputs in which exit code, log, summary and record must agree. */
function story({ exitCode, outputs }: ActionResult) {
  return {
    exitCode,
    status: outputs.status,
    reason: outputs['failure-reason'],
    stage: outputs['failed-stage'],
    resource: outputs['failed-resource'],
  }
}

/** Without those of the cluster itself. */
async function namesIn(namespace: Namespace, resource: string): Promise<readonly unknown[]> {
  const items = at(await namespace.api.get(`${namespace.path}/${resource}`), 'items')
  const names = Array.isArray(items) ? items.map((item) => at(item, 'metadata', 'name')) : []
  return names.filter((name) => name !== 'kube-root-ca.crt')
}

async function statusOf(path: string, { api }: Namespace): Promise<number> {
  return (await api.request('GET', path)).status
}

/** As Helm's own commands select it. */
async function recordStatus({ api, path }: Namespace): Promise<unknown> {
  const found = await api.get(`${path}/secrets?labelSelector=owner%3Dhelm`)
  return at(found, 'items', 0, 'metadata', 'labels', 'status')
}
