import { isDeepStrictEqual } from 'node:util'
import { DeployError } from '../model/errors.ts'
import type { History, ReleaseRecord, StoredRevision } from '../model/release.ts'
import { decodeRecord, encodeRecord } from './codec.ts'
import { secretRef } from './secret.ts'

/** What a deploy knows of its record: all of it that it has read, and the revision that it has begun. */
export interface KnownRecord {
  readonly history: History
  /** Absent: the deploy had nothing to write. */
  readonly written?: StoredRevision
}

/** What a second pass of the same run works from. */
export interface RecordBase {
  /** After `revision 2 is`. */
  readonly name: string
  /** Undefined where there is none. */
  of(history: History): StoredRevision | undefined
  /** The same, as the deploy has left it. */
  ofKnown(known: KnownRecord): StoredRevision | undefined
}

/**
 * Throws DeployError `locked` where the record holds anything but what the deploy of this run has read and written: a rollback or a
 * test would apply or run it, and nobody has seen it. Status, description and the runs of hooks may differ; older
 * revisions may be gone, because a deploy shortens the history (docs/decisions/0025).
 */
export function requireKnown(known: KnownRecord, now: History, base: RecordBase): void {
  const revisions = knownRevisions(known)
  for (const stored of now.revisions) {
    const { version } = stored.record
    const ours = revisions.get(version)
    if (ours === undefined)
      throw unknownRecord(stored, `revision ${version} was written since this run read the record`)
    if (!isSameContent(ours.record, stored.record))
      throw unknownRecord(stored, `revision ${version} is not as this run knew it`)
  }
  const from = base.ofKnown(known)
  const versions = new Set(now.revisions.map(({ record }) => record.version))
  for (const [version, stored] of revisions) {
    if (from === undefined || version < from.record.version || versions.has(version)) continue
    throw unknownRecord(stored, `revision ${version} is gone, or cannot be read any more`)
  }
  const found = base.of(now)
  if (found?.record.version === from?.record.version) return
  const [nowName, before] = [found, from].map((one) =>
    one === undefined ? 'no revision' : `revision ${one.record.version}`,
  )
  throw unknownRecord(found ?? from, `${nowName} is ${base.name} now, and was ${before}`)
}

function knownRevisions({ history, written }: KnownRecord): ReadonlyMap<number, StoredRevision> {
  const all = written === undefined ? history.revisions : [...history.revisions, written]
  return new Map(all.map((stored) => [stored.record.version, stored]))
}

/** All that a pass takes from a revision; what our own writes change of it afterwards is left out. */
function isSameContent(a: ReleaseRecord, b: ReleaseRecord): boolean {
  return isDeepStrictEqual(contentOf(a), contentOf(b))
}

function contentOf(record: ReleaseRecord) {
  const { info, hooks, ...rest } = decodeRecord(encodeRecord(record)).record
  const { status: _status, description: _description, ...lasting } = info
  return { ...rest, info: lasting, hooks: hooks.map(({ last_run: _run, ...hook }) => hook) }
}

function unknownRecord(stored: StoredRevision | undefined, message: string): DeployError {
  return new DeployError({
    reason: 'locked',
    doing: 'compare the release record with what the deploy of this run read and wrote',
    message,
    ...(stored === undefined ? {} : { ref: secretRef(stored.record.namespace, stored.secretName) }),
    hint: { kind: 'unknown-record' },
  })
}
