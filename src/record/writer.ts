import { isDeepStrictEqual } from 'node:util'
import { DeployError, isApiError, messageOf } from '../model/errors.ts'
import type { KubeObject } from '../model/object.ts'
import { refOfObject } from '../model/ref.ts'
import type { History, ReleaseRecord, StoredRevision } from '../model/release.ts'
import type { Clock, Cluster, Emit } from '../ports.ts'
import { decodeRecord, encodeRecord } from './codec.ts'
import { lastDeployed, prunable } from './history.ts'
import type { RevisionDraft } from './new-record.ts'
import { asStored, fromSecret, packedRecord, secretRef, toSecret } from './secret.ts'
import { requireFit } from './size.ts'
import { asDeployed, asFailed, asSuperseded } from './transitions.ts'

/** What every write of a record needs. `cluster` writes under the lock only (`HeldLock.mayWrite`). */
export interface RecordPorts {
  readonly cluster: Cluster
  readonly clock: Clock
  readonly emit: Emit
  readonly namespace: string
  /** Ends every write: the lock's `lost`. Not the run's cancellation, or a cancelled run could not be recorded. */
  readonly signal?: AbortSignal
}

/**
 * Stores a new revision as pending, before the first change of the cluster. Old revisions are pruned first, as Helm does,
 * so that at most `historyMax` remain (0: all). Throws DeployError `rejected` where the record does not fit, `locked`
 * where another client created this revision meanwhile.
 */
export async function createRevision(
  ports: RecordPorts,
  draft: RevisionDraft,
  options: { readonly history: History; readonly historyMax: number },
): Promise<StoredRevision> {
  requireFit(draft.record)
  for (const old of prunable(options.history, options.historyMax)) await prune(ports, old)
  const secret = toSecret(draft.record, secretStamp(ports, draft.labels))
  try {
    return storedRevision(ports, await ports.cluster.create(secret, ports.signal), draft.record)
  } catch (error) {
    if (!isApiError(error, 'AlreadyExists')) throw error
    const live = await ports.cluster.get(refOfObject(secret), ports.signal)
    // The reply to our own request was lost, and the request sent again.
    if (live !== undefined && packedRecord(live) === packedRecord(secret))
      return storedRevision(ports, live, draft.record)
    throw revisionTaken(draft.record, live, error)
  }
}

/**
 * Replaces a stored revision, if it is still the one that was read. Labels that somebody else changed meanwhile are kept;
 * a changed record is never overwritten: DeployError `locked`.
 */
export async function updateRevision(
  ports: RecordPorts,
  before: StoredRevision,
  record: ReleaseRecord,
): Promise<StoredRevision> {
  const { labels, resourceVersion } = before
  const secret = toSecret(record, { ...secretStamp(ports, labels), resourceVersion })
  try {
    return storedRevision(ports, await ports.cluster.replace(secret, ports.signal), record)
  } catch (error) {
    if (!isApiError(error, 'Conflict', 'NotFound')) throw error
    const live = await ports.cluster.get(refOfObject(secret), ports.signal)
    if (live === undefined) throw recordChanged(record, undefined, error)
    if (packedRecord(live) === packedRecord(secret)) return storedRevision(ports, live, record)
    if (!isSameRecord(live, before)) throw recordChanged(record, live, error)
    return replaceRelabelled(ports, record, live)
  }
}

/**
 * Ends a deploy: the new revision becomes deployed first, all older deployed ones superseded after, so that at every
 * moment one of them is deployed (docs/decisions/0007). An old one that cannot be changed is a warning: Helm takes the
 * newest, and the next run repairs it.
 */
export async function finishDeployed(
  ports: RecordPorts,
  pending: StoredRevision,
  history: History,
  description?: string,
): Promise<StoredRevision> {
  const deployed = await updateRevision(ports, pending, asDeployed(pending.record, description))
  await supersedeOthers(ports, history, deployed.record.version)
  return deployed
}

/** Ends a failed deploy. `message` must have been redacted. */
export async function finishFailed(
  ports: RecordPorts,
  pending: StoredRevision,
  message: string,
): Promise<StoredRevision> {
  return updateRevision(ports, pending, asFailed(pending.record, message))
}

