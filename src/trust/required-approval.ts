import type { Settings } from '../inputs/inputs.ts'
import { messageOf } from '../model/errors.ts'
import type { Failure } from '../model/outcome.ts'
import type { PassResult } from '../model/pass.ts'
import type { ApprovedPlan } from '../model/plan.ts'
import type { ReleaseSpec } from '../model/release.ts'
import type { ApprovalCheck } from '../pass/assert-approved.ts'
import { approvedPlanOf, needsApproval } from '../plan/approved-plan.ts'
import type { Reader } from '../ports.ts'
import { planHash } from '../report/rows/plan-hash.ts'
import type { Review } from './review.ts'

/** What has to be approved before the first write of a run, and what was. */
export type Gate =
  | { readonly kind: 'open' }
  /** Input `expect-plan-hash`. */
  | { readonly kind: 'hash'; readonly hash: string }
  /** Input `approval: comment`; of a release that the comment does not show, nothing is approved. */
  | { readonly kind: 'plans'; readonly planOf: (spec: ReleaseSpec) => ApprovedPlan; readonly hash?: string }
  /** `approval: comment`, and there is none to rely upon. */
  | { readonly kind: 'missing'; readonly why: string }

/** Asks once, before anything else: a comment that changes while the run goes on approves nothing new. */
export async function openGate(
  settings: Settings,
  { cluster, review }: { readonly cluster: Reader; readonly review?: Review },
): Promise<Gate> {
  const { approval, expectPlanHash } = settings
  const hash = expectPlanHash === undefined ? {} : { hash: expectPlanHash }
  if (approval === 'none')
    return expectPlanHash === undefined ? { kind: 'open' } : { kind: 'hash', hash: expectPlanHash }
  const placeOf = ({ release, namespace }: ReleaseSpec) => ({
    release,
    namespace: namespace ?? cluster.defaultNamespace,
  })
  if (review === undefined) return { kind: 'missing', why: 'without github-token no comment can be read' }
  try {
    const found = await review.approved(settings.releases.map(placeOf))
    if ('why' in found) return { kind: 'missing', why: found.why }
    const planOf = (spec: ReleaseSpec): ApprovedPlan => {
      const place = placeOf(spec)
      const isOfPlace = (plan: ApprovedPlan) => plan.release === place.release && plan.namespace === place.namespace
      return found.plans.find(isOfPlace) ?? nothingApproved(place)
    }
    return { kind: 'plans', planOf, ...hash }
  } catch (error) {
    return { kind: 'missing', why: messageOf(error) }
  }
}

/** Why nothing may be written after these forecasts. A forecast that does nothing needs no approval. */
export function refusalOf(gate: Gate, forecasts: readonly PassResult[]): Failure | undefined {
  if (gate.kind === 'open') return undefined
  const failed = forecasts.find(({ outcome }) => outcome.failure !== undefined)?.outcome.failure
  if (failed !== undefined) return failed
  const doing = 'compare the plan with the approved one'
  if (!forecasts.some(({ plan }) => plan !== undefined && needsApproval(plan))) return undefined
  if (gate.kind === 'missing') {
    return { reason: 'approval-missing', doing, message: gate.why, hint: { kind: 'plan-on-pull-request' } }
  }
  if (gate.hash === undefined || gate.hash === planHash(forecasts)) return undefined
  return {
    reason: 'plan-changed',
    doing,
    message: `the plan is ${planHash(forecasts)}, and ${gate.hash} was expected; only its hash is known, so the whole plan is printed`,
    hint: { kind: 'expect-new-plan' },
  }
}

/** The forecasts as what came of the run: nothing was done. */
export function refused(
  forecasts: readonly PassResult[],
  failure: Failure,
  command: PassResult['command'],
): readonly PassResult[] {
  return forecasts.map((forecast, index) =>
    index === 0 && forecasts.every(({ outcome }) => outcome.failure === undefined)
      ? { ...forecast, command, outcome: { status: 'failed', failure } }
      : { ...forecast, command },
  )
}

/** Under the lock the plan must be the one that was just forecast, but for what earlier releases of the run decide. */
export function approvalFrom(forecast: PassResult | undefined, index: number): ApprovalCheck {
  const { plan, fingerprint } = forecast ?? {}
  if (plan === undefined || fingerprint === undefined) {
    return { plan: nothingApproved({ release: '', namespace: '' }), mayDependOnEarlier: false }
  }
  return { plan: approvedPlanOf(plan, fingerprint), forecast: plan, mayDependOnEarlier: index > 0 }
}

function nothingApproved(place: Pick<ApprovedPlan, 'release' | 'namespace'>): ApprovedPlan {
  return { ...place, hash: '', comparedBy: 'dry-run', digests: {} }
}
