import type { HookRun, ReleaseInfo, ReleaseRecord } from '../model/release.ts'
import { isRevisionVerb, type RevisionVerb, verbNames, verbs } from '../model/verb.ts'
import { goTime } from './time.ts'

/** Longest description that is stored, in characters; `helm history` prints it on one line. */
const DESCRIPTION_LIMIT_CHARS = 512

const revisionVerbs = verbNames.filter(isRevisionVerb)
const UNDERWAY = new RegExp(`^(?:${revisionVerbs.map(title).join('|')}) underway by (\\S+)`)

/** Description of a revision while its run is alive; it names the run, which tells it from a pending revision of Helm. */
export function underwayText(verb: RevisionVerb, holder: string): string {
  return boundedLine(`${title(verb)} underway by ${holder}`)
}

/** The run that a pending description names; undefined where the record was written by Helm or another tool. */
export function underwayHolder(record: ReleaseRecord): string | undefined {
  return UNDERWAY.exec(record.info.description ?? '')?.[1]
}

/** `description`: that of the user, instead of what was done. */
export function asDeployed(record: ReleaseRecord, description?: string): ReleaseRecord {
  const verb = pendingVerb(record)
  const revision = record.info.rollback_revision
  const isRollback = verb === 'rollback' && revision !== undefined
  const done = isRollback ? `Rollback to ${revision}` : `${title(verb)} complete`
  return withInfo(record, {
    status: 'deployed',
    description: boundedLine(description ?? done),
  })
}

/** The description stays, as in Helm: the history still says what the revision was. */
export function asSuperseded(record: ReleaseRecord): ReleaseRecord {
  return withInfo(record, { status: 'superseded' })
}

/** `message` must have been redacted: it stays in the cluster, and `helm history` prints it. */
export function asFailed(record: ReleaseRecord, message: string): ReleaseRecord {
  const description = boundedLine(`${title(pendingVerb(record))} "${record.name}" failed: ${message}`)
  return withInfo(record, { status: 'failed', description })
}

/** A pending record whose run is gone; `by` is the run that found it. */
export function asInterrupted(record: ReleaseRecord, by: string): ReleaseRecord {
  const run = underwayHolder(record) ?? 'the run that began it'
  const description = boundedLine(
    `${title(pendingVerb(record))} interrupted: ${run} ended before it was done; marked by ${by}`,
  )
  return withInfo(record, { status: 'failed', description })
}

export function asUninstalling(record: ReleaseRecord): ReleaseRecord {
  return withInfo(record, { status: 'uninstalling', description: 'Deletion in progress (or silently failed)' })
}

export function asUninstalled(record: ReleaseRecord, nowMs: number): ReleaseRecord {
  const description = 'Uninstallation complete'
  return withInfo(record, { status: 'uninstalled', deleted: goTime(nowMs), description })
}

/** Which hook ran; `event` as Helm stores it (`pre-install`, `test`). */
export interface HookId {
  readonly kind: string
  readonly name: string
  readonly event: string
}

export interface HookTimes {
  readonly phase: HookRun['phase']
  readonly startedAtMs: number
  readonly completedAtMs?: number
}

/** The record after a hook began or ended. Every hook document of this kind, name and event gets the run. */
export function withHookRun(record: ReleaseRecord, id: HookId, times: HookTimes): ReleaseRecord {
  const run: HookRun = {
    started_at: goTime(times.startedAtMs),
    ...(times.completedAtMs === undefined ? {} : { completed_at: goTime(times.completedAtMs) }),
    phase: times.phase,
  }
  const hooks = record.hooks.map((hook) =>
    hook.kind === id.kind && hook.name === id.name && hook.events.includes(id.event)
      ? { ...hook, last_run: run }
      : hook,
  )
  return { ...record, hooks }
}

function withInfo(record: ReleaseRecord, change: Partial<ReleaseInfo>): ReleaseRecord {
  return { ...record, info: { ...record.info, ...change } }
}

/** The verb of the run that wrote a pending record; of any other record it is not known, and counts as an upgrade. */
function pendingVerb(record: ReleaseRecord): RevisionVerb {
  return revisionVerbs.find((verb) => verbs[verb].revision.pending === record.info.status) ?? 'upgrade'
}

function title(verb: RevisionVerb): string {
  return verbs[verb].revision.title
}

function boundedLine(description: string): string {
  const line = description.replaceAll(/\s+/g, ' ').trim()
  return line.length <= DESCRIPTION_LIMIT_CHARS ? line : `${line.slice(0, DESCRIPTION_LIMIT_CHARS - 1)}…`
}
