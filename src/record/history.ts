import { defined } from '../model/defined.ts'
import { DeployError, isApiError, messageOf } from '../model/errors.ts'
import type { KubeObject } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import type { History, ReleaseStatus, StoredRevision, UnreadableRecord } from '../model/release.ts'
import type { Verb } from '../model/verb.ts'
import type { Reader } from '../ports.ts'
import { decodeRecord, UNPACKED_LIMIT_BYTES } from './codec.ts'
import { fromSecret, packedRecord, revisionInName, secretName, secretRef } from './secret.ts'
import { REVISION_LIMIT } from './shape.ts'

/** All records of one history together may unpack to this; the older ones beyond it count as unreadable. */
const HISTORY_LIMIT_BYTES = 4 * UNPACKED_LIMIT_BYTES

/** Secrets without Helm's labels that are looked for above the newest record. */
const UNLABELLED_LIMIT = 20

/**
 * Reads all revisions of a release with one LIST, and makes sure that the name of the next one is free. A record that
 * cannot be read is reported and never stops the run.
 */
export async function readHistory(
  reader: Reader,
  release: string,
  namespace: string,
  signal?: AbortSignal,
): Promise<History> {
  const labelSelector = `owner=helm,name=${release}`
  const secrets = await reader.list({ apiVersion: 'v1', kind: 'Secret', namespace, labelSelector }, signal)
  const history = historyOf(secrets, release)
  const unlabelled = await unlabelledAbove(history, { release, namespace }, reader, signal)
  return { ...history, unreadable: [...history.unreadable, ...unlabelled] }
}

/** Records whose labels somebody changed are in no list, but their names are taken. */
async function unlabelledAbove(
  history: History,
  { release, namespace }: { readonly release: string; readonly namespace: string },
  reader: Reader,
  signal: AbortSignal | undefined,
): Promise<History['unreadable']> {
  const cause = `it lacks the labels owner=helm and name=${release}, by which Helm finds its records`
  const found: UnreadableRecord[] = []
  for (let revision = nextRevision(history); found.length < UNLABELLED_LIMIT; revision += 1) {
    const name = secretName(release, revision)
    if (!(await isThere(reader, secretRef(namespace, name), signal))) break
    found.push({ secretName: name, cause })
  }
  return found
}

async function isThere(reader: Reader, ref: Ref, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    return (await reader.get(ref, signal)) !== undefined
  } catch (error) {
    // Who may only list can at least plan.
    if (isApiError(error, 'Forbidden')) return false
    throw error
  }
}

/** Pure part of `readHistory`. Newest first while decoding, so that the limit on unpacked bytes takes the oldest. */
export function historyOf(
  secrets: readonly KubeObject[],
  release: string,
  limitBytes: number = HISTORY_LIMIT_BYTES,
): History {
  const revisions: StoredRevision[] = []
  const unreadable: UnreadableRecord[] = []
  let leftBytes = limitBytes
  for (const secret of secrets.toSorted(
    (a, b) => revisionInSecretName(b, release) - revisionInSecretName(a, release),
  )) {
    const mostBytes = Math.min(leftBytes, UNPACKED_LIMIT_BYTES)
    try {
      const { stored, unpackedBytes } = fromSecret(secret, release, mostBytes)
      leftBytes -= unpackedBytes
      revisions.unshift(stored)
    } catch (error) {
      const revision = revisionInside(secret, mostBytes)
      unreadable.push({ secretName: secret.metadata.name ?? '', cause: messageOf(error), ...defined({ revision }) })
    }
  }
  return { revisions, unreadable }
}

function revisionInside(secret: KubeObject, limitBytes: number): number | undefined {
  try {
    return decodeRecord(packedRecord(secret) ?? '', limitBytes).record.version
  } catch {
    return undefined
  }
}

export function newest(history: History): StoredRevision | undefined {
  return history.revisions.at(-1)
}

/** The newest of the revisions marked deployed: after a crash there can be two, and Helm takes the newest as well. */
export function lastDeployed(history: History): StoredRevision | undefined {
  return history.revisions.findLast(({ record }) => record.info.status === 'deployed')
}

/**
 * What is most likely in the cluster: the newest deployed revision, else (Helm died between superseding the old and
 * deploying the new one) the newest superseded one. Undefined where nothing was deployed since the last uninstall.
 */
export function lastGood(history: History): StoredRevision | undefined {
  const revisions = sinceUninstalled(history)
  return (
    lastDeployed({ ...history, revisions }) ?? revisions.findLast(({ record }) => record.info.status === 'superseded')
  )
}

