import { defined } from '../../model/defined.ts'
import type { Plan, Reason, Untouched } from '../../model/plan.ts'
import { withHiddenChanges } from './hidden-changes.ts'
import type { Row } from './rows.ts'

/**
 * What no stage applies, and the chart has changed: hooks of other events, and what only other verbs deploy. For diffs alone: nothing is
 * done with it now, so no table and no count has it.
 */
export function leftAloneRows({ untouched }: Plan): readonly Row[] {
  return untouched.filter(({ after, before }) => after !== undefined || before !== undefined).map(rowOf)
}

function rowOf({ after, before, detail, impact, reason, ref }: Untouched): Row {
  return {
    stage: 'main',
    weight: 0,
    ref,
    change: after === undefined ? 'delete' : 'hook',
    reason: reasonOf(before !== undefined, after !== undefined),
    waits: [],
    deletedIf: [],
    ...defined({ hook: detail, before, after: withHiddenChanges(before, after, impact), impact }),
    varies: [],
    open: [],
    isWithoutDryRun: false,
    dependsOnEarlier: false,
    isNewHook: before === undefined,
    leftAlone: reason,
    result: 'planned',
  }
}

function reasonOf(wasThere: boolean, isThere: boolean): Reason {
  if (!isThere) return { code: 'pruned' }
  return wasThere ? { code: 'chart-changed', paths: [] } : { code: 'new' }
}
