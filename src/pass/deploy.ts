import { execute } from '../execute/execute.ts'
import type { HookRunResult } from '../execute/execution.ts'
import { messageOf } from '../model/errors.ts'
import type { KubeObject } from '../model/object.ts'
import type { Failure, Outcome } from '../model/outcome.ts'
import type { History, ReleaseRecord, StoredRevision } from '../model/release.ts'
import type { Rendered } from '../model/rendered.ts'
import type { Secrets } from '../model/secrets.ts'
import type { Planned } from '../plan/plan.ts'
import type { Clock, Emit } from '../ports.ts'
import { draftDeploy } from '../record/new-record.ts'
import { needsRepair, repairHistory } from '../record/repair.ts'
import { withHookRun } from '../record/transitions.ts'
import { createRevision, finishDeployed, finishFailed, type RecordPorts } from '../record/writer.ts'
import type { HeldRelease } from './hold.ts'
import { lastly } from './hurry.ts'

/** How many revisions are kept, as Helm does by default. */
const HISTORY_MAX = 10

export interface DeployInput {
  readonly release: string
  readonly namespace: string
  readonly holder: string
  readonly planned: Planned
  readonly live: ReadonlyMap<string, KubeObject>
  readonly rendered: Rendered
  readonly history: History
  readonly held: HeldRelease
  readonly forceConflicts: boolean
  readonly clock: Clock
  readonly secrets: Secrets
  readonly emit: Emit
  /** Ends the run, with a StopReason. */
  readonly signal: AbortSignal
}

/** Pending revision, the stages, the revision's end (design 4.7). */
export async function deploy(input: DeployInput): Promise<Outcome> {
  const { clock, emit, held, planned, namespace, holder } = input
  const { plan } = planned
  const ports: RecordPorts = { cluster: held.cluster, clock, emit, namespace, signal: held.lost }
  const history = needsRepair(input.history) ? await repairHistory(ports, input.history, holder) : input.history
  const pending = plan.writesRevision ? await createPending(input, ports, history) : undefined

  const { failure, hookRuns } = await execute({
    plan,
    bodies: planned.bodies,
    migrates: planned.migrates,
    live: input.live,
    forceConflicts: input.forceConflicts,
    cluster: held.cluster,
    clock,
    emit,
    signal: AbortSignal.any([input.signal, held.lost]),
    abandon: abandonOf(input.signal, held.lost),
  })
  if (pending === undefined) return failure === undefined ? { status: 'no-changes' } : failed(failure)

  const ended = { ...pending, record: withHookRuns(pending.record, hookRuns) }
  if (failure === undefined) {
    await finishDeployed(ports, ended, history)
    return { status: 'deployed' }
  }
  await recordFailure(input, ports, ended, failure)
  return failed(failure)
}

async function createPending(input: DeployInput, ports: RecordPorts, history: History): Promise<StoredRevision> {
  const { verb } = input.planned.plan
  if (verb !== 'install' && verb !== 'upgrade') throw new Error(`a deploy has no verb ${verb}`)
  const draft = draftDeploy(history, {
    verb,
    release: input.release,
    namespace: input.namespace,
    parts: input.rendered.record,
    notes: input.rendered.notes,
    holder: input.holder,
    nowMs: input.clock.now(),
  })
  return createRevision(ports, draft, { history, historyMax: HISTORY_MAX })
}

/**
 * That the record could not be written must not hide why the run failed: it is told, and the next run finds the pending
 * revision and marks it.
 */
async function recordFailure(input: DeployInput, ports: RecordPorts, pending: StoredRevision, failure: Failure) {
  const { clock, emit, secrets, held } = input
  const message = secrets.redact(`${failure.doing}: ${failure.message}`)
  try {
    await lastly(
      (hurry) =>
        finishFailed(
          { ...ports, signal: AbortSignal.any([held.lost, ...(hurry === undefined ? [] : [hurry])]) },
          pending,
          message,
        ),
      { clock, runSignal: input.signal },
    )
  } catch (error) {
    const revision = pending.record.version
    const message = `revision ${revision} could not be marked failed: ${messageOf(error)}; the next run does it`
    emit({ type: 'warning', atMs: clock.now(), message })
  }
}

function withHookRuns(record: ReleaseRecord, runs: readonly HookRunResult[]): ReleaseRecord {
  return runs.reduce(
    (result, { ref, event, ...times }) => withHookRun(result, { kind: ref.kind, name: ref.name, event }, times),
    record,
  )
}

function failed(failure: Failure): Outcome {
  return { status: failure.reason === 'cancelled' ? 'cancelled' : 'failed', failure }
}

/** Fires when nothing more may be done at all; after a timeout evidence is still gathered. */
function abandonOf(signal: AbortSignal, lost: AbortSignal): AbortSignal {
  const abandon = new AbortController()
  const onStop = () => {
    if (signal.reason !== 'timeout') abandon.abort(signal.reason)
  }
  if (signal.aborted) onStop()
  else signal.addEventListener('abort', onStop, { once: true })
  return AbortSignal.any([abandon.signal, lost])
}
