import { ProblemsError } from '../model/errors.ts'
import type { Event } from '../model/event.ts'
import type { Outcome } from '../model/outcome.ts'
import type { PassResult } from '../model/pass.ts'
import type { Plan, Untouched } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import type { History, ReleaseOptions, ReleaseSpec } from '../model/release.ts'
import type { ChartInfo } from '../model/rendered.ts'
import { unreachable } from '../model/unreachable.ts'
import { observe } from '../observe/observe.ts'
import { makePlan, type Planned } from '../plan/plan.ts'
import type { Emit } from '../ports.ts'
import { newest, readHistory } from '../record/history.ts'
import { type Brings, bringsOf, noBrings } from './brings.ts'
import { carryOut } from './carry-out.ts'
import { deployUndertaking } from './deploy.ts'
import { outcomeOf } from './failure.ts'
import { type HeldRelease, holdRelease } from './hold.ts'
import { createNamespace, namespaceExists } from './namespace.ts'
import { chartOf } from './recorded.ts'
import { rollbackUndertaking } from './rollback.ts'
import { learnSecrets } from './secret-values.ts'
import { type TestFilter, testUndertaking } from './test-release.ts'
import type { PassPorts, Setting, Undertaking } from './undertaking.ts'
import { uninstallUndertaking } from './uninstall.ts'

/** What is done with the release. */
export type Task =
  | { readonly kind: 'deploy' }
  | { readonly kind: 'rollback'; readonly revision?: number }
  | { readonly kind: 'uninstall'; readonly keepHistory: boolean }
  | { readonly kind: 'test'; readonly filter: TestFilter }

export interface PassRequest {
  readonly task: Task
  /** Stops after the plan: no lock, no write. */
  readonly isPlanOnly: boolean
  readonly spec: ReleaseSpec
  readonly options: ReleaseOptions
  readonly prune: boolean
  /** Of a release that is one of a list: the id of the list. */
  readonly bundle?: string
  /** Documents of the inputs that are no part of any release; listed in this plan. */
  readonly leftOut: readonly Untouched[]
  /** What earlier releases of the run will serve. */
  readonly coming: Brings
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
  brings: Brings
}

/**
 * One release through the flow with one verb. Never throws: whatever goes wrong is the outcome. Nothing is written before
 * the plan is shown and free of errors.
 */
export async function runPass(
  request: PassRequest,
  ports: PassPorts,
): Promise<{ readonly result: PassResult; readonly brings: Brings }> {
  const startedAtMs = ports.clock.now()
  const requestsBefore = ports.cluster.requestCount()
  const events: Event[] = []
  const namespace = request.spec.namespace ?? ports.cluster.defaultNamespace
  const progress: Progress = { doing: 'reach the cluster', namespace, problems: [], brings: noBrings }
  const resultOf = (outcome: Outcome): PassResult => {
    const { planned, doing: _doing, brings: _brings, ...known } = progress
    return {
      command: request.isPlanOnly ? 'plan' : request.task.kind,
      release: request.spec.release,
      ...(planned === undefined ? {} : { plan: planned.plan }),
      ...known,
      events: [...events],
      outcome,
      startedAtMs,
      finishedAtMs: ports.clock.now(),
      requests: ports.cluster.requestCount() - requestsBefore,
    }
  }
  const emit = (event: Event) => {
    events.push(event)
    request.onEvent(event, () => resultOf(event.type === 'finished' ? event.outcome : { status: 'running' }))
  }
  const outcome = await go(request, ports, progress, emit)
  emit({ type: 'finished', atMs: ports.clock.now(), outcome })
  return { result: resultOf(outcome), brings: progress.brings }
}

