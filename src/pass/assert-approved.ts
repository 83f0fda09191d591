import { DeployError } from '../model/errors.ts'
import type { ApprovedPlan, Plan } from '../model/plan.ts'
import { refKey } from '../model/ref.ts'
import { withoutDryRuns } from '../observe/without-dry-runs.ts'
import { differencesFrom, needsApproval } from '../plan/approved-plan.ts'
import { fingerprintOf } from '../plan/fingerprint.ts'
import { makePlan } from '../plan/make-plan.ts'
import type { Prepared } from './prepare.ts'
import type { Progress } from './progress.ts'

/** What a pass compares its own plan with, and what may differ. */
export interface ApprovalCheck {
  readonly plan: ApprovedPlan
  /** Whether earlier releases of the run have been deployed since: what depends on them may differ. */
  readonly mayDependOnEarlier: boolean
  /** The plan itself, where it was made in this run. */
  readonly forecast?: Plan
}

/** Throws DeployError `plan-changed` where the plan does anything that was not approved; `progress` notes what. */
export function assertApproved(
  { plan: approved, ...allowance }: ApprovalCheck,
  prepared: Prepared,
  progress: Progress,
) {
  const { planned, fingerprint } = comparable(approved, prepared)
  if (!needsApproval(planned.plan)) return
  const { blocking, gone } = differencesFrom(approved, planned.plan, fingerprint, allowance)
  if (blocking.length === 0) return
  progress.differences = [...blocking, ...gone]
  const amount = blocking.length === 1 ? 'one operation differs' : `${blocking.length} operations differ`
  throw new DeployError({
    reason: 'plan-changed',
    doing: 'compare the plan with the approved one',
    message: `${amount} from the approved plan`,
    hint: { kind: 'deploy-new-plan' },
  })
}

/** The plan made like the approved one, which may be without dry runs: its account may not have been allowed any. */
function comparable(approved: ApprovedPlan, prepared: Prepared): Pick<Prepared, 'planned' | 'fingerprint'> {
  if (approved.comparedBy === prepared.fingerprint.comparedBy || approved.comparedBy !== 'rendered-fields')
    return prepared
  const { planInput, fingerprintInput } = prepared
  const previous = new Map(planInput.previous.map(({ manifest }) => [refKey(manifest.ref), manifest.object]))
  const planned = makePlan({ ...planInput, observed: withoutDryRuns(planInput.observed, previous) })
  return { planned, fingerprint: fingerprintOf(planned, fingerprintInput) }
}
