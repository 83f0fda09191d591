import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ApprovedPlan } from '../model/plan.ts'
import { compareText } from '../model/ref.ts'
import type { FoundComment } from '../ports.ts'
import { withoutStatus } from '../report/comment/status-line.ts'

type Signed = Pick<FoundComment, 'marker' | 'text'>

/** What a signed plan is good for: nothing else that the same key has signed takes its place (docs/decisions/0025). */
export interface SignedPlace {
  /** Address of the repository. */
  readonly repository: string
  /** Number of the pull request. */
  readonly number: number
  /** Commit whose plan it is. */
  readonly headSha: string
}

/**
 * HMAC-SHA-256 over the plans as the marker holds them, over what they are good for, and over the text that shows them: whoever may
 * write comments could else put another one above the same marker. `text`: the visible text of the comment.
 */
export function markerSignature(key: string, place: SignedPlace, { marker, text: shown }: Signed): string {
  const { repository, number, headSha } = place
  const plannedAtMs = marker.plannedAtMs ?? null
  const plans = (marker.plans ?? []).map(planParts)
  const text = JSON.stringify([
    'staged-helm-deploy approval v3',
    repository,
    number,
    headSha,
    marker.key,
    plannedAtMs,
    plans,
    withoutStatus(shown),
  ])
  return createHmac('sha256', key).update(text).digest('base64url')
}

export function isSignedBy(key: string, place: SignedPlace, signed: Signed): boolean {
  const expected = Buffer.from(markerSignature(key, place, signed))
  const given = Buffer.from(signed.marker.signature ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function planParts({ release, namespace, hash, comparedBy, digests, stageDigests, madeOn }: ApprovedPlan) {
  return [release, namespace, hash, comparedBy, entriesOf(digests), entriesOf(stageDigests), madeOn ?? null]
}

/** In one order; null where there are none, which says more than an empty list. */
function entriesOf(digests: ApprovedPlan['digests']) {
  return digests === undefined ? null : Object.entries(digests).toSorted(([a], [b]) => compareText(a, b))
}
