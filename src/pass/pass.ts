import { ProblemsError } from '../model/errors.ts'
import type { Event } from '../model/event.ts'
import { stringAt } from '../model/object.ts'
import type { Outcome } from '../model/outcome.ts'
import type { PassResult } from '../model/pass.ts'
import type { Plan } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import type { History, ReleaseRecord, ReleaseSpec } from '../model/release.ts'
import type { ChartInfo } from '../model/rendered.ts'
import type { Secrets } from '../model/secrets.ts'
import { observe } from '../observe/observe.ts'
import { makePlan, type Planned } from '../plan/plan.ts'
import type { Clock, Cluster, Emit, Renderer } from '../ports.ts'
import { deployVerb, newest, nextRevision, readHistory } from '../record/history.ts'
import { deploy } from './deploy.ts'
import { desiredOf } from './desired.ts'
import { outcomeOf } from './failure.ts'
import { type HeldRelease, holdRelease } from './hold.ts'
import { createNamespace, namespaceExists } from './namespace.ts'
import { previousOf } from './previous.ts'
import { isSameAsDeployed } from './same.ts'
import { learnSecrets } from './secret-values.ts'

export interface PassRequest {
  readonly command: 'plan' | 'deploy'
  readonly spec: ReleaseSpec
  readonly createNamespace: boolean
  readonly takeOwnership: boolean
  readonly forceConflicts: boolean
  /** Identity in the lock: the run's URL. */
  readonly holder: string
  /** Fires with a StopReason. */
  readonly signal: AbortSignal
  /** Shows the plan before anything is written. */
  readonly onPlan: (plan: Plan) => void
  /** `soFar`: the pass with all events up to this one. */
  readonly onEvent: (event: Event, soFar: () => PassResult) => void
  /** The lock is held: what the post step needs to free it, should this process die. */
  readonly onHeld: (held: { readonly release: string; readonly namespace: string; readonly claim: string }) => void
}

export interface PassPorts {
  readonly cluster: Cluster
  readonly renderer: Renderer
  readonly clock: Clock
  readonly secrets: Secrets
}

/** Grows while the pass goes on, so that a failed one reports all that it knows. */
interface Progress {
  doing: string
  namespace: string
  problems: readonly Problem[]
  planned?: Planned
  chart?: ChartInfo
  previousChart?: ChartInfo
  previousRevision?: number
  notes?: string
}

/**
 * One release through the flow with one verb. Never throws: whatever goes wrong is the outcome. Nothing is written before
 * the plan is shown and free of errors.
 */
export async function runPass(request: PassRequest, ports: PassPorts): Promise<PassResult> {
  const startedAtMs = ports.clock.now()
  const events: Event[] = []
  const namespace = request.spec.namespace ?? ports.cluster.defaultNamespace
  const progress: Progress = { doing: 'reach the cluster', namespace, problems: [] }
  const result = (outcome: Outcome): PassResult => {
    const { planned, doing: _doing, ...known } = progress
    return {
      command: request.command,
      release: request.spec.release,
      ...(planned === undefined ? {} : { plan: planned.plan }),
      ...known,
      events: [...events],
      outcome,
      startedAtMs,
      finishedAtMs: ports.clock.now(),
      requests: ports.cluster.requestCount(),
    }
  }
  const emit = (event: Event) => {
    events.push(event)
    request.onEvent(event, () => result(event.type === 'finished' ? event.outcome : { status: 'running' }))
  }
  const outcome = await go(request, ports, progress, emit)
  emit({ type: 'finished', atMs: ports.clock.now(), outcome })
  return result(outcome)
}

