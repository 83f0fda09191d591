import { commands } from '../model/command.ts'
import { defined } from '../model/defined.ts'
import { isPlan, type PassResult, type RunInfo } from '../model/pass.ts'
import type { ApprovedPlan } from '../model/plan.ts'
import { approvedPlanOf, needsApproval } from '../plan/approved-plan.ts'
import type { CommentMarker, CommentWrite, FoundComment, FoundPullRequest } from '../ports.ts'
import { comment, isWorthPosting } from '../report/comment/comment.ts'
import { mergeGroupStatus, statusText, withStatus } from '../report/comment/status-line.ts'
import { isSignedBy, markerSignature } from './marker-signature.ts'

export interface ReviewCommentOptions {
  readonly info: RunInfo
  readonly event: { readonly isPullRequest: boolean; readonly isMergeGroup: boolean }
  readonly comment: 'always' | 'changes' | 'never'
  readonly commentMode: 'update' | 'always-new'
  readonly diffContext: number
  /** Input `approval-key`. */
  readonly approvalKey?: string
  /** Address of the repository, as a part of the comment's identity. */
  readonly repository: string
}

/** Where the comment goes. */
export interface ReviewPlace {
  readonly key: string
  readonly pullRequest: FoundPullRequest
  /** The comment as it was read, if nobody else has edited it: only from this state something is kept. */
  readonly trusted: FoundComment | undefined
}

/**
 * Decides what the comment on the pull request becomes. A plan is shown; a deploy shows how it ended where its plan is
 * shown, and keeps what was approved there; a merge queue changes only the status.
 */
export function reviewComment(
  passes: readonly PassResult[],
  place: ReviewPlace,
  options: ReviewCommentOptions,
): CommentWrite {
  return options.event.isMergeGroup
    ? statusOnly(place, mergeGroupStatus(passes, options.info))
    : commentAbout(passes, place, options)
}

/** Replaces the status of a comment of ours, and nothing else of it. */
export function statusOnly(place: ReviewPlace, status: string): CommentWrite {
  return {
    key: place.key,
    mode: 'update',
    mayCreate: false,
    isNewerThan: () => true,
    content: (existing) => {
      const trusted = trustedOnly(existing, place)
      const text = trusted === undefined ? undefined : withStatus(trusted.text, status)
      return text === undefined ? undefined : { kind: 'text', text }
    },
  }
}

function commentAbout(passes: readonly PassResult[], place: ReviewPlace, options: ReviewCommentOptions): CommentWrite {
  const { key, pullRequest } = place
  const { info, event, diffContext } = options
  const isPlanned = passes.every(isPlan)
  // Hooks that run are no change, but a deploy that needs approval runs them only if a comment has shown them.
  const isNeeded = isPlanned && info.needsApproval === true && passes.some(({ plan }) => plan && needsApproval(plan))
  const isWanted = options.comment === 'always' || isNeeded || isWorthPosting(passes)
  const mayCreate = isWanted && pullRequest.isOpen && (isPlanned || event.isPullRequest)
  const readAtMs = Math.max(...passes.map((pass) => pass.readAtMs ?? pass.startedAtMs))
  const isSigning = isPlanned && options.approvalKey !== undefined
  const markerOver = (existing: FoundComment | undefined): CommentMarker => {
    // A signature is kept with its plans: a deploy does not sign what another run has planned.
    const { plans, plannedAtMs, signature }: Pick<CommentMarker, 'plans' | 'plannedAtMs' | 'signature'> = isPlanned
      ? { ...defined({ plans: approvablePlans(passes, isSigning) }), ...(isSigning ? { plannedAtMs: readAtMs } : {}) }
      : (trustedOnly(existing, place)?.marker ?? {})
    return {
      key,
      headSha: pullRequest.headSha,
      readAtMs,
      ...defined({ runId: info.runId, runAttempt: info.runAttempt }),
      ...(isClosing(passes, options) ? { isClosed: true } : {}),
      ...defined({ plans, plannedAtMs, signature }),
    }
  }
  const { approvalKey, repository } = options
  const signedPlace = { repository, number: pullRequest.number, headSha: pullRequest.headSha }
  const signOver = (existing: FoundComment | undefined) => {
    if (approvalKey === undefined) return undefined
    const trusted = trustedOnly(existing, place)
    // A deploy changes the text. It signs that again below plans that were signed with their own.
    const maySign = isPlanned || (trusted !== undefined && isSignedBy(approvalKey, signedPlace, trusted))
    return maySign
      ? (signed: Pick<FoundComment, 'marker' | 'text'>) => markerSignature(approvalKey, signedPlace, signed)
      : undefined
  }
  return {
    key,
    mode: options.commentMode === 'always-new' && isPlanned && mayCreate ? 'new' : 'update',
    mayCreate,
    isNewerThan: (existing) => existing.headSha !== pullRequest.headSha || (existing.readAtMs ?? 0) <= readAtMs,
    content: (existing) => {
      const sign = signOver(existing)
      const trusted = trustedOnly(existing, place)
      const isSigned = trusted?.marker.signature !== undefined && sign === undefined
      if (trusted !== undefined && isSigned && !isPlanned && !isClosing(passes, options)) {
        // Another text would take the approval away; whoever has not the key may not do that.
        const text = withStatus(trusted.text, statusText(passes, info))
        return text === undefined ? undefined : { kind: 'text', text }
      }
      return {
        kind: 'whole',
        marker: markerOver(existing),
        ...defined({ sign }),
        text: (limitBytes) => comment({ passes, info, diffContext, limitBytes }),
      }
    },
  }
}

/** The existing comment, where it is still what was read and found to be ours. */
function trustedOnly(existing: FoundComment | undefined, { trusted }: ReviewPlace): FoundComment | undefined {
  return existing?.body === trusted?.body ? existing : undefined
}

/** Undefined where any of the plans is blocked or was made without a cluster: a part of the plans would approve what nobody has seen. */
function approvablePlans(passes: readonly PassResult[], isSigning: boolean): readonly ApprovedPlan[] | undefined {
  const plans = passes.map(({ plan, fingerprint, outcome }) =>
    plan === undefined || fingerprint === undefined || outcome.failure !== undefined
      ? undefined
      : { ...approvedPlanOf(plan, fingerprint), ...(isSigning ? defined({ madeOn: fingerprint.madeOn }) : {}) },
  )
  return plans.every((plan) => plan !== undefined) ? plans : undefined
}

/** Only a deploy that went well closes the comment, and not on the events of the pull request itself. */
function isClosing(passes: readonly PassResult[], { event }: ReviewCommentOptions): boolean {
  const isDone = passes.every((pass) => !isPlan(pass) && pass.outcome.failure === undefined)
  return isDone && passes.some(({ command }) => commands[command].changesRelease) && !event.isPullRequest
}
