import { execute } from '../../src/execute/execute.ts'
import type { ExecuteInput, ExecutionResult } from '../../src/execute/execution.ts'
import type { Event } from '../../src/model/event.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import type { StopReason } from '../../src/model/outcome.ts'
import type { Plan } from '../../src/model/plan.ts'
import { type FakeClock, fakeClock } from '../doubles/fake-clock.ts'
import { type FakeCluster, fakeCluster } from '../doubles/fake-cluster.ts'
import { bodiesOf, payloadsOf } from '../doubles/plans.ts'

/** A cluster, a clock, and what the executor did with a plan on them. */
export interface Scene {
  readonly clock: FakeClock
  readonly cluster: FakeCluster
  readonly events: readonly Event[]
  /** Stops the run from outside, this much later. */
  stopAfter(ms: number, reason: StopReason): void
  /** Ends also what runs on after a timeout. */
  abandonAfter(ms: number): void
  run(plan: Plan, options?: SceneOptions): Promise<ExecutionResult>
}

export interface SceneOptions extends Partial<Pick<ExecuteInput, 'live' | 'forceConflicts'>> {
  /** Contents of bodies by `Kind/name`. */
  readonly contents?: { readonly [target: string]: JsonObject }
  readonly bodies?: ReadonlyMap<string, KubeObject>
  /** Ids of operations whose managed fields are migrated. */
  readonly handedOver?: ReadonlySet<string>
}

export function scene(): Scene {
  const clock = fakeClock()
  const cluster = fakeCluster(clock)
  const events: Event[] = []
  const stop = new AbortController()
  const abandon = new AbortController()
  return {
    clock,
    cluster,
    events,
    stopAfter: (ms, reason) => clock.schedule(ms, () => stop.abort(reason)),
    abandonAfter: (ms) => clock.schedule(ms, () => abandon.abort('cancelled')),
    run: (plan, options = {}) =>
      clock.runUntil(
        execute({
          plan,
          payloads: payloadsOf(options.bodies ?? bodiesOf(plan, options.contents), options.handedOver),
          live: options.live ?? new Map(),
          forceConflicts: options.forceConflicts ?? false,
          cluster,
          clock,
          emit: (event) => void events.push(event),
          signal: stop.signal,
          abandon: abandon.signal,
        }),
      ),
  }
}

/** Events as lines: seconds since the start, type, what it is about, result. */
export function told(scene: Scene, ...types: readonly Event['type'][]): readonly string[] {
  const startMs = Date.UTC(2026, 0, 1)
  return scene.events
    .filter((event) => types.length === 0 || types.includes(event.type))
    .map((event) => {
      const subject = 'id' in event ? event.id : 'stage' in event ? event.stage : ''
      const result = 'result' in event ? event.result : 'reason' in event ? JSON.stringify(event.reason) : ''
      return [`${(event.atMs - startMs) / 1_000}s`, event.type, subject, result].filter((part) => part !== '').join(' ')
    })
}

/** Statuses that say ready. */
export const deploymentReady = {
  observedGeneration: 1,
  replicas: 1,
  updatedReplicas: 1,
  readyReplicas: 1,
  availableReplicas: 1,
  conditions: [{ type: 'Available', status: 'True' }],
}
export const jobComplete = {
  succeeded: 1,
  conditions: [
    { type: 'SuccessCriteriaMet', status: 'True' },
    { type: 'Complete', status: 'True' },
  ],
}
export const jobFailed = {
  failed: 1,
  conditions: [
    { type: 'FailureTarget', status: 'True', reason: 'BackoffLimitExceeded' },
    {
      type: 'Failed',
      status: 'True',
      reason: 'BackoffLimitExceeded',
      message: 'Job has reached the specified backoff limit',
    },
  ],
}

/** A spec that readiness can judge. */
export const webSpec = { spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template: {} } }
