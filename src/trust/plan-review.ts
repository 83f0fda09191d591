import { isPlan, type PassResult } from '../model/pass.ts'
import type { ApprovedPlan } from '../model/plan.ts'
import type { FoundComment, FoundPullRequest, PullRequest } from '../ports.ts'
import { commentKey } from '../report/comment/comment.ts'
import { endedEarlyStatus } from '../report/comment/status-line.ts'
import type { Redacted } from '../secrecy/redacted.ts'
import { isSignedBy } from './marker-signature.ts'
import { type ReviewCommentOptions, reviewComment, statusOnly } from './review-comment.ts'

/** The review of plans on the pull request: what was approved there, and the comment that shows it. */
export interface PlanReview {
  /** The plans that were approved, or why none can be relied upon, as a clause. */
  approvedPlans(
    releases: readonly ReviewedRelease[],
  ): Promise<{ readonly plans: readonly ApprovedPlan[] } | { readonly why: string }>
  /** Writes the comment; gives its address, or undefined and sometimes the reason. Throws CommentError. */
  post(passes: Redacted<readonly PassResult[]>): Promise<{ readonly url?: string; readonly note?: string }>
  /** Says in the comment, where there is one, that the run ended early, and what became of it. Throws CommentError. */
  endedEarly(sentence: Redacted<string>): Promise<void>
}

export interface ReviewedRelease {
  readonly release: string
  readonly namespace: string
}

export interface PlanReviewOptions extends ReviewCommentOptions {
  readonly pullRequest: PullRequest
  /** All that the run is about, also those that it may not come to. */
  readonly releases: readonly ReviewedRelease[]
  readonly event: ReviewCommentOptions['event'] & {
    /** Of events that anybody can cause: login of who did. */
    readonly commenter?: string
  }
}

export function createPlanReview(options: PlanReviewOptions): PlanReview {
  const { pullRequest: github, info, event } = options
  const commentKeyOf = (releases: readonly ReviewedRelease[], { number }: FoundPullRequest) =>
    commentKey({ ...info, releases }, `${options.repository}#${number}`)

  return {
    approvedPlans: async (releases) => {
      const pullRequest = await github.find()
      if (pullRequest === undefined) return { why: 'this commit belongs to no pull request' }
      const { commenter } = event
      if (commenter !== undefined && !(await github.mayWrite(commenter))) {
        return { why: `${commenter} has no write permission for this repository` }
      }
      const comments = await github.openComments(pullRequest, commentKeyOf(releases, pullRequest))
      const newest = comments.at(-1)
      if (newest === undefined) return { why: `pull request ${pullRequest.number} has no open comment with this plan` }
      if (await github.isEditedByOthers(newest)) {
        return { why: `the comment with the plan was edited by another user, or GitHub does not say: ${newest.url}` }
      }
      const { plans } = newest.marker
      const { approvalKey, repository } = options
      const place = { repository, number: pullRequest.number, headSha: pullRequest.headSha }
      if (approvalKey !== undefined && plans !== undefined) {
        if (!isSignedBy(approvalKey, place, newest)) {
          return {
            why: `the comment is not signed with approval-key for the newest commit of the pull request: ${newest.url}`,
          }
        }
        const { plannedAtMs = 0 } = newest.marker
        const later = comments.find(
          (one) => (one.marker.plannedAtMs ?? 0) > plannedAtMs && isSignedBy(approvalKey, place, one),
        )
        if (later !== undefined) {
          return { why: `the plan of the newest comment is older than that of another one: ${later.url}` }
        }
      }
      return plans === undefined ? { why: `the comment has no plan that can be approved: ${newest.url}` } : { plans }
    },
    post: async ({ value: passes }) => {
      if (options.comment === 'never' || passes.length === 0) return {}
      const pullRequest = await github.find()
      if (pullRequest === undefined) return {}
      if ((await github.headNow(pullRequest)) !== pullRequest.headSha) {
        return { note: `pull request ${pullRequest.number} has a newer commit: its comment is left to that run` }
      }
      const key = commentKeyOf(options.releases, pullRequest)
      // What we keep of a comment must be ours: after our write it would not be seen that somebody else has edited it.
      const keepsSome = event.isMergeGroup || !passes.every(isPlan)
      const trusted = keepsSome ? await uneditedComment(github, pullRequest, key) : undefined
      const posted = await github.writeComment(
        pullRequest,
        reviewComment(passes, { key, pullRequest, trusted }, options),
      )
      return posted === undefined ? {} : { url: posted.url }
    },
    endedEarly: async ({ value: sentence }) => {
      const pullRequest = options.comment === 'never' ? undefined : await github.find()
      if (pullRequest === undefined) return
      const key = commentKeyOf(options.releases, pullRequest)
      const trusted = await uneditedComment(github, pullRequest, key)
      if (trusted === undefined) return
      await github.writeComment(
        pullRequest,
        statusOnly({ key, pullRequest, trusted }, endedEarlyStatus(sentence, info)),
      )
    },
  }
}

/** The comment that the write replaces, if nobody else has edited it. */
async function uneditedComment(
  github: PullRequest,
  pullRequest: FoundPullRequest,
  key: string,
): Promise<FoundComment | undefined> {
  const [oldest] = await github.openComments(pullRequest, key)
  return oldest === undefined || (await github.isEditedByOthers(oldest)) ? undefined : oldest
}
