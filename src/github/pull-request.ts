import type { FoundPullRequest, PullRequest } from '../ports.ts'
import { commentError } from './comment-error.ts'
import { type CommentThread, ownComments, upsertComment, viewerLogin } from './comments.ts'
import { type Environment, eventPullRequest, repositoryOf } from './event.ts'
import { octokitOf } from './octokit.ts'

export interface PullRequestOptions {
  readonly token: string
  readonly environment: Environment
  /** JSON of `GITHUB_EVENT_PATH`. */
  readonly payload: unknown
  /** Longest time for one method, all tries together, in ms. */
  readonly limitMs?: number
  /** Unit of the waits between tries, in ms. */
  readonly retryUnitMs?: number
}

/** Three tries, 30 s in all (issue 5, Comment). */
const LIMIT_MS = 30_000

/** The pull request behind the run. Methods throw CommentError, whose message tells what to do. */
export function createPullRequest(options: PullRequestOptions): PullRequest {
  const { token, environment, payload, limitMs = LIMIT_MS, retryUnitMs = 1_000 } = options
  const octokit = octokitOf({ token, retryUnitMs, baseUrl: environment.GITHUB_API_URL ?? 'https://api.github.com' })
  let asked: Promise<string> | undefined
  const login = () => {
    asked ??= viewerLogin(octokit, AbortSignal.timeout(limitMs))
    return asked
  }
  return {
    find: async () => eventPullRequest(environment, payload),
    findComment: async (pullRequest, key) =>
      inThread(
        pullRequest,
        'read the comments of the pull request',
        async (thread) => (await ownComments(thread, key))[0],
      ),
    upsertComment: async (pullRequest, key, body) =>
      inThread(pullRequest, 'write the comment on the pull request', (thread) => upsertComment(thread, key, body)),
  }

  async function inThread<T>(
    pullRequest: FoundPullRequest,
    doing: string,
    act: (thread: CommentThread) => Promise<T>,
  ): Promise<T> {
    try {
      const repository = repositoryOf(environment)
      if (repository === undefined) throw new Error('GITHUB_REPOSITORY is not set')
      const { number } = pullRequest
      return await act({ octokit, ...repository, number, login, signal: AbortSignal.timeout(limitMs) })
    } catch (error) {
      throw commentError(error, doing)
    }
  }
}
