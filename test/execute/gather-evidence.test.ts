import { describe, expect, test } from 'vitest'
import { gatherEvidence } from '../../src/execute/gather-evidence.ts'
import type { Evidence } from '../../src/model/evidence.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import type { Ref } from '../../src/model/ref.ts'
import { fakeClock } from '../doubles/fake-clock.ts'
import { apiError, fakeCluster } from '../doubles/fake-cluster.ts'
import { objectOf, refTo } from '../doubles/plans.ts'

const web = refTo('Deployment/web')

function start() {
  const clock = fakeClock()
  const cluster = fakeCluster(clock)
  const gather = (ref: Ref, signal?: AbortSignal): Promise<Evidence> =>
    clock.runUntil(gatherEvidence({ cluster, clock }, ref, signal))
  const put = (target: string, rest: JsonObject = {}, owner?: KubeObject): KubeObject => {
    const object = objectOf(target, rest)
    if (owner === undefined) return cluster.put(object)
    const { apiVersion, kind, metadata } = owner
    const ownerReferences = [{ apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '' }]
    return cluster.put({ ...object, metadata: { ...object.metadata, ownerReferences } })
  }
  return { clock, cluster, gather, put }
}

const crashing = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s' } }
const status = (name: string, state: JsonObject, restartCount = 0, lastState: JsonObject = {}): JsonObject => ({
  containerStatuses: [{ name, state, restartCount, lastState }],
})
const revision = (number: number) => ({
  metadata: { annotations: { 'deployment.kubernetes.io/revision': String(number) } },
})

