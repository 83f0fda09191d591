import { commands } from '../model/command.ts'
import { defined } from '../model/defined.ts'
import { type CommentMarker, parseMarker } from '../model/marker.ts'
import { isPlan, type PassResult, type RunInfo } from '../model/pass.ts'
import type { ApprovedPlan } from '../model/plan.ts'
import { approvedPlanOf, needsApproval } from '../plan/approved-plan.ts'
import type { CommentWrite, FoundPullRequest, PullRequest } from '../ports.ts'
import { comment, commentKey, isWorthPosting } from '../report/comment/comment.ts'
import { mergeGroupStatus, withStatus } from '../report/comment/status-line.ts'
import type { Redacted } from '../secrecy/redacted.ts'

/** The pull request as the place of review: what was approved there, and the comment that shows it. */
export interface PlanReview {
  /** The plans that were approved, or why none can be relied upon, as a clause. */
  approvedPlans(
    releases: readonly ReviewedRelease[],
  ): Promise<{ readonly plans: readonly ApprovedPlan[] } | { readonly why: string }>
  /** Writes the comment; gives its address, or undefined and sometimes the reason. Throws CommentError. */
  post(passes: Redacted<readonly PassResult[]>): Promise<{ readonly url?: string; readonly note?: string }>
}

export interface ReviewedRelease {
  readonly release: string
  readonly namespace: string
}

export interface PlanReviewOptions {
  readonly pullRequest: PullRequest
  readonly info: RunInfo
  /** All that the run is about, also those that it may not come to. */
  readonly releases: readonly ReviewedRelease[]
  readonly event: ReviewEvent
  readonly comment: 'always' | 'changes' | 'never'
  readonly commentMode: 'update' | 'always-new'
  readonly diffContext: number
  /** Address of the repository: it tells its comments from those of any other. */
  readonly repository: string
}

/** What of the event decides who may speak. */
export interface ReviewEvent {
  readonly isPullRequest: boolean
  readonly isMergeGroup: boolean
  /** Of `issue_comment`: who asks. */
  readonly commenter?: string
}

export function createPlanReview(options: PlanReviewOptions): PlanReview {
  const { pullRequest, info, event } = options
  const keyOf = (releases: readonly ReviewedRelease[], found: FoundPullRequest) =>
    commentKey({ ...info, releases }, `${options.repository}#${found.number}`)

  return {
    approvedPlans: async (releases) => {
      const found = await pullRequest.find()
      if (found === undefined) return { why: 'this commit belongs to no pull request' }
      const { commenter } = event
      if (commenter !== undefined && !(await pullRequest.mayWrite(commenter))) {
        return { why: `${commenter} may not write to this repository` }
      }
      const newest = (await pullRequest.openComments(found, keyOf(releases, found))).at(-1)
      if (newest === undefined) return { why: `pull request ${found.number} has no open comment with this plan` }
      if (await pullRequest.isEditedByOthers(newest)) {
        return { why: `the comment with the plan was edited by somebody else, or GitHub does not tell: ${newest.url}` }
      }
      const { plans } = newest.marker
      return plans === undefined ? { why: `the plan in the comment is none to approve: ${newest.url}` } : { plans }
    },
    post: async ({ value: passes }) => {
      if (options.comment === 'never' || passes.length === 0) return {}
      const found = await pullRequest.find()
      if (found === undefined) return {}
      if ((await pullRequest.headNow(found)) !== found.headSha) {
        return { note: `pull request ${found.number} has a newer commit: its comment is left to that run` }
      }
      const key = keyOf(options.releases, found)
      const isPlanned = passes.every(isPlan)
      // What is kept of a comment must be ours: our write would hide that somebody else has edited it.
      const trusted = isPlanned && !event.isMergeGroup ? undefined : await trustedComment(pullRequest, found, key)
      const posted = await pullRequest.writeComment(found, writeOf(passes, key, { found, trusted, options }))
      return posted === undefined ? {} : { url: posted.url }
    },
  }
}

/** Text of the comment that a write would go over, where nobody else has edited it. */
async function trustedComment(
  pullRequest: PullRequest,
  found: FoundPullRequest,
  key: string,
): Promise<string | undefined> {
  const [comment] = await pullRequest.openComments(found, key)
  return comment === undefined || (await pullRequest.isEditedByOthers(comment)) ? undefined : comment.body
}

/** A plan shows itself; a deploy tells how it ended where its plan is shown; a merge queue only where things stand. */
function writeOf(
  passes: readonly PassResult[],
  key: string,
  context: {
    readonly found: FoundPullRequest
    readonly trusted: string | undefined
    readonly options: PlanReviewOptions
  },
): CommentWrite {
  const { found, options } = context
  const trusted = (existing: string | undefined) => (existing === context.trusted ? existing : undefined)
  const { info, event } = options
  if (event.isMergeGroup) {
    const status = mergeGroupStatus(passes, info)
    const body = (existing: string | undefined) => {
      const ours = trusted(existing)
      return ours === undefined ? undefined : withStatus(ours, status)
    }
    return { key, mode: 'update', mayCreate: false, isNewerThan: () => true, body }
  }
  const isPlanned = passes.every(isPlan)
  // Hooks that merely run are no change, and yet no deploy runs them unless they were seen.
  const isNeeded = isPlanned && info.needsApproval === true && passes.some(({ plan }) => plan && needsApproval(plan))
  const isWanted = options.comment === 'always' || isNeeded || isWorthPosting(passes)
  const mayCreate = isWanted && found.isOpen && (isPlanned || event.isPullRequest)
  const readAtMs = Math.max(...passes.map((pass) => pass.readAtMs ?? pass.startedAtMs))
  return {
    key,
    mode: options.commentMode === 'always-new' && isPlanned && mayCreate ? 'new' : 'update',
    mayCreate,
    isNewerThan: (existing) => existing.headSha !== found.headSha || (existing.readAtMs ?? 0) <= readAtMs,
    body: (existing, limitBytes) => {
      const plans = isPlanned ? approvable(passes) : parseMarker(trusted(existing) ?? '')?.plans
      const marker: CommentMarker = {
        key,
        headSha: found.headSha,
        readAtMs,
        ...defined({ runId: info.runId, runAttempt: info.runAttempt }),
        ...(isClosing(passes, event) ? { isClosed: true } : {}),
        ...defined({ plans }),
      }
      const { diffContext } = options
      return comment({ marker, passes, info, diffContext, ...defined({ limitBytes }) })
    },
  }
}

/** Undefined where any of the plans is blocked or was made without a cluster: half an approval approves nothing. */
function approvable(passes: readonly PassResult[]): readonly ApprovedPlan[] | undefined {
  const plans = passes.map(({ plan, fingerprint, outcome }) =>
    plan === undefined || fingerprint === undefined || outcome.failure !== undefined
      ? undefined
      : approvedPlanOf(plan, fingerprint),
  )
  return plans.every((plan) => plan !== undefined) ? plans : undefined
}

/** Only a deploy that went well closes the comment, and not on the events of the pull request itself. */
function isClosing(passes: readonly PassResult[], event: ReviewEvent): boolean {
  const isDone = passes.every((pass) => !isPlan(pass) && pass.outcome.failure === undefined)
  return isDone && passes.some(({ command }) => commands[command].changesRelease) && !event.isPullRequest
}
