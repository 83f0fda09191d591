import { isApiError, ProblemsError } from '../model/errors.ts'
import type { Event } from '../model/event.ts'
import type { Outcome } from '../model/outcome.ts'
import type { PassResult } from '../model/pass.ts'
import type { Plan } from '../model/plan.ts'
import type { Problem } from '../model/problem.ts'
import { rowOf } from '../model/verb.ts'
import type { Emit } from '../ports.ts'
import { type ApprovalCheck, assertApproved } from './assert-approved.ts'
import { carryOut } from './carry-out.ts'
import { outcomeOf } from './failed-outcome.ts'
import type { PassPorts } from './intent.ts'
import { createNamespace } from './namespace.ts'
import { lookAround, type PrepareRequest, prepare } from './prepare.ts'
import { type Progress, resultOf, startProgress } from './progress.ts'
import type { Provided } from './provided.ts'
import { type HeldRelease, holdRelease } from './release-lock.ts'

export interface PassRequest extends PrepareRequest {
  /** Stops after the plan: no lock, no write. */
  readonly isPlanOnly: boolean
  /** What the plan must not go beyond. */
  readonly approval?: ApprovalCheck
  /** Fires with a StopReason. */
  readonly signal: AbortSignal
  /** Shows the plan before anything is written. */
  readonly onPlan: (plan: Plan) => void
  /** `soFar`: the pass with all events up to this one. */
  readonly onEvent: (event: Event, soFar: () => PassResult) => void
  /** The lock is held: what the post step needs to free it, should this process die. */
  readonly onHeld: (held: { readonly release: string; readonly namespace: string; readonly claim: string }) => void
}

/**
 * One release through the flow with one verb. Never throws: whatever goes wrong is the outcome. Nothing is written before
 * the plan is shown, free of errors and approved.
 */
export async function runPass(
  request: PassRequest,
  ports: PassPorts,
): Promise<{ readonly result: PassResult; readonly provided: Provided }> {
  const startedAtMs = ports.clock.now()
  const requestsBefore = ports.cluster.requestCount()
  const events: Event[] = []
  const progress = startProgress(request.spec.namespace ?? ports.cluster.defaultNamespace)
  const resultWith = (outcome: Outcome): PassResult =>
    resultOf(progress, {
      command: request.isPlanOnly ? 'plan' : request.task.kind,
      release: request.spec.release,
      events,
      outcome,
      startedAtMs,
      finishedAtMs: ports.clock.now(),
      requests: ports.cluster.requestCount() - requestsBefore,
    })
  const emit = (event: Event) => {
    events.push(event)
    request.onEvent(event, () => resultWith(event.type === 'finished' ? event.outcome : { status: 'running' }))
  }
  const outcome = await go(request, ports, progress, emit)
  emit({ type: 'finished', atMs: ports.clock.now(), outcome })
  return { result: resultWith(outcome), provided: progress.provided }
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
    const around = await lookAround(cluster, place.namespace, request.signal)
    const isWriting = !request.isPlanOnly
    const forbidden: { lock?: unknown } = {}
    // The plan tells all that the account may not do, not the lock alone.
    const noteForbidden = (error: unknown): undefined => {
      if (!isApiError(error, 'Forbidden')) throw error
      forbidden.lock = error
    }
    const first = isWriting && around.hasNamespace ? await hold().catch(noteForbidden) : undefined
    const signal = first === undefined ? request.signal : AbortSignal.any([request.signal, first.lost])

    const prepared = await prepare(request, around, { ports, progress, signal })
    const { history, planInput, planned, intent } = prepared
    request.onPlan(planned.plan)
    stopOnErrors(planned.plan.problems)
    if (forbidden.lock !== undefined) throw forbidden.lock
    if (request.approval !== undefined) assertApproved(request.approval, prepared, progress)
    if (!isWriting) return { status: 'planned' }

    if (!around.hasNamespace) {
      if (rowOf(intent.verb).removes === true) return { status: 'no-changes' }
      progress.doing = 'create the namespace'
      await createNamespace(place.namespace, ports, { emit, signal })
    }
    const holding = first ?? (await hold())
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
      signal: request.signal,
    })
  } catch (error) {
    return outcomeOf(error, progress.doing, request.signal)
  } finally {
    await held?.release()
  }
}

function stopOnErrors(problems: readonly Problem[]): void {
  if (problems.some(({ severity }) => severity === 'error')) throw new ProblemsError(problems)
}
