import { execute } from '../execute/execute.ts'
import type { HookRunResult } from '../execute/execution.ts'
import { messageOf } from '../model/errors.ts'
import type { KubeObject } from '../model/object.ts'
import type { Failure, Outcome } from '../model/outcome.ts'
import type { History, ReleaseRecord, StoredRevision } from '../model/release.ts'
import type { Planned } from '../plan/make-plan.ts'
import type { Clock, Emit, Secrets } from '../ports.ts'
import { needsRepair, repairHistory } from '../record/repair.ts'
import { withHookRun } from '../record/transitions.ts'
import type { RecordPorts } from '../record/writer.ts'
import type { RecordSteps } from './intent.ts'
import { finishWrites } from './last-writes.ts'
import type { HeldRelease } from './release-lock.ts'

export interface CarryOutInput {
  readonly namespace: string
  readonly holder: string
  readonly planned: Planned
  readonly steps: RecordSteps
  readonly live: ReadonlyMap<string, KubeObject>
  readonly history: History
  readonly held: HeldRelease
  readonly forceConflicts: boolean
  readonly clock: Clock
  readonly secrets: Secrets
  readonly emit: Emit
  /** Ends the run, with a StopReason. */
  readonly signal: AbortSignal
}

/** Begins the record, runs the stages, ends the record (docs/decisions/0007). */
export async function carryOut(input: CarryOutInput): Promise<Outcome> {
  const { clock, emit, held, planned, namespace, holder, steps } = input
  const { plan } = planned
  const ports: RecordPorts = { cluster: held.cluster, clock, emit, namespace, signal: held.lost }
  const history = needsRepair(input.history) ? await repairHistory(ports, input.history, holder) : input.history
  const begun = await steps.begin(ports, plan, history)

  const { failure, hookRuns } = await execute({
    plan,
    payloads: planned.payloads,
    live: input.live,
    forceConflicts: input.forceConflicts,
    cluster: held.cluster,
    clock,
    emit,
    signal: AbortSignal.any([input.signal, held.lost]),
    abandon: abandonSignal(input.signal, held.lost),
  })
  if (begun === undefined) return failure === undefined ? { status: 'no-changes' } : failedOutcome(failure)

  const ended = { ...begun, record: withHookRuns(begun.record, hookRuns) }
  if (failure === undefined) {
    await steps.succeed(ports, ended, history)
    return { status: steps.status }
  }
  await recordFailure(input, ports, ended, failure)
  return failedOutcome(failure)
}

/**
 * A record that cannot be written is a warning, so that it does not hide why the run failed: the next run marks the
 * pending revision.
 */
async function recordFailure(input: CarryOutInput, ports: RecordPorts, begun: StoredRevision, failure: Failure) {
  const { clock, emit, secrets, held, steps } = input
  const message = secrets.redact(`${failure.doing}: ${failure.message}`)
  try {
    await finishWrites(
      (deadline) => {
        const signal = deadline === undefined ? held.lost : AbortSignal.any([held.lost, deadline])
        return steps.fail({ ...ports, signal }, begun, message)
      },
      { clock, runSignal: input.signal },
    )
  } catch (error) {
    const what = `revision ${begun.record.version} could not be marked failed: ${messageOf(error)}; the next run does it`
    emit({ type: 'warning', atMs: clock.now(), message: what })
  }
}

function withHookRuns(record: ReleaseRecord, runs: readonly HookRunResult[]): ReleaseRecord {
  return runs.reduce(
    (result, { ref, event, ...times }) => withHookRun(result, { kind: ref.kind, name: ref.name, event }, times),
    record,
  )
}

function failedOutcome(failure: Failure): Outcome {
  return { status: failure.reason === 'cancelled' ? 'cancelled' : 'failed', failure }
}

/** Fires when everything must stop at once; after a timeout, evidence is still gathered. */
function abandonSignal(signal: AbortSignal, lost: AbortSignal): AbortSignal {
  const abandon = new AbortController()
  const onStop = () => {
    if (signal.reason !== 'timeout') abandon.abort(signal.reason)
  }
  if (signal.aborted) onStop()
  else signal.addEventListener('abort', onStop, { once: true })
  return AbortSignal.any([abandon.signal, lost])
}
