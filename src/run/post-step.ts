import { messageOf } from '../model/errors.ts'
import type { SavedLock } from '../pass/release-lock.ts'
import type { Clock, Cluster, Emit } from '../ports.ts'
import { readHistory } from '../record/history.ts'
import { releaseLockIfHeldBy } from '../record/lock.ts'
import { markStalePending } from '../record/repair.ts'
import { underwayHolder } from '../record/transitions.ts'

/** What the first process has left, as `main.ts` keeps it in the runner's state. */
export function unfinishedOf(state: string | undefined): readonly SavedLock[] {
  return state === undefined || state === '' ? [] : (JSON.parse(state) as readonly SavedLock[])
}

/**
 * After the first process died in the middle: marks its pending revision failed, then frees its lock, so that nobody has
 * to wait for the lock to expire. Only what still names that process is touched. Gives one sentence for the log.
 * Source: docs/sources.md#github-post-step.
 */
export async function freeAfterDeath(
  { held, holder }: { readonly held: SavedLock; readonly holder: string },
  { cluster, clock }: { readonly cluster: Cluster; readonly clock: Clock },
): Promise<string> {
  const { release, namespace, claim } = held
  const emit: Emit = () => {}
  try {
    const history = await readHistory(cluster, release, namespace)
    const ours = history.revisions.filter(({ record }) => underwayHolder(record) === holder)
    const marked = await markStalePending({ cluster, clock, emit, namespace }, { ...history, revisions: ours }, holder)
    const isFreed = await releaseLockIfHeldBy(cluster, release, namespace, holder, claim)
    const revisions = marked.map(({ record }) => record.version).join(', ')
    const what = revisions === '' ? 'no revision was left pending' : `revision ${revisions} is marked failed`
    const lock = isFreed ? 'its lock is released' : 'its lock was already released'
    return `the deploy of ${release} in ${namespace} ended early: ${what}, and ${lock}. Deploy again to continue.`
  } catch (error) {
    return `the deploy of ${release} in ${namespace} ended early and could not be cleaned up: ${messageOf(error)}. The next run does it.`
  }
}
