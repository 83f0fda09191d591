import { tmpdir } from 'node:os'
import { execute } from '../../src/execute/execute.ts'
import type { ExecuteInput, ExecutionResult } from '../../src/execute/execution.ts'
import { systemClock } from '../../src/host/system-clock.ts'
import { createCluster, type OpenCluster } from '../../src/kube/cluster-adapter.ts'
import { loadConnection } from '../../src/kube/kubeconfig.ts'
import type { Event, EventOf } from '../../src/model/event.ts'
import type { JsonObject, KubeObject } from '../../src/model/object.ts'
import type { StopReason } from '../../src/model/outcome.ts'
import type { Operation, Plan } from '../../src/model/plan.ts'
import type { Ref } from '../../src/model/ref.ts'
import { objectOf, payloadsOf } from '../doubles/plans.ts'

/** Plans on a real API server: written for namespace `shop`, executed in the namespace of the test. */

const SIMULATE = 'simulate.staged-helm-deploy.dev'

export async function openCluster(path: string): Promise<OpenCluster> {
  const connection = await loadConnection({ kubeconfig: path, env: {}, home: tmpdir(), directory: tmpdir() })
  return createCluster({
    connection,
    clock: systemClock,
    secrets: { add: () => {}, addLookedUp: () => {}, redact: (text) => text, redactNames: (text) => text },
  })
}

export interface Ran extends ExecutionResult {
  readonly events: readonly Event[]
}

export interface RunOptions extends Partial<Pick<ExecuteInput, 'signal'>> {
  /** Whole bodies by operation id. */
  readonly bodies?: readonly (readonly [string, KubeObject])[]
  /** Ids of operations whose managed fields are migrated. */
  readonly handedOver?: ReadonlySet<string>
  readonly onEvent?: (event: Event) => void
}

/** `contents` of bodies by `Kind/name`. */
export async function run(
  place: { readonly cluster: OpenCluster; readonly namespace: string },
  plan: Plan,
  contents: { readonly [target: string]: JsonObject } = {},
  { bodies = [], handedOver, onEvent, ...options }: RunOptions = {},
): Promise<Ran> {
  const events: Event[] = []
  const moved = movePlan(plan, place.namespace)
  const result = await execute({
    plan: moved,
    payloads: payloadsOf(new Map([...bodiesIn(place.namespace, moved, contents), ...bodies]), handedOver),
    live: new Map(),
    forceConflicts: false,
    cluster: place.cluster,
    clock: systemClock,
    emit: (event) => {
      events.push(event)
      onEvent?.(event)
    },
    signal: new AbortController().signal,
    ...options,
  })
  return { ...result, events }
}

function movePlan(plan: Plan, namespace: string): Plan {
  const moved = <O extends Operation>(operation: O): O => ({ ...operation, ref: inNamespace(operation.ref, namespace) })
  const stages = plan.stages.map((one) => ({
    ...one,
    groups: one.groups.map((group) => ({ ...group, ranks: group.ranks.map((rank) => rank.map(moved)) })),
  }))
  return { ...plan, namespace, stages }
}

export function inNamespace(ref: Ref, namespace: string): Ref {
  return ref.namespace === undefined ? ref : { ...ref, namespace }
}

function bodiesIn(namespace: string, plan: Plan, contents: { readonly [target: string]: JsonObject }) {
  const operations = plan.stages.flatMap((one) => one.groups.flatMap((group) => group.ranks.flat()))
  return new Map(
    operations.map(({ id, ref }): [string, KubeObject] => {
      const target = `${ref.kind}/${ref.name}`
      const object = objectOf(target, contents[target])
      const isNamespaced = ref.namespace !== undefined
      return [id, isNamespaced ? { ...object, metadata: { ...object.metadata, namespace } } : object]
    }),
  )
}

/** Options that stop a run once it waits for replicas, and tell when that was, in ms since the epoch. */
export function stopWhenWaiting(reason: StopReason) {
  const stop = new AbortController()
  let stoppedAtMs = Number.NaN
  const onEvent = (event: Event) => {
    if (stop.signal.aborted || event.type !== 'progress' || event.reason.code !== 'replicas') return
    stoppedAtMs = event.atMs
    stop.abort(reason)
  }
  return { options: { signal: stop.signal, onEvent }, stoppedAtMs: () => stoppedAtMs }
}

export function deployment(simulated: { readonly [key: string]: string } = {}): JsonObject {
  return {
    spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template: podTemplate(simulated, 'Always') },
  }
}

export function job(simulated: { readonly [key: string]: string } = {}, rest: JsonObject = {}): JsonObject {
  return { spec: { backoffLimit: 0, template: podTemplate(simulated, 'Never'), ...rest } }
}

export function podTemplate(simulated: { readonly [key: string]: string }, restartPolicy: string): JsonObject {
  const annotations = Object.fromEntries(Object.entries(simulated).map(([key, value]) => [`${SIMULATE}/${key}`, value]))
  const containers = [{ name: 'main', image: 'example.com/main:1' }]
  return { metadata: { labels: { app: 'web' }, annotations }, spec: { restartPolicy, containers } }
}

export function told<T extends Event['type']>(ran: Ran, type: T): readonly EventOf<T>[] {
  return ran.events.filter((event): event is EventOf<T> => event.type === type)
}
