import { describe, expect, test } from 'vitest'
import type { EventOf } from '../../src/model/event.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import type { AwaitOperation } from '../../src/model/plan.ts'
import { apply, awaits, deletes, objectOf, planOf, stage, tracking } from '../doubles/plans.ts'
import { jobComplete, jobFailed, type Scene, scene } from './run-plan.ts'

const hook = 'pre-install'
const plan = (rest: Partial<Omit<AwaitOperation, 'kind' | 'ref'>>) =>
  planOf(
    stage('pre', [
      [apply('Job/a', { hook })],
      [awaits('Job/a', { hook, until: 'complete', ...rest })],
      [deletes('Job/a', { hook, onlyIf: 'succeeded', reason: { code: 'delete-policy' } })],
    ]),
  )

describe('helm.sh/hook-output-log-policy', () => {
  test('hook-succeeded: the log of a hook that succeeded is told before its delete policy removes it', async () => {
    const given = start(jobComplete)
    await given.run(plan({ outputLogsOn: ['succeeded'] }))
    expect(told(given)).toEqual(['a-1/init: prepared', 'a-1/main: step 1', 'a-1/main: done'])
    const order = given.cluster.requests.map(({ verb }) => verb)
    expect(order.lastIndexOf('log')).toBeLessThan(order.indexOf('delete'))
  })

  test('hook-failed: the log of a hook that failed is told', async () => {
    const given = start(jobFailed)
    await given.run(plan({ outputLogsOn: ['failed'] }))
    expect(told(given)).toEqual(['a-1/init: prepared', 'a-1/main: step 1', 'a-1/main: done'])
  })

  test('hook-failed: what was read as evidence is not read again', async () => {
    const given = start(jobFailed)
    await given.run(plan({ outputLogsOn: ['failed'] }))
    expect(given.cluster.requests.filter(({ verb }) => verb === 'log')).toHaveLength(2)
  })

  test('the log is told before the end of the hook', async () => {
    const given = start(jobComplete)
    await given.run(plan({ outputLogsOn: ['succeeded'] }))
    const about = given.events.filter((event) => 'id' in event && event.id.includes('await'))
    expect(about.slice(-2).map(({ type }) => type)).toEqual(['hook-logs', 'operation-finished'])
  })

  test.each([
    ['succeeded', jobFailed],
    ['failed', jobComplete],
  ] as const)('a hook that ended otherwise than %s tells no log', async (result, status) => {
    const given = start(status)
    await given.run(plan({ outputLogsOn: [result] }))
    expect(events(given)).toEqual([])
  })

  test('without the annotation no log is read after a hook that succeeded', async () => {
    const given = start(jobComplete)
    await given.run(plan({}))
    expect(given.cluster.requests.filter(({ verb }) => verb === 'log')).toEqual([])
  })

  test('a hook without pods tells nothing', async () => {
    const given = scene()
    const rank = [awaits('ConfigMap/a', { hook, until: 'readable', outputLogsOn: ['succeeded'] })]
    await given.run(planOf(stage('pre', [[apply('ConfigMap/a', { hook })], rank])))
    expect(events(given)).toEqual([])
  })

  test('lines and containers that the directives leave out are left out here too', async () => {
    const given = start(jobComplete)
    const logs = { ...tracking.logs, skipContainers: ['init'], drop: [{ pattern: '^step' }] }
    await given.run(plan({ outputLogsOn: ['succeeded'], tracking: { ...tracking, logs } }))
    expect(told(given)).toEqual(['a-1/main: done'])
  })

  test('werf.io/skip-logs: no log at all', async () => {
    const given = start(jobComplete)
    const logs = { ...tracking.logs, skip: true }
    await given.run(plan({ outputLogsOn: ['succeeded'], tracking: { ...tracking, logs } }))
    expect(events(given)).toEqual([])
  })

  test('as much as evidence: the last 50 lines of a container', async () => {
    const given = start(jobComplete)
    given.cluster.addLog('a-1', 'main', ...Array.from({ length: 200 }, (_none, index) => `line ${index}`))
    await given.run(plan({ outputLogsOn: ['succeeded'] }))
    const lines = told(given).filter((line) => line.startsWith('a-1/main'))
    expect([lines.length, lines.at(-1)]).toEqual([50, 'a-1/main: line 199'])
  })

  test('pods that are gone already are said, and fail nothing', async () => {
    const given = scene()
    given.cluster.statusWhenApplied({ name: 'a' }, 1_000, jobComplete)
    const { result } = await given.run(plan({ outputLogsOn: ['succeeded'] }))
    expect([result, events(given)]).toMatchObject(['succeeded', [{ pods: [], missing: ['its pods: already deleted'] }]])
  })
})

/** A Job that ends after 5 s, with one pod whose containers have ended. */
function start(end: JsonObject): Scene {
  const given = scene()
  given.cluster.whenApplied({ name: 'a' }, 100, (made) => given.cluster.put(podOf(made)))
  given.cluster.statusWhenApplied({ name: 'a' }, 5_000, end)
  given.cluster.addLog('a-1', 'init', 'prepared')
  given.cluster.addLog('a-1', 'main', 'step 1', 'done')
  return given
}

function podOf({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const ended = (name: string): JsonObject => ({ name, restartCount: 0, state: { terminated: { exitCode: 0 } } })
  return objectOf('Pod/a-1', {
    metadata: { ownerReferences: [{ apiVersion, kind, name: 'a', uid: metadata.uid ?? '' }] },
    status: { phase: 'Succeeded', initContainerStatuses: [ended('init')], containerStatuses: [ended('main')] },
  })
}

function events(given: Scene): readonly EventOf<'hook-logs'>[] {
  return given.events.filter((event) => event.type === 'hook-logs')
}

function told(given: Scene): readonly string[] {
  return events(given).flatMap(({ pods }) =>
    pods.flatMap((pod) =>
      pod.containers.flatMap(({ name, logTail }) => logTail.map((line) => `${pod.name}/${name}: ${line}`)),
    ),
  )
}
