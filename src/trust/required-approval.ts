import type { Settings } from '../inputs/inputs.ts'
import { defined } from '../model/defined.ts'
import { messageOf } from '../model/errors.ts'
import type { Failure } from '../model/outcome.ts'
import type { PassResult } from '../model/pass.ts'
import type { ApprovedPlan } from '../model/plan.ts'
import type { ReleaseSpec } from '../model/release.ts'
import { approvedPlanOf, needsApproval } from '../plan/approved-plan.ts'
import type { Reader } from '../ports.ts'
import { planHash } from '../report/rows/plan-hash.ts'
import type { PlanReview } from './plan-review.ts'

/** What must be approved before the first write of a run, and what was. */
export type RequiredApproval =
  /** Neither input asks for one. */
  | { readonly kind: 'none' }
  /** Input `expect-plan-hash`. */
  | { readonly kind: 'hash'; readonly hash: string }
  /** Input `approval: comment`; of a release that the comment does not show, nothing is approved. */
  | { readonly kind: 'plans'; readonly planOf: (spec: ReleaseSpec) => ApprovedPlan; readonly hash?: string }
  /** `approval: comment`, and no comment to rely upon. */
  | { readonly kind: 'missing'; readonly why: string }

/** Reads the comment once, before anything else: one that changes while the run goes on approves nothing new. */
export async function readRequiredApproval(
  { approval, expectPlanHash: hash, releases }: Settings,
  { cluster, review }: { readonly cluster: Reader; readonly review?: PlanReview },
): Promise<RequiredApproval> {
  if (approval === 'none') return hash === undefined ? { kind: 'none' } : { kind: 'hash', hash }
  const reviewedRelease = ({ release, namespace = cluster.defaultNamespace }: ReleaseSpec) => ({ release, namespace })
  if (review === undefined) return { kind: 'missing', why: 'without github-token no comment can be read' }
  try {
    const found = await review.approvedPlans(releases.map(reviewedRelease))
    if ('why' in found) return { kind: 'missing', why: found.why }
    const placeOf = ({ release, namespace }: Pick<ApprovedPlan, 'release' | 'namespace'>) => `${namespace}/${release}`
    const [places, shown] = [releases.map(reviewedRelease).map(placeOf), found.plans.map(placeOf)]
    const isInOrder =
      places.filter((one) => shown.includes(one)).join() === shown.filter((one) => places.includes(one)).join()
    if (!isInOrder)
      return { kind: 'missing', why: `the comment shows the releases in another order: ${shown.join(', ')}` }
    const planOf = (spec: ReleaseSpec): ApprovedPlan => {
      const { release, namespace } = reviewedRelease(spec)
      const plan = found.plans.find((one) => one.release === release && one.namespace === namespace)
      return plan ?? nothingApproved(release, namespace)
    }
    return { kind: 'plans', planOf, ...defined({ hash }) }
  } catch (error) {
    return { kind: 'missing', why: messageOf(error) }
  }
}

/** Decides, by the forecasts of all releases, why nothing may be written. A run that would do nothing needs no approval. */
export function refusalOfForecasts(required: RequiredApproval, forecasts: readonly PassResult[]): Failure | undefined {
  if (required.kind === 'none') return undefined
  const failed = forecasts.find(({ outcome }) => outcome.failure !== undefined)?.outcome.failure
  if (failed !== undefined) return failed
  const doing = 'compare the plan with the approved one'
  if (!forecasts.some(({ plan }) => plan !== undefined && needsApproval(plan))) return undefined
  if (required.kind === 'missing') {
    return { reason: 'approval-missing', doing, message: required.why, hint: { kind: 'plan-on-pull-request' } }
  }
  const hash = planHash(forecasts)
  if (required.hash === undefined || required.hash === hash) return undefined
  return {
    reason: 'plan-changed',
    doing,
    message: `the plan is ${hash}, and ${required.hash} was expected; only its hash is known, so the whole plan is printed`,
    hint: { kind: 'expect-new-plan' },
  }
}

/** The forecasts as the result of a refused run: nothing was done. */
export function asRefused(
  forecasts: readonly PassResult[],
  refusal: Failure,
  command: PassResult['command'],
): readonly PassResult[] {
  const hasFailed = forecasts.some(({ outcome }) => outcome.failure !== undefined)
  return forecasts.map((forecast, index) =>
    index === 0 && !hasFailed
      ? { ...forecast, command, outcome: { status: 'failed', failure: refusal } }
      : { ...forecast, command },
  )
}

/**
 * Under the lock the plan must be the one that was just forecast. What a forecast could not ask the API server yet, because
 * an earlier release of the run makes it possible, counts as it was rendered.
 */
export function approvalUnderLock(
  spec: ReleaseSpec,
  required: RequiredApproval,
  forecast: PassResult | undefined,
): ApprovedPlan {
  const madeOn = required.kind === 'plans' ? required.planOf(spec).madeOn : undefined
  return { ...approvedForecast(forecast), ...defined({ madeOn }) }
}

function approvedForecast(forecast: PassResult | undefined): ApprovedPlan {
  const { plan, fingerprint } = forecast ?? {}
  return plan === undefined || fingerprint === undefined ? nothingApproved('', '') : approvedPlanOf(plan, fingerprint)
}

function nothingApproved(release: string, namespace: string): ApprovedPlan {
  return { release, namespace, hash: '', comparedBy: 'dry-run', digests: {} }
}
