import { defined } from '../model/defined.ts'
import { DeployError } from '../model/errors.ts'
import type { RecordEnd } from '../model/plan.ts'
import { refKey } from '../model/ref.ts'
import type { History } from '../model/release.ts'
import { newest } from '../record/history.ts'
import { beginUninstall, finishUninstall } from '../record/uninstall-record.ts'
import type { Intent } from './intent.ts'
import { previousResources, recordContext, recordedChart, recordedHooks, recordedResources } from './recorded.ts'
import type { Setting } from './setting.ts'
import type { Task } from './task.ts'

/**
 * Removes a release, from its record alone (docs/sources.md#helm-uninstall). Where there is no release, or
 * it was uninstalled before, nothing is to be done. A failed uninstall stays `uninstalling`, so that the next one
 * continues it. Of a failed install only the revision that it wrote counts: what an uninstall with `keep-history` left of earlier
 * ones stays.
 */
export async function uninstallIntent(
  setting: Setting,
  { keepHistory, ofFailedInstall }: Extract<Task, { readonly kind: 'uninstall' }>,
): Promise<Intent> {
  const history = ofFailedInstall === undefined ? setting.history : newestOf(setting.history)
  const context = recordContext(setting)
  const last = newest(history)
  if (last === undefined && history.unreadable.length > 0) throw nothingKnown()
  const isThere = last !== undefined && last.record.info.status !== 'uninstalled'
  const chart = last === undefined ? undefined : recordedChart(last.record)
  const [resources, hooks, previous] = isThere
    ? await Promise.all([
        recordedResources(last.record, context),
        recordedHooks(last.record, context),
        previousResources(history, context),
      ])
    : [[], [], []]
  const adopted = new Set(ofFailedInstall?.adopted.map(refKey))
  return {
    verb: 'uninstall',
    revision: last?.record.version ?? 0,
    desired: [...resources, ...hooks],
    previous: previous.filter(({ manifest }) => !adopted.has(refKey(manifest.ref))),
    problems: [],
    revisionCauses: [],
    ...defined({ chart, recordEnd: recordEnd({ isThere, hasRecord: last !== undefined, keepHistory }) }),
    record: {
      status: ofFailedInstall === undefined ? 'uninstalled' : 'taken-down',
      begin: async (record, _plan, repaired) => {
        const current = newest(repaired)
        if (current === undefined || (!isThere && keepHistory)) return undefined
        return isThere ? beginUninstall(record, current) : current
      },
      succeed: async (record, begun, repaired) => {
        const known = ofFailedInstall === undefined ? repaired : newestOf(repaired)
        await finishUninstall(record, begun, { history: known, keepHistory })
      },
      fail: async () => {},
    },
  }
}

function newestOf(history: History): History {
  return { revisions: history.revisions.slice(-1), unreadable: [] }
}

/** Deleting nothing would look like a release that is gone. */
function nothingKnown(): DeployError {
  return new DeployError({
    reason: 'invalid-input',
    doing: 'read the release record',
    message: 'no record of the release can be read, so that nothing is known of what it deployed',
    hint: { kind: 'restore-record' },
  })
}

/** A release that was uninstalled before may still have a history to remove. */
function recordEnd(of: {
  readonly isThere: boolean
  readonly hasRecord: boolean
  readonly keepHistory: boolean
}): RecordEnd | undefined {
  if (of.keepHistory) return of.isThere ? 'uninstalled' : undefined
  return of.hasRecord ? 'removed' : undefined
}