/** Marks every deployed revision but `revision` superseded and gives those that were changed. */
export async function supersedeOthers(
  ports: RecordPorts,
  history: History,
  revision = lastDeployed(history)?.record.version,
): Promise<readonly StoredRevision[]> {
  const superseded: StoredRevision[] = []
  for (const old of history.revisions) {
    if (old.record.info.status !== 'deployed' || old.record.version === revision) continue
    try {
      superseded.push(await updateRevision(ports, old, asSuperseded(old.record)))
    } catch (error) {
      emitWarning(ports, old, `revision ${old.record.version} could not be marked superseded: ${messageOf(error)}`)
    }
  }
  return superseded
}

/** Deletes the Secret of one revision. */
export async function removeRevision(ports: RecordPorts, old: StoredRevision): Promise<void> {
  const ref = secretRef(ports.namespace, old.secretName)
  const precondition = old.uid === undefined ? {} : { uid: old.uid }
  await ports.cluster.delete(ref, { propagation: 'Background', ...precondition }, ports.signal)
  ports.emit({ type: 'record', atMs: ports.clock.now(), revision: old.record.version, status: 'removed' })
}

/** An old revision that cannot be deleted is only a warning: nothing is wrong but the length of the history. */
async function prune(ports: RecordPorts, old: StoredRevision): Promise<void> {
  try {
    await removeRevision(ports, old)
  } catch (error) {
    emitWarning(ports, old, `revision ${old.record.version} could not be removed from the history: ${messageOf(error)}`)
  }
}

function secretStamp(ports: RecordPorts, labels: StoredRevision['labels']) {
  return { namespace: ports.namespace, nowMs: ports.clock.now(), labels }
}

/** Replaces a Secret of which only labels or other metadata had changed; a second change of it ends the run. */
async function replaceRelabelled(ports: RecordPorts, record: ReleaseRecord, live: KubeObject): Promise<StoredRevision> {
  const { labels = {}, resourceVersion = '' } = live.metadata
  const secret = toSecret(record, { ...secretStamp(ports, labels), resourceVersion })
  try {
    return storedRevision(ports, await ports.cluster.replace(secret, ports.signal), record)
  } catch (error) {
    throw isApiError(error, 'Conflict', 'NotFound') ? recordChanged(record, live, error) : error
  }
}

function storedRevision(ports: RecordPorts, secret: KubeObject, record: ReleaseRecord): StoredRevision {
  ports.emit({ type: 'record', atMs: ports.clock.now(), revision: record.version, status: record.info.status })
  return asStored(secret, record)
}

/** Whether the live Secret still holds the record that was read; order of keys and compression do not count. */
function isSameRecord(live: KubeObject, before: StoredRevision): boolean {
  try {
    const { record } = fromSecret(live, before.record.name).stored
    return isDeepStrictEqual(record, decodeRecord(encodeRecord(before.record)).record)
  } catch {
    // It is no record any more, so not the same one.
    return false
  }
}

function revisionTaken(record: ReleaseRecord, live: KubeObject | undefined, cause: unknown): DeployError {
  return new DeployError(
    {
      reason: 'locked',
      doing: `create revision ${record.version} of ${record.name}`,
      message: `another client created this revision meanwhile: ${otherWriter(live, record.name)}`,
      hint: { kind: 'revision-taken' },
    },
    { cause },
  )
}

function recordChanged(record: ReleaseRecord, live: KubeObject | undefined, cause: unknown): DeployError {
  return new DeployError(
    {
      reason: 'locked',
      doing: `mark revision ${record.version} of ${record.name} ${record.info.status}`,
      message: `another client changed the record meanwhile: ${otherWriter(live, record.name)}`,
      hint: { kind: 'record-changed' },
    },
    { cause },
  )
}

/** What is known of the other writer: what its record says, and when the API server took it from whom. */
function otherWriter(live: KubeObject | undefined, release: string): string {
  if (live === undefined) return 'the Secret was deleted'
  const last = live.metadata.managedFields?.at(-1)
  const by =
    last === undefined
      ? ''
      : ` (written by ${last.manager ?? 'an unknown client'} at ${last.time ?? 'an unknown time'})`
  try {
    const { info } = fromSecret(live, release).stored.record
    return `${info.status}, ${info.description ?? 'without a description'}${by}`
  } catch (error) {
    return `${messageOf(error)}${by}`
  }
}

function emitWarning(ports: RecordPorts, old: StoredRevision, message: string): void {
  const ref = secretRef(ports.namespace, old.secretName)
  ports.emit({ type: 'warning', atMs: ports.clock.now(), ref, message })
}
