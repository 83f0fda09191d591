import { DeployError } from '../model/errors.ts'
import type { History, StoredRevision } from '../model/release.ts'
import { lastDeployed, newest, pendingOf } from './history.ts'
import { asInterrupted, underwayHolder } from './transitions.ts'
import { type RecordPorts, supersedeOthers, updateRevision } from './writer.ts'

/**
 * How old the newest pending record of a tool that takes no Lease (`helm`) must be before its run counts as dead, in ms.
 * Helm renews nothing while it works, so this is far above its own timeout (5 min) and any skew between two clocks.
 */
const FOREIGN_PENDING_LIMIT_MS = 3_600_000

/**
 * Repairs the history that a killed run left behind, under the lock and before anything else is written: pending
 * revisions become failed, of several deployed ones the newest stays. Gives the history afterwards.
 * Throws DeployError `locked` where the newest revision is pending and may belong to a `helm` that still works.
 */
export async function repairHistory(ports: RecordPorts, history: History, holder: string): Promise<History> {
  const foreign = foreignPending(history, ports.clock.now())
  if (foreign !== undefined) throw pendingElsewhere(foreign)
  const marked = await markStalePending(ports, history, holder)
  const superseded = await supersedeOthers(ports, history)
  const changed = new Map([...marked, ...superseded].map((stored) => [stored.secretName, stored]))
  return { ...history, revisions: history.revisions.map((stored) => changed.get(stored.secretName) ?? stored) }
}

/** Marks all pending revisions failed, naming the run that was interrupted, and gives them. */
export async function markStalePending(
  ports: RecordPorts,
  history: History,
  holder: string,
): Promise<readonly StoredRevision[]> {
  const marked: StoredRevision[] = []
  for (const pending of pendingOf(history)) {
    marked.push(await updateRevision(ports, pending, asInterrupted(pending.record, holder)))
  }
  return marked
}

/**
 * The newest revision, where it is pending, was not written by a run of ours (which would hold the Lease) and is not old
 * enough to count as dead. A pending revision below a newer one is over: somebody has deployed since.
 */
export function foreignPending(history: History, nowMs: number): StoredRevision | undefined {
  const last = newest(history)
  if (last === undefined || !pendingOf(history).includes(last)) return undefined
  if (underwayHolder(last.record) !== undefined) return undefined
  const begunMs = Date.parse(last.record.info.last_deployed ?? '')
  return Number.isNaN(begunMs) || nowMs - begunMs > FOREIGN_PENDING_LIMIT_MS ? undefined : last
}

/** Whether the history needs `repairHistory` to write anything. */
export function needsRepair(history: History): boolean {
  const current = lastDeployed(history)
  const isSecondDeployed = ({ record }: StoredRevision): boolean =>
    record.info.status === 'deployed' && record.version !== current?.record.version
  return pendingOf(history).length > 0 || history.revisions.some(isSecondDeployed)
}

function pendingElsewhere({ record }: StoredRevision): DeployError {
  return new DeployError({
    reason: 'locked',
    doing: `take over revision ${record.version} of ${record.name}`,
    message:
      `it is ${record.info.status} since ${record.info.last_deployed ?? 'an unknown time'} ` +
      `(${record.info.description ?? 'without a description'}); another tool may still be working on it`,
    hint: { kind: 'wait-for-helm', release: record.name },
  })
}
