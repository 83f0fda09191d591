import { systemClock } from '../../src/host/system-clock.ts'
import { createCluster, type OpenCluster } from '../../src/kube/cluster-adapter.ts'
import { defined } from '../../src/model/defined.ts'
import type { KubeObject } from '../../src/model/object.ts'
import type { PassResult } from '../../src/model/pass.ts'
import type { Plan } from '../../src/model/plan.ts'
import { refKey } from '../../src/model/ref.ts'
import { noValues, type ReleaseOptions, type ReleaseSpec } from '../../src/model/release.ts'
import { clusterWorld } from '../../src/pass/cluster-world.ts'
import { nothingProvided } from '../../src/pass/provided.ts'
import { runPass } from '../../src/pass/run-pass.ts'
import type { Cluster, Renderer } from '../../src/ports.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import { fakeRenderer } from '../doubles/fake-renderer.ts'
import { neverStopped } from '../doubles/stops.ts'
import { connect } from '../kube/opened.ts'

/** What is done with a pair, one after the other. Each is a client of its own name in the audit log. */
export const PHASES = ['install', 'plan', 'deploy', 'again'] as const
export type Phase = (typeof PHASES)[number]

export interface Passed {
  readonly result: PassResult
  readonly plan: Plan | undefined
  /** What was applied and what the API server made of it, by `refKey`, the newest of each. */
  readonly applied: ReadonlyMap<string, Applied>
  /** What was rendered, and what was read of it from the cluster, by `Kind/name`. */
  readonly rendered: ReadonlyMap<string, KubeObject>
  readonly read: ReadonlyMap<string, KubeObject>
}

export interface Applied {
  readonly body: KubeObject
  readonly answer: KubeObject
}

export function userAgent(phase: Phase): string {
  return `property-${phase}`
}

/** The real adapter, which the audit log knows by this name. */
export async function openFor(agent: string, kubeconfig: string): Promise<OpenCluster> {
  const connection = await connect(kubeconfig)
  return createCluster({
    connection: { ...connection, headers: { 'user-agent': agent } },
    clock: systemClock,
    secrets: { add: () => {}, addLookedUp: () => {}, redact: (text) => text, redactNames: (text) => text },
  })
}

/** One pass with a chart of these objects, as `command: plan` or `command: deploy` would do it. */
export async function pass(
  cluster: Cluster,
  {
    objects,
    crds,
    namespace,
    isPlanOnly,
  }: {
    readonly objects: readonly KubeObject[]
    /** Text of a file in `crds/`. */
    readonly crds?: string
    readonly namespace: string
    readonly isPlanOnly: boolean
  },
): Promise<Passed> {
  const renderer = fakeRenderer()
  renderer.chart(objects.map((object) => JSON.stringify(object)).join('\n---\n'), defined({ crds }))
  return watchedPass(cluster, { renderer, spec: { ...SPEC, namespace }, isPlanOnly })
}

const SPEC: ReleaseSpec = { release: 'shop', weight: 0, source: { kind: 'chart', path: 'shop', values: noValues } }

export interface PassSetting {
  readonly renderer: Renderer
  readonly spec: ReleaseSpec
  readonly isPlanOnly: boolean
}

/** One pass, and what went between it, the renderer and the API server. */
export async function watchedPass(cluster: Cluster, { renderer, spec, isPlanOnly }: PassSetting): Promise<Passed> {
  const rendered = new Map<string, KubeObject>()
  const applied = new Map<string, Applied>()
  const read = new Map<string, KubeObject>()
  const watching = (cluster: Cluster): Cluster => ({
    ...cluster,
    under: (terms) => watching(cluster.under(terms)),
    get: async (ref, signal) => {
      const found = await cluster.get(ref, signal)
      if (found !== undefined) read.set(`${ref.kind}/${ref.name}`, found)
      return found
    },
    list: async (query, signal) => {
      const found = await cluster.list(query, signal)
      for (const one of found) read.set(`${query.kind}/${one.metadata.name}`, one)
      return found
    },
    apply: async (object, options, signal) => {
      const answer = await cluster.apply(object, options, signal)
      const { apiVersion, kind } = object
      const { name = '', namespace: place } = answer.metadata
      const ref = { apiVersion, kind, name, ...defined({ namespace: place }) }
      applied.set(refKey(ref), { body: object, answer })
      return answer
    },
  })
  const watched = watching(cluster)
  const { result } = await runPass(
    {
      task: { kind: 'deploy' },
      isPlanOnly,
      prune: true,
      leftOut: [],
      approvalIgnore: [],
      isUnderApproval: false,
      approval: undefined,
      mayLackRights: isPlanOnly,
      providedEarlier: nothingProvided,
      spec,
      options,
      holder: 'https://github.example/acme/shop/actions/runs/1/attempts/1',
      stop: neverStopped(),
      lockWaitMs: 0,
      onPlan: () => {},
      onEvent: () => {},
      onHeld: () => {},

      onFreed: () => {},
    },
    clusterWorld(watched),
    { renderer: noting(renderer, rendered), clock: systemClock, secrets: createSecrets() },
  )
  return { result, plan: result.plan, applied, rendered, read }
}

function noting(renderer: Renderer, rendered: Map<string, KubeObject>): Renderer {
  return {
    ...renderer,
    render: async (request) => {
      const answer = await renderer.render(request)
      for (const { object } of answer.documents) rendered.set(`${object.kind}/${object.metadata.name}`, object)
      return answer
    },
  }
}

const options: ReleaseOptions = {
  createNamespace: true,
  takeOwnership: false,
  forceConflicts: false,
  wait: true,
  historyMax: 10,
  onFailure: 'stop',
  reuseValues: 'none',
  timeoutSeconds: 60,
  withCrds: true,
  withHooks: true,
}
