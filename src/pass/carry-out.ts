import { onceAborted } from '../concurrency/once-aborted.ts'
import { execute } from '../execute/execute.ts'
import type { HookRunResult } from '../execute/execution.ts'
import { defined } from '../model/defined.ts'
import { messageOf } from '../model/errors.ts'
import type { KubeObject } from '../model/object.ts'
import type { Failure, Outcome } from '../model/outcome.ts'
import type { History, ReleaseRecord, StoredRevision } from '../model/release.ts'
import type { Planned } from '../plan/make-plan.ts'
import type { Clock, Emit, Secrets } from '../ports.ts'
import type { KnownRecord } from '../record/known-record.ts'
import { needsRepair, repairHistory } from '../record/repair.ts'
import { withHookRun } from '../record/transitions.ts'
import type { RecordPorts } from '../record/writer.ts'
import type { RecordSteps } from './intent.ts'
import { finishWrites, type Stop } from './last-writes.ts'
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
  readonly stop: Stop
  /** What later passes of this run may take from the record. */
  readonly onRecord: (known: KnownRecord) => void
  /** The record says of a revision that it is under way, and it is not. */
  readonly onUnrecorded: () => void
}

/** Begins the record, runs the stages, ends the record (docs/decisions/0007). */
export async function carryOut(input: CarryOutInput): Promise<Outcome> {
  const { clock, emit, held, planned, namespace, holder, steps } = input
  const { plan } = planned
  const record = <T>(write: (ports: RecordPorts) => Promise<T>): Promise<T> =>
    finishWrites(
      (over) => write({ cluster: held.cluster, clock, emit, namespace, signal: AbortSignal.any([held.lost, over]) }),
      { clock, stop: input.stop },
    )
  const history = needsRepair(input.history)
    ? await record((ports) => repairHistory(ports, input.history, holder))
    : input.history
  const begun = await record((ports) => steps.begin(ports, plan, history))
  input.onRecord({ history, ...defined({ written: begun }) })

  const { failure, hookRuns } = await execute({
    plan,
    payloads: planned.payloads,
    live: input.live,
    forceConflicts: input.forceConflicts,
    cluster: held.cluster,
    clock,
    emit,
    signal: AbortSignal.any([input.stop.signal, held.lost]),
    abandon: abandonSignal(input.stop, held.lost),
  })
  if (begun === undefined) return failure === undefined ? { status: 'no-changes' } : failedOutcome(failure)

  const ended = { ...begun, record: withHookRuns(begun.record, hookRuns) }
  if (failure === undefined) {
    await record((ports) => steps.succeed(ports, ended, history))
    return { status: steps.status }
  }
  await recordFailure(input, ended, failure, record)
  return failedOutcome(failure)
}

/**
 * A record that cannot be written is a warning, so that it does not hide why the run failed: the post step or the next run
 * marks the pending revision.
 */
async function recordFailure(
  { clock, emit, secrets, steps, onUnrecorded }: CarryOutInput,
  begun: StoredRevision,
  failure: Failure,
  record: (write: (ports: RecordPorts) => Promise<void>) => Promise<void>,
): Promise<void> {
  const message = secrets.redact(`${failure.doing}: ${failure.message}`)
  try {
    await record((ports) => steps.fail(ports, begun, message))
  } catch (error) {
    onUnrecorded()
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

/** Fires when everything must stop at once; after a timeout, evidence is still gathered until the run is cancelled. */
function abandonSignal({ signal, cancelled }: Stop, lost: AbortSignal): AbortSignal {
  const abandon = new AbortController()
  onceAborted(signal, () => {
    if (signal.reason !== 'timeout') abandon.abort(signal.reason)
  })
  return AbortSignal.any([abandon.signal, cancelled, lost])
}
