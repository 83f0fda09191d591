import { describe, expect, test } from 'vitest'
import type { EventOf } from '../../src/model/event.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import { apiError } from '../doubles/fake-cluster.ts'
import { apply, awaits, objectOf, planOf, stage, tracking } from '../doubles/plans.ts'
import { jobComplete, type Scene, scene } from './run-plan.ts'

const hook = 'pre-install'
const plan = (rest: Parameters<typeof awaits>[1] = {}) =>
  planOf(stage('pre', [[apply('Job/a', { hook })], [awaits('Job/a', { hook, until: 'complete', ...rest })]]))

describe('hook logs', () => {
  test('lines are told while the hook runs, and to the last one when it has finished', async () => {
    const given = start()
    given.clock.schedule(1_000, () => given.cluster.addLog('a-1', 'main', 'step 1'))
    given.clock.schedule(2_000, () => given.cluster.addLog('a-1', 'main', 'step 2'))
    given.clock.schedule(5_500, () => {
      given.cluster.addLog('a-1', 'main', 'done')
      given.cluster.endLog('a-1', 'main')
    })
    await given.run(plan())
    expect(lines(given)).toEqual(['1s a-1/main step 1', '2s a-1/main step 2', '5.5s a-1/main done'])
    expect(given.cluster.openFollowers()).toBe(0)
  })

  test('a log that does not end after the hook is left after 2 s', async () => {
    const given = start()
    const startMs = given.clock.now()
    await given.run(plan())
    expect([given.clock.now() - startMs, given.cluster.openFollowers()]).toEqual([7_000, 0])
  })

  test('init containers and further attempts are followed, five pods at most', async () => {
    const given = start()
    for (let attempt = 2; attempt < 10; attempt += 1) {
      given.cluster.whenApplied({ name: 'a' }, attempt * 200, (made) => putPod(given, `a-${attempt}`, made))
    }
    for (let attempt = 1; attempt < 10; attempt += 1) given.cluster.addLog(`a-${attempt}`, 'init', `try ${attempt}`)
    await given.run(plan())
    expect(lines(given)).toHaveLength(5)
  })

  test.each([
    [0, 0],
    [2, 2],
    [9, 5],
  ])('werf.io/show-logs-only-for-number-of-replicas: of %i pods, five at most', async (replicas, shown) => {
    const given = start()
    for (let attempt = 2; attempt < 10; attempt += 1) {
      given.cluster.whenApplied({ name: 'a' }, attempt * 200, (made) => putPod(given, `a-${attempt}`, made))
    }
    for (let attempt = 1; attempt < 10; attempt += 1) given.cluster.addLog(`a-${attempt}`, 'init', `try ${attempt}`)
    await given.run(plan({ tracking: { ...tracking, logs: { ...tracking.logs, replicas } } }))
    expect(lines(given)).toHaveLength(shown)
  })

  test('a log without end is cut, and that is said', async () => {
    const given = start()
    given.cluster.addLog('a-1', 'main', ...Array.from({ length: 3_000 }, (_none, index) => `line ${index}`))
    await given.run(plan())
    expect(lines(given)).toHaveLength(2_000)
    expect(warnings(given)).toEqual([expect.stringContaining('only its first 2000 lines')])
  })

  test('a log of few but long lines is cut too', async () => {
    const given = start()
    given.cluster.addLog('a-1', 'main', ...Array.from({ length: 200 }, () => 'x'.repeat(100_000)))
    await given.run(plan())
    expect(lines(given)).toHaveLength(64)
  })

  test('a log that may not be read is told once, and fails nothing', async () => {
    const given = start()
    given.cluster.failWhen({ verb: 'follow-log' }, apiError('Forbidden'))
    const { result } = await given.run(plan())
    expect([result, warnings(given)]).toEqual(['succeeded', [expect.stringContaining('cannot be followed')]])
  })

  test.each([
    [{ skip: true }, []],
    [{ skipContainers: ['init'] }, ['main']],
    [{ onlyContainers: ['init'] }, ['init']],
  ])('werf: %j', async (rule, expected) => {
    const given = start()
    given.cluster.addLog('a-1', 'init', 'text')
    given.cluster.addLog('a-1', 'main', 'text')
    await given.run(plan({ tracking: { ...tracking, logs: { ...tracking.logs, ...rule } } }))
    expect(logs(given).map(({ container }) => container)).toEqual(expected)
  })

  test('pods of others are not followed', async () => {
    const given = start()
    const other = objectOf('Job/other', { metadata: { uid: 'of-another-job' } })
    given.clock.schedule(500, () => putPod(given, 'b-1', other))
    given.cluster.addLog('b-1', 'main', 'not ours')
    await given.run(plan())
    expect(lines(given)).toEqual([])
  })

  test('resources of main are not followed', async () => {
    const given = start()
    given.cluster.addLog('a-1', 'main', 'text')
    await given.run(planOf(stage('main', [[apply('Job/a')], [awaits('Job/a')]])))
    expect(lines(given)).toEqual([])
  })
})

/** A Job that runs for 5 s, with one pod that has started at once. */
function start(): Scene {
  const given = scene()
  given.cluster.whenApplied({ name: 'a' }, 100, (made) => putPod(given, 'a-1', made))
  given.cluster.statusWhenApplied({ name: 'a' }, 5_000, jobComplete)
  return given
}

function putPod(given: Scene, name: string, owner: KubeObject): void {
  const { apiVersion, kind, metadata } = owner
  const ownerReferences = [{ apiVersion, kind, name: 'a', uid: metadata.uid ?? '' }]
  const running = (container: string): JsonObject => ({ name: container, restartCount: 0, state: { running: {} } })
  given.cluster.put(
    objectOf(`Pod/${name}`, {
      metadata: { ownerReferences },
      status: { phase: 'Running', initContainerStatuses: [running('init')], containerStatuses: [running('main')] },
    }),
  )
}

function logs(given: Scene): readonly EventOf<'log'>[] {
  return given.events.filter((event) => event.type === 'log')
}

function lines(given: Scene): readonly string[] {
  const startMs = given.events[0]?.atMs ?? 0
  return logs(given).map(({ atMs, pod, container, line }) => `${(atMs - startMs) / 1_000}s ${pod}/${container} ${line}`)
}

function warnings(given: Scene): readonly string[] {
  return given.events.flatMap((event) => (event.type === 'warning' ? [event.message] : []))
}