/**
 * The revision whose values Helm reuses: the deployed one, else the newest. Undefined where nothing was deployed since the last
 * uninstall. Source: docs/sources.md#helm-upgrade.
 */
export function baseOfUpgrade(history: History): StoredRevision | undefined {
  const revisions = sinceUninstalled(history)
  return lastDeployed({ ...history, revisions }) ?? revisions.at(-1)
}

/** Revision of the next record. Unreadable records count by their names, which are taken, and by what Helm reads in them. */
export function nextRevision(history: History): number {
  const release = newest(history)?.record.name
  const unreadable = history.unreadable.map(({ secretName, revision: inside = 0 }) => {
    const revision = Number(/\.v([1-9]\d{0,9})$/.exec(secretName)?.[1] ?? 0)
    const isOfRelease = release === undefined || revisionInName(secretName, release) !== undefined
    return Math.max(isOfRelease && revision < REVISION_LIMIT ? revision : 0, inside < REVISION_LIMIT ? inside : 0)
  })
  return Math.max(newest(history)?.record.version ?? 0, 0, ...unreadable) + 1
}

/**
 * `install` until a revision has been deployed once, also on a retry (docs/decisions/0007), and again after an
 * uninstall that kept the history: no object of the release is left then. Source: `helm upgrade --install`
 * (docs/sources.md#helm-install).
 */
export function deployVerb(history: History): Extract<Verb, 'install' | 'upgrade'> {
  return sinceUninstalled(history).some(({ record }) => deployedStatuses.has(record.info.status))
    ? 'upgrade'
    : 'install'
}

/** Nothing of the release is there, as far as the record tells: none was ever made, or the newest was uninstalled. */
export function holdsNothing(history: History): boolean {
  return history.unreadable.length === 0 && sinceUninstalled(history).length === 0
}

/** Statuses that a record gets only after it was deployed. An uninstall that failed half way leaves objects behind. */
const deployedStatuses: ReadonlySet<ReleaseStatus> = new Set<ReleaseStatus>(['deployed', 'superseded', 'uninstalling'])

const goodStatuses: ReadonlySet<ReleaseStatus> = new Set<ReleaseStatus>(['deployed', 'superseded'])

/**
 * Revision to roll back to: the given one, else the last good one, else (the newest is itself good) the good one before.
 * Throws DeployError `invalid-input` where there is none.
 */
export function rollbackTarget(history: History, revision?: number): StoredRevision {
  const target =
    revision === undefined
      ? goodBeforeNewest(history)
      : history.revisions.find(({ record }) => record.version === revision)
  if (target !== undefined) return target
  const known = history.revisions.map(({ record }) => ({ revision: record.version, status: record.info.status }))
  throw new DeployError({
    reason: 'invalid-input',
    doing: 'choose the revision to roll back to',
    message: revision === undefined ? 'no earlier revision was deployed' : `there is no revision ${revision}`,
    hint: known.length === 0 ? { kind: 'deploy-first' } : { kind: 'choose-revision', revisions: known },
  })
}

/** Revision that a rollback goes back to where none is named. */
export function goodBeforeNewest(history: History): StoredRevision | undefined {
  const current = newest(history)
  return history.revisions.findLast((stored) => stored !== current && goodStatuses.has(stored.record.info.status))
}

function isPending(status: ReleaseStatus): boolean {
  return status === 'pending-install' || status === 'pending-upgrade' || status === 'pending-rollback'
}

/** All revisions left pending, oldest first. */
export function pendingOf(history: History): readonly StoredRevision[] {
  return history.revisions.filter(({ record }) => isPending(record.info.status))
}

/**
 * Revisions to delete before one more is created, so that at most `max` remain: oldest first, never the last good one.
 * 0 or less: nothing. Source: Helm's `removeLeastRecent` (docs/sources.md#helm-release-storage), which keeps the last
 * deployed one only.
 */
export function prunable(history: History, max: number): readonly StoredRevision[] {
  if (max <= 0) return []
  const kept = lastGood(history)
  const surplus = Math.max(0, history.revisions.length - (max - 1))
  return history.revisions.filter((stored) => stored !== kept).slice(0, surplus)
}

function sinceUninstalled(history: History): readonly StoredRevision[] {
  const last = history.revisions.findLastIndex(({ record }) => record.info.status === 'uninstalled')
  return history.revisions.slice(last + 1)
}

function revisionInSecretName(secret: KubeObject, release: string): number {
  return revisionInName(secret.metadata.name ?? '', release) ?? 0
}
