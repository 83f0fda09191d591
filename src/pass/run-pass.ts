import { defined } from '../model/defined.ts'
import { isApiError, ProblemsError } from '../model/errors.ts'
import type { Event } from '../model/event.ts'
import type { Outcome } from '../model/outcome.ts'
import type { PassResult } from '../model/pass.ts'
import type { ApprovedPlan, Plan } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import type { Ref } from '../model/ref.ts'
import { rowOf } from '../model/verb.ts'
import type { Cluster, Emit } from '../ports.ts'
import type { KnownRecord } from '../record/known-record.ts'
import { assertApproved } from './assert-approved.ts'
import { carryOut } from './carry-out.ts'
import { outcomeOfError } from './failed-outcome.ts'
import type { Stop } from './last-writes.ts'
import { createNamespace } from './namespace.ts'
import { type PrepareRequest, prepare } from './prepare.ts'
import { type Progress, passResultOf, startProgress } from './progress.ts'
import type { Provided } from './provided.ts'
import { type HeldRelease, holdRelease, type SavedLock } from './release-lock.ts'
import type { PassPorts } from './setting.ts'
import type { World } from './world.ts'

export interface PassRequest extends PrepareRequest {
  /** Stops after the plan: no lock, no write. So does every pass in a world without a cluster. */
  readonly isPlanOnly: boolean
  /** The plan may do nothing else. */
  readonly approval: ApprovedPlan | undefined
  /** Releases that this run has deployed before this one. */
  readonly deployedEarlier?: readonly string[]
  readonly stop: Stop
  /** How long a living holder of the lock is waited for, in ms. */
  readonly lockWaitMs: number
  /** Shows the plan before anything is written. */
  readonly onPlan: (plan: Plan) => void
  /** `soFar`: the pass with all events up to this one. */
  readonly onEvent: (event: Event, soFar: () => PassResult) => void
  /** The lock is held; gives what the post step needs to release it if this process dies. */
  readonly onHeld: (held: SavedLock) => void
  /** The lock is free again and the record complete: nothing is left to the post step. */
  readonly onFreed: (held: SavedLock) => void
}

export interface EndedPass {
  readonly result: PassResult
  readonly provided: Provided
  /** Absent where the pass has written nothing. */
  readonly record?: KnownRecord
  /** What others had, and its plan makes the release's own. */
  readonly adopted: readonly Ref[]
}

/**
 * One release through the flow with one verb. Never throws: whatever goes wrong is the outcome. Nothing is written before
 * the plan is shown, free of errors and approved.
 */
export async function runPass(request: PassRequest, world: World, ports: PassPorts): Promise<EndedPass> {
  const startedAtMs = ports.clock.now()
  const requestsBefore = world.requestCount()
  const events: Event[] = []
  const progress = startProgress(request.spec.namespace ?? world.defaultNamespace)
  const cluster = request.isPlanOnly ? undefined : world.cluster
  const resultWith = (outcome: Outcome): PassResult =>
    passResultOf(progress, {
      command: cluster === undefined ? 'plan' : request.task.kind,
      release: request.spec.release,
      events,
      outcome,
      startedAtMs,
      finishedAtMs: ports.clock.now(),
      requests: world.requestCount() - requestsBefore,
    })
  const emit = (event: Event) => {
    events.push(event)
    request.onEvent(event, () => resultWith(event.type === 'finished' ? event.outcome : { status: 'running' }))
  }
  const outcome = await planAndCarryOut(request, { world, cluster, ports, progress, emit })
  emit({ type: 'finished', atMs: ports.clock.now(), outcome })
  const { adopted, provided, record } = progress
  return { result: resultWith(outcome), provided, adopted, ...defined({ record }) }
}

interface PassContext {
  readonly world: World
  /** Absent: nothing is carried out. */
  readonly cluster: Cluster | undefined
  readonly ports: PassPorts
  readonly progress: Progress
  readonly emit: Emit
}

async function planAndCarryOut(request: PassRequest, context: PassContext): Promise<Outcome> {
  const { world, cluster, ports, progress, emit } = context
  const place = { release: request.spec.release, namespace: progress.namespace }
  let held: HeldRelease | undefined
  let isRecorded = true
  const lock = async (cluster: Cluster) => {
    progress.doing = 'lock the release'
    const how = { ...place, holder: request.holder, emit, stop: request.stop, waitMs: request.lockWaitMs }
    held = await holdRelease(how, { cluster, clock: ports.clock })
    request.onHeld({ ...place, claim: held.claim })
    return held
  }
  try {
    const [capabilities, hasNamespace] = await Promise.all([
      world.capabilities(request.stop.signal),
      world.hasNamespace(place.namespace, request.stop.signal),
    ])
    const forbidden: { lock?: unknown } = {}
    // The plan lists all rights that the account lacks, not those to the lock alone.
    const noteForbidden = (error: unknown): undefined => {
      if (!isApiError(error, 'Forbidden')) throw error
      forbidden.lock = error
    }
    const first = cluster !== undefined && hasNamespace ? await lock(cluster).catch(noteForbidden) : undefined
    const signal = first === undefined ? request.stop.signal : AbortSignal.any([request.stop.signal, first.lost])

    const prepared = await prepare(request, world, { capabilities, hasNamespace, ports, progress, signal })
    const { history, planInput, planned, intent } = prepared
    request.onPlan(planned.plan)
    stopOnErrors(planned.plan.problems)
    if (forbidden.lock !== undefined) throw forbidden.lock
    if (request.approval !== undefined)
      assertApproved(request.approval, prepared, { progress, deployedEarlier: request.deployedEarlier ?? [] })
    if (cluster === undefined) return { status: 'planned' }

    if (!hasNamespace) {
      if (rowOf(intent.verb).removes === true) return { status: 'no-changes' }
      progress.doing = 'create the namespace'
      await createNamespace(place.namespace, { cluster, clock: ports.clock }, { emit, signal })
    }
    const holding = first ?? (await lock(cluster))
    progress.doing = `${intent.verb} the release`
    return await carryOut({
      ...place,
      ...ports,
      holder: request.holder,
      planned,
      steps: intent.record,
      live: planInput.observed.live,
      history,
      held: holding,
      forceConflicts: request.options.forceConflicts,
      emit,
      stop: request.stop,
      onRecord: (known) => {
        progress.record = known
      },
      onUnrecorded: () => {
        isRecorded = false
      },
    })
  } catch (error) {
    return outcomeOfError(error, progress.doing, {
      signal: request.stop.signal,
      trouble: world.cluster?.trouble(),
    })
  } finally {
    const isFree = await held?.release()
    if (held !== undefined && isFree === true && isRecorded) request.onFreed({ ...place, claim: held.claim })
  }
}

function stopOnErrors(problems: readonly Problem[]): void {
  if (problems.some(({ severity }) => severity === 'error')) throw new ProblemsError(problems)
}