async function go(request: PassRequest, ports: PassPorts, progress: Progress, emit: Emit): Promise<Outcome> {
  const { cluster } = ports
  const place = { release: request.spec.release, namespace: progress.namespace }
  let held: HeldRelease | undefined
  const hold = async () => {
    progress.doing = 'lock the release'
    held = await holdRelease({ ...place, holder: request.holder, emit, signal: request.signal }, ports)
    request.onHeld({ ...place, claim: held.claim })
    return held
  }
  try {
    const [version, discovery, isThere] = await Promise.all([
      cluster.version(request.signal),
      cluster.discovery({ signal: request.signal }),
      namespaceExists(cluster, place.namespace, request.signal),
    ])
    const isWriting = !request.isPlanOnly
    const first = isWriting && isThere ? await hold() : undefined
    const signal = first === undefined ? request.signal : AbortSignal.any([request.signal, first.lost])

    progress.doing = 'read the release record'
    const history = isThere
      ? await readHistory(cluster, place.release, place.namespace, signal)
      : { revisions: [], unreadable: [] }
    noteHistory(progress, history)

    progress.doing = request.task.kind === 'deploy' ? 'render the chart' : 'read the release record'
    const undertaking = await undertake(request.task, {
      ...place,
      spec: request.spec,
      history,
      version,
      discovery,
      comingApiVersions: request.coming.apiVersions,
      holder: request.holder,
      options: request.options,
      ...(request.bundle === undefined ? {} : { bundle: request.bundle }),
      ports,
      signal,
    })
    noteUndertaking(progress, undertaking)

    progress.doing = 'compare the release with the cluster'
    const last = newest(history)?.record
    const { verb, revision, desired, previous, isSameAsDeployed, problems } = undertaking
    const observed = await observe({
      ...place,
      reader: cluster,
      discovery,
      verb,
      desired,
      previous,
      previousIsServerSide: last?.info.status === 'deployed' && last.apply_method === 'ssa',
      force: request.options.forceConflicts,
      signal,
    })
    learnSecrets(observed.live.values(), ports.secrets)
    const planned = makePlan({
      ...place,
      verb,
      revision,
      desired,
      previous,
      observed,
      served: discovery.kinds,
      comingKinds: request.coming.kinds,
      options: { ...request.options, prune: request.prune },
      leftOut: request.leftOut,
      isSameAsDeployed,
      problems,
    })
    progress.planned = planned
    progress.problems = planned.plan.problems
    progress.doing = 'plan'
    request.onPlan(planned.plan)
    stopOnErrors(planned.plan.problems)
    if (!isWriting) return { status: 'planned' }

    if (!isThere) {
      if (verb === 'uninstall') return { status: 'no-changes' }
      progress.doing = 'create the namespace'
      await createNamespace(place.namespace, ports, { emit, signal })
    }
    const holding = first ?? (await hold())
    progress.doing = `${verb} the release`
    return await carryOut({
      ...place,
      ...ports,
      holder: request.holder,
      planned,
      steps: undertaking.record,
      live: observed.live,
      history,
      held: holding,
      forceConflicts: request.options.forceConflicts,
      emit,
      signal: request.signal,
    })
  } catch (error) {
    return outcomeOf(error, progress.doing, request.signal)
  } finally {
    await held?.release()
  }
}

function undertake(task: Task, setting: Setting): Promise<Undertaking> {
  switch (task.kind) {
    case 'deploy':
      return deployUndertaking(setting)
    case 'rollback':
      return rollbackUndertaking(setting, task.revision)
    case 'uninstall':
      return uninstallUndertaking(setting, task.keepHistory)
    case 'test':
      return testUndertaking(setting, task.filter)
    default:
      return unreachable(task)
  }
}

function noteHistory(progress: Progress, history: History): void {
  const last = newest(history)?.record
  if (last === undefined) return
  progress.previousRevision = last.version
  const chart = chartOf(last)
  if (chart !== undefined) progress.previousChart = chart
}

function noteUndertaking(progress: Progress, { chart, notes, problems, desired }: Undertaking): void {
  if (chart !== undefined) progress.chart = chart
  if (notes !== undefined) progress.notes = notes
  progress.problems = problems
  progress.brings = bringsOf(desired)
}

function stopOnErrors(problems: readonly Problem[]): void {
  if (problems.some(({ severity }) => severity === 'error')) throw new ProblemsError(problems)
}