describe('evidence', () => {
  test('pods of the newest revision first, what is not ready before what is, three at most', async () => {
    const { gather, put } = start()
    const owner = put('Deployment/web')
    const old = put('ReplicaSet/old', revision(9), owner)
    const young = put('ReplicaSet/young', revision(10), owner)
    put('Pod/old-1', {}, old)
    put('Pod/fine', { status: { conditions: [{ type: 'Ready', status: 'True' }] } }, young)
    put('Pod/worse', {}, young)
    put('Pod/stranger')
    put('Pod/old-2', {}, old)
    const { pods } = await gather(web)
    expect(pods.map(({ name }) => name)).toEqual(['worse', 'fine', 'old-1'])
  })

  test('a container that crashed: its state, exit code, and the log of the run before', async () => {
    const { cluster, gather, put } = start()
    put('Pod/a', {
      status: {
        phase: 'Running',
        ...status('main', crashing, 3, { terminated: { exitCode: 137, reason: 'OOMKilled' } }),
      },
    })
    cluster.addLog('a', 'main', 'starting again')
    cluster.setPreviousLog('a', 'main', 'loading\nout of memory\n')
    const { pods } = await gather(refTo('Pod/a'))
    expect(pods).toEqual([
      {
        name: 'a',
        phase: 'Running',
        containers: [
          {
            name: 'main',
            state: 'waiting',
            reason: 'CrashLoopBackOff',
            message: 'back-off 5m0s',
            exitCode: 137,
            restarts: 3,
            logTail: ['loading', 'out of memory'],
            isPreviousLog: true,
          },
        ],
      },
    ])
  })

  test('a container that has ended again: the log of this run', async () => {
    const { cluster, gather, put } = start()
    put('Pod/a', { status: status('main', { terminated: { exitCode: 1 } }, 2) })
    cluster.addLog('a', 'main', 'this run')
    cluster.setPreviousLog('a', 'main', 'the run before')
    const [container] = (await gather(refTo('Pod/a'))).pods[0]?.containers ?? []
    expect(container).toMatchObject({ logTail: ['this run'], isPreviousLog: false })
  })

  test('the last 50 lines, each cut to a bearable length', async () => {
    const { cluster, gather, put } = start()
    put('Pod/a', { status: status('main', { terminated: { exitCode: 1 } }) })
    cluster.addLog('a', 'main', ...Array.from({ length: 60 }, (_none, index) => `${index} ${'x'.repeat(3_000)}`))
    const [container] = (await gather(refTo('Pod/a'))).pods[0]?.containers ?? []
    expect(container?.logTail.length).toBeLessThanOrEqual(50)
    expect(container?.logTail[0]).toMatch(/^10 x/)
    expect(Math.max(...(container?.logTail ?? []).map((line) => line.length))).toBe(2_000)
  })

  test('init containers too; one that has never run has no log to ask for', async () => {
    const { cluster, gather, put } = start()
    const init = [{ name: 'init', state: { terminated: { exitCode: 2 } }, restartCount: 0 }]
    put('Pod/a', {
      status: { initContainerStatuses: init, ...status('main', { waiting: { reason: 'PodInitializing' } }) },
    })
    const { pods } = await gather(refTo('Pod/a'))
    expect(pods[0]?.containers.map(({ name, state }) => [name, state])).toEqual([
      ['init', 'terminated'],
      ['main', 'waiting'],
    ])
    expect(cluster.requests.filter(({ verb }) => verb === 'log')).toHaveLength(1)
  })

  test('the last ten events of the object, its ReplicaSet and its pods, newest first', async () => {
    const { gather, put } = start()
    const owner = put('Deployment/web')
    const set = put('ReplicaSet/young', revision(1), owner)
    const pod = put('Pod/a', {}, set)
    put('Pod/other')
    for (let minute = 10; minute < 20; minute += 1) put(`Event/p${minute}`, event(pod, `2026-01-01T00:${minute}:00Z`))
    put('Event/owner', event(owner, '2026-01-01T00:30:00Z'))
    put('Event/set', event(set, '2026-01-01T00:31:00Z'))
    put('Event/stranger', event(objectOf('Pod/other', { metadata: { uid: 'none' } }), '2026-01-01T00:59:00Z'))
    const { events } = await gather(web)
    expect(events.map(({ about, lastSeen }) => `${about} ${lastSeen?.slice(14, 16)}`)).toEqual([
      'ReplicaSet/young 31',
      'Deployment/web 30',
      ...['19', '18', '17', '16', '15', '14', '13', '12'].map((minute) => `Pod/a ${minute}`),
    ])
  })

  test('what may not be read is listed, and never stops the rest', async () => {
    const { cluster, gather, put } = start()
    put('Pod/a', { status: status('main', { terminated: { exitCode: 1 } }) })
    cluster.failWhen({ verb: 'list', kind: 'Event' }, apiError('Forbidden', { message: 'cannot list events' }))
    cluster.failWhen({ verb: 'log' }, apiError('Forbidden', { message: 'cannot get pods/log' }))
    const { pods, missing } = await gather(refTo('Pod/a'))
    expect(pods[0]?.containers[0]?.state).toBe('terminated')
    expect([...missing].sort()).toEqual([
      'events of Pod: request: cannot list events',
      'log of a/main: request: cannot get pods/log',
    ])
  })

  test('ends after 10 s with what it has', async () => {
    const { clock, cluster, gather, put } = start()
    put('Pod/a', { status: status('main', { terminated: { exitCode: 1 } }) })
    put('Pod/b')
    cluster.slowWhen({ verb: 'log' }, 60_000)
    put('Event/e', event(cluster.object(refTo('Pod/a')) ?? objectOf('Pod/a'), '2026-01-01T00:00:00Z'))
    const startMs = clock.now()
    const { events, missing } = await gather(refTo('Pod/a'))
    expect([clock.now() - startMs, events.length, missing]).toEqual([10_000, 1, ['not read within 10 s']])
    expect(clock.pending()).toBe(0)
  })

  test('ends at once when the run does', async () => {
    const { clock, cluster, gather, put } = start()
    put('Pod/a')
    cluster.slowWhen({ verb: 'get' }, 60_000)
    const stop = new AbortController()
    clock.schedule(1_000, () => stop.abort('cancelled'))
    const startMs = clock.now()
    await gather(refTo('Pod/a'), stop.signal)
    expect(clock.now() - startMs).toBe(1_000)
  })

  test('an object that is gone, or a kind without pods, has none', async () => {
    const { gather, put } = start()
    put('ConfigMap/a')
    expect((await gather(refTo('ConfigMap/a'))).pods).toEqual([])
    expect(await gather(web)).toEqual({ ref: web, pods: [], events: [], missing: [] })
  })
})

function event(about: KubeObject, lastTimestamp: string): JsonObject {
  const involvedObject = { uid: about.metadata.uid ?? '' }
  return { type: 'Warning', reason: 'BackOff', message: 'text', count: 2, lastTimestamp, involvedObject }
}