async function go(request: PassRequest, ports: PassPorts, progress: Progress, emit: Emit): Promise<Outcome> {
  let held: HeldRelease | undefined
  try {
    const place = { release: request.spec.release, namespace: progress.namespace }
    const [version, discovery, isThere] = await Promise.all([
      ports.cluster.version(request.signal),
      ports.cluster.discovery({ signal: request.signal }),
      namespaceExists(ports.cluster, progress.namespace, request.signal),
    ])
    if (request.command === 'deploy' && isThere) {
      progress.doing = 'lock the release'
      held = await holdRelease({ ...place, holder: request.holder, emit, signal: request.signal }, ports)
      request.onHeld({ ...place, claim: held.claim })
    }
    const signal = held === undefined ? request.signal : AbortSignal.any([request.signal, held.lost])

    progress.doing = 'read the release record'
    const history = isThere
      ? await readHistory(ports.cluster, place.release, place.namespace, signal)
      : { revisions: [], unreadable: [] }
    noteHistory(progress, history)
    const verb = deployVerb(history)
    const revision = nextRevision(history)

    progress.doing = 'render the chart'
    const desired = await desiredOf(request.spec, {
      ...ports,
      reader: ports.cluster,
      namespace: place.namespace,
      revision,
      isUpgrade: verb === 'upgrade',
      discovery,
      version,
      signal,
    })
    progress.chart = desired.rendered.chart
    progress.notes = desired.rendered.notes
    progress.problems = desired.problems
    stopOnErrors(desired.problems)

    progress.doing = 'compare the release with the cluster'
    const previous = await previousOf(history, { renderer: ports.renderer, discovery, namespace: place.namespace })
    const last = newest(history)?.record
    const observed = await observe({
      ...place,
      reader: ports.cluster,
      discovery,
      verb,
      desired: desired.resources,
      previous,
      previousIsServerSide: last?.info.status === 'deployed' && last.apply_method === 'ssa',
      force: request.forceConflicts,
      signal,
    })
    learnSecrets(observed.live.values(), ports.secrets)
    const planned = makePlan({
      ...place,
      verb,
      revision,
      desired: desired.resources,
      previous,
      observed,
      served: discovery.kinds,
      options: {
        wait: true,
        prune: true,
        takeOwnership: request.takeOwnership,
        createNamespace: request.createNamespace,
      },
      isSameAsDeployed: isSameAsDeployed(last, desired.rendered),
      problems: desired.problems,
    })
    progress.planned = planned
    progress.problems = planned.plan.problems
    progress.doing = 'show the plan'
    request.onPlan(planned.plan)
    stopOnErrors(planned.plan.problems)
    if (request.command === 'plan') return { status: 'planned' }

    if (held === undefined) {
      progress.doing = 'create the namespace'
      await createNamespace(place.namespace, ports, { emit, signal })
      held = await holdRelease({ ...place, holder: request.holder, emit, signal }, ports)
      request.onHeld({ ...place, claim: held.claim })
    }
    progress.doing = 'deploy the release'
    return await deploy({
      ...place,
      ...ports,
      holder: request.holder,
      planned,
      live: observed.live,
      rendered: desired.rendered,
      history,
      held,
      forceConflicts: request.forceConflicts,
      emit,
      signal: request.signal,
    })
  } catch (error) {
    return outcomeOf(error, progress.doing, request.signal)
  } finally {
    await held?.release()
  }
}

function noteHistory(progress: Progress, history: History): void {
  const last = newest(history)?.record
  if (last === undefined) return
  progress.previousRevision = last.version
  const chart = chartOf(last)
  if (chart !== undefined) progress.previousChart = chart
}

function chartOf(record: ReleaseRecord): ChartInfo | undefined {
  const name = stringAt(record.chart, 'metadata', 'name')
  const version = stringAt(record.chart, 'metadata', 'version')
  const appVersion = stringAt(record.chart, 'metadata', 'appVersion')
  if (name === undefined || version === undefined) return undefined
  return appVersion === undefined ? { name, version } : { name, version, appVersion }
}

function stopOnErrors(problems: readonly Problem[]): void {
  if (problems.some(({ severity }) => severity === 'error')) throw new ProblemsError(problems)
}
