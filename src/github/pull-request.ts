import { unlessAborted } from '../concurrency/unless-aborted.ts'
import type { FoundPullRequest, PullRequest } from '../ports.ts'
import { commentError, httpStatusOf } from './comment-error.ts'
import { commentThread } from './comment-thread.ts'
import { isEditedByOthers } from './edited-by-others.ts'
import { findPullRequest, pullRequestNow } from './find-pull-request.ts'
import { graphqlOf, octokitOf, type RepositoryApi, restUrlOf } from './octokit.ts'
import { searchForEvent } from './pull-request-search.ts'
import { downloadArchive } from './repository-archive.ts'
import { type CommentThread, writeSticky } from './sticky-comment.ts'
import { viewerLogin } from './token-login.ts'
import { type Environment, repositoryOf } from './workflow-event.ts'

export interface PullRequestOptions {
  readonly token: string
  readonly environment: Environment
  /** JSON of `GITHUB_EVENT_PATH`. */
  readonly payload: unknown
  /** Input `pull-request`: its number, whatever the event says. */
  readonly override?: number
  /** Longest time for all methods together, beside downloads, in ms; each gets `MIN_LIMIT_MS` even then. */
  readonly limitMs?: number
  /** Unit of the waits between tries, in ms. */
  readonly retryUnitMs?: number
  /** Wait between a write and reading it back, in ms: longer than another run needs from its reading to its write. */
  readonly settleMs?: number
  /** Largest archive that is read. */
  readonly maxArchiveBytes?: number
}

/** Three tries, 30 s in all (docs/decisions/0031). */
const LIMIT_MS = 30_000
/** What a method gets when the time is used up: GitHub may be back. */
const MIN_LIMIT_MS = 2_000
/** The client leaves a second between two writes. */
const SETTLE_MS = 1_000

/** Runs a method with a time limit. */
type Timing = <T>(act: (signal: AbortSignal) => Promise<T>) => Promise<T>

/** Rejects after this time, in ms, whatever the method waits for: the client's waits between its tries ignore the signal. */
async function within<T>(ms: number, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(ms)
  return unlessAborted(act(signal), signal)
}

/** The pull request that the run belongs to. Methods throw CommentError, whose message says what to do. */
export function createPullRequest(options: PullRequestOptions): PullRequest {
  const { token, environment, payload, limitMs = LIMIT_MS, retryUnitMs = 1_000, settleMs = SETTLE_MS } = options
  const octokit = octokitOf({ token, retryUnitMs, baseUrl: restUrlOf(environment) })
  const graphql = graphqlOf(octokit, environment)
  let spentMs = 0
  const timed: Timing = async (act) => {
    const startedAtMs = performance.now()
    try {
      return await within(Math.max(limitMs - spentMs, Math.min(limitMs, MIN_LIMIT_MS)), act)
    } finally {
      spentMs += Math.ceil(performance.now() - startedAtMs)
    }
  }
  let asked: Promise<string> | undefined
  const login = () => {
    asked ??= viewerLogin(octokit, graphql, AbortSignal.timeout(limitMs))
    return asked
  }
  let found: Promise<FoundPullRequest | undefined> | undefined
  return {
    find: () => {
      const search = searchForEvent(environment, payload, options.override)
      if (search.kind === 'none') return Promise.resolve(undefined)
      found ??= withApi('find the pull request of this run', (api) => findPullRequest(api, search))
      return found
    },
    headNow: ({ number }) =>
      withApi('read the head of the pull request', async (api) => (await pullRequestNow(api, number)).headSha),
    openComments: (pullRequest, key) =>
      withThread(pullRequest, key, 'read the comments of the pull request', (thread) => thread.open()),
    writeComment: (pullRequest, write) =>
      withThread(pullRequest, write.key, 'write the comment on the pull request', (thread) =>
        writeSticky(thread, write),
      ),
    isEditedByOthers: (comment) =>
      timed(async (signal) => isEditedByOthers(comment, { graphql, login: await login(), signal })),
    mayWrite: (name) => withApi('read what the commenter may do', (api) => mayWrite(api, name)),
    mergeBase: (pullRequest) =>
      withApi('find where head and base of the pull request part', (api) => mergeBaseOf(api, pullRequest)),
    archive: (commitSha) =>
      withApi(
        `read the files of ${commitSha}`,
        (api) => downloadArchive(api, commitSha, options.maxArchiveBytes),
        (act) => within(limitMs, act),
      ),
  }

  async function withApi<T>(
    doing: string,
    act: (api: RepositoryApi) => Promise<T>,
    timing: Timing = timed,
  ): Promise<T> {
    try {
      const repository = repositoryOf(environment)
      if (repository === undefined) throw new Error('GITHUB_REPOSITORY is not set')
      return await timing((signal) => act({ octokit, graphql, ...repository, signal }))
    } catch (error) {
      throw commentError(error, doing)
    }
  }

  function withThread<T>(
    { number }: FoundPullRequest,
    key: string,
    doing: string,
    act: (thread: CommentThread) => Promise<T>,
  ): Promise<T> {
    return withApi(doing, async (api) =>
      act(commentThread({ api, number, key, login: await login(), settleMs, retryUnitMs })),
    )
  }
}

/** Rights as GitHub counts them, and the name of the role behind them: `maintain` reads `write` as a right. */
async function mayWrite({ octokit, owner, repo, signal }: RepositoryApi, login: string): Promise<boolean> {
  try {
    const of = { owner, repo, username: login, request: { signal } }
    const { permission, role_name } = (await octokit.rest.repos.getCollaboratorPermissionLevel(of)).data
    return WRITERS.has(permission) || WRITERS.has(role_name)
  } catch (error) {
    if (httpStatusOf(error) === 404) return false // Nobody of that name.
    throw error
  }
}

const WRITERS: ReadonlySet<string> = new Set(['admin', 'maintain', 'write'])

async function mergeBaseOf(api: RepositoryApi, pullRequest: FoundPullRequest): Promise<string> {
  const { baseSha, headSha, headRepository, isFork } = pullRequest
  const headOwner = headRepository?.split('/', 1)[0]
  // The head is kept below `refs/pull` of this repository, too, also when its own is gone.
  const here = `${baseSha}...${headSha}`
  if (!isFork || headOwner === undefined) return comparedMergeBase(api, here)
  try {
    return await comparedMergeBase(api, `${baseSha}...${headOwner}:${headSha}`)
  } catch (error) {
    if (httpStatusOf(error) !== 404) throw error
    return comparedMergeBase(api, here)
  }
}

async function comparedMergeBase(api: RepositoryApi, basehead: string): Promise<string> {
  const { octokit, owner, repo, signal } = api
  const of = { owner, repo, basehead, per_page: 1, page: 1, request: { signal } }
  return (await octokit.rest.repos.compareCommitsWithBasehead(of)).data.merge_base_commit.sha
}
