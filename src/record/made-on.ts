import { createHash } from 'node:crypto'
import { stringifyJson } from '../model/json.ts'
import type { History, ReleaseRecord, ReleaseStatus, StoredRevision } from '../model/release.ts'
import { recordDigest } from './digest.ts'

/** What a revision deploys, whatever its number. */
export type RecordContent = Pick<ReleaseRecord, 'config' | 'hooks' | 'manifest'>

/**
 * The state of the release that a plan is made on: the newest revision that ever got further than a failure. A digest of a digest,
 * because the digest of the record is itself a key (docs/decisions/0016).
 */
export function madeOn({ revisions }: History): string {
  return markOf(revisions.findLast(isSettled))
}

/**
 * Why a plan that was made on `mark` is too old, as a clause; undefined where nothing else was deployed since. Runs that failed and
 * rollbacks of them leave it as it is, and so does what the plan itself has deployed (`own`): a run may be repeated. Source:
 * docs/decisions/0025.
 */
export function madeOnOther({ revisions }: History, mark: string, own: RecordContent | undefined): string | undefined {
  const settled = revisions.filter(isSettled)
  const found = mark === markOf(undefined) ? -1 : settled.findIndex((stored) => markOf(stored) === mark)
  if (mark !== markOf(undefined) && found === -1)
    return 'the revision that it was made on is not the deployed one any more'
  const base = settled[found]
  const first = base?.record.version ?? settled[0]?.record.version
  const numbers = revisions.map(({ record }) => record.version).filter((one) => first !== undefined && one >= first)
  if (numbers.some((one, index) => index > 0 && one !== (numbers[index - 1] ?? 0) + 1)) {
    return 'revisions since then are not in the history any more'
  }
  const [before, ours] = [base === undefined ? undefined : contentOf(base.record), own && contentOf(own)]
  let isOurs = false
  for (const { record } of settled.slice(found + 1)) {
    const content = contentOf(record)
    isOurs ||= content === ours && record.info.status !== 'uninstalled'
    if (content !== (isOurs ? ours : before)) return `revision ${record.version} was deployed since then`
  }
  return undefined
}

/** Whatever else it is, it may have been deployed. */
function isSettled({ record }: StoredRevision): boolean {
  return !UNSETTLED.has(record.info.status)
}

const UNSETTLED: ReadonlySet<ReleaseStatus> = new Set<ReleaseStatus>([
  'failed',
  'pending-install',
  'pending-upgrade',
  'pending-rollback',
])

function markOf(stored: StoredRevision | undefined): string {
  const isGone = stored?.record.info.status === 'uninstalled'
  const text = stored === undefined ? 'no revision' : `${recordDigest(stored)}${isGone ? ' uninstalled' : ''}`
  return createHash('sha256').update(`made on ${text}`).digest('base64url').slice(0, MARK_CHARS)
}

/** As the digests of operations: 132 bits. */
const MARK_CHARS = 22

function contentOf({ config, hooks, manifest }: RecordContent): string {
  return stringifyJson([config, hooks.map((hook) => hook.manifest), manifest])
}
