import { DeployError } from '../model/errors.ts'
import type { ApprovedPlan } from '../model/plan.ts'
import { refKey } from '../model/ref.ts'
import { withoutDryRuns } from '../observe/without-dry-runs.ts'
import { differencesFrom, needsApproval } from '../plan/approved-plan.ts'
import { fingerprintOf } from '../plan/fingerprint.ts'
import { makePlan } from '../plan/make-plan.ts'
import { madeOnOther } from '../record/made-on.ts'
import type { Prepared } from './prepare.ts'
import type { Progress } from './progress.ts'

/**
 * Throws DeployError `plan-changed` where the plan does anything that was not approved, or leaves out what was; `progress`
 * notes what.
 */
export function assertApproved(
  approved: ApprovedPlan,
  prepared: Prepared,
  { progress, deployedEarlier }: { readonly progress: Progress; readonly deployedEarlier: readonly string[] },
) {
  assertNotOld(approved, prepared)
  const { planned, fingerprint } = comparable(approved, prepared)
  const { live } = prepared.planInput.observed
  const { blocking, gone } = differencesFrom(approved, planned.plan, fingerprint, (key) => live.has(key))
  if (blocking.length === 0) return
  progress.differences = [...blocking, ...gone]
  const amount = blocking.length === 1 ? 'one operation differs' : `${blocking.length} operations differ`
  throw new DeployError({
    reason: 'plan-changed',
    doing: 'compare the plan with the approved one',
    message: `${amount} from the approved plan`,
    hint:
      deployedEarlier.length === 0
        ? { kind: 'deploy-new-plan' }
        : { kind: 'plan-after-earlier', releases: deployedEarlier },
  })
}

/** A signed plan is good for the state of the release that it was made on: an older one of the same commit is not (docs/decisions/0025). */
function assertNotOld({ madeOn }: ApprovedPlan, { history, intent, planned }: Prepared): void {
  if (madeOn === undefined || !needsApproval(planned.plan)) return
  const why = madeOnOther(history, madeOn, intent.content)
  if (why === undefined) return
  throw new DeployError({
    reason: 'plan-changed',
    doing: 'compare the plan with the approved one',
    message: `the approved plan is too old: ${why}`,
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
