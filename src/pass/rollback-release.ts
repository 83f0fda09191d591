import { defined } from '../model/defined.ts'
import type { RevisionCause } from '../model/plan.ts'
import type { History, ReleaseRecord } from '../model/release.ts'
import { newest, nextRevision, rollbackTarget } from '../record/history.ts'
import { draftRollback } from '../record/new-record.ts'
import { requireFit } from '../record/size.ts'
import { createRevision, finishDeployed, finishFailed } from '../record/writer.ts'
import type { Intent } from './intent.ts'
import {
  previousHooksIn,
  previousResources,
  recordContext,
  recordedChart,
  recordedHooks,
  recordedResources,
} from './recorded.ts'
import type { Setting } from './setting.ts'

/** An old revision becomes a new one, from its record alone: nothing is rendered (docs/sources.md#helm-rollback). */
export async function rollbackIntent(setting: Setting, revision: number | undefined): Promise<Intent> {
  const { history, namespace, ports } = setting
  const context = recordContext(setting)
  const target = rollbackTarget(history, revision)
  const [resources, hooks] = await Promise.all([
    recordedResources(target.record, context),
    recordedHooks(target.record, context),
  ])
  const chart = recordedChart(target.record)
  const current = newest(history)?.record
  const draftOn = (known: History) =>
    draftRollback(known, { target, namespace, holder: setting.holder, nowMs: ports.clock.now() })
  return {
    verb: 'rollback',
    revision: nextRevision(history),
    desired: [...resources, ...hooks],
    previous: await previousResources(history, context),
    ...(await previousHooksIn(history, context)),
    problems: [],
    revisionCauses: causesOfRollback(target.record, current),
    ...defined({ chart, notes: target.record.info.notes }),
    content: target.record,
    record: {
      status: 'rolled-back',
      requireFit: (known) => requireFit(draftOn(known).record),
      begin: async (record, plan, repaired) => {
        if (!plan.writesRevision) return undefined
        return createRevision(record, draftOn(repaired), { history: repaired, historyMax: setting.options.historyMax })
      },
      succeed: async (record, begun, repaired) => {
        await finishDeployed(record, begun, repaired)
      },
      fail: async (record, begun, message) => {
        await finishFailed(record, begun, message)
      },
    },
  }
}

function causesOfRollback(target: ReleaseRecord, newestRecord: ReleaseRecord | undefined): readonly RevisionCause[] {
  if (newestRecord !== target) return ['other-revision']
  return target.info.status === 'deployed' ? [] : ['last-not-deployed']
}
