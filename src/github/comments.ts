import { parseMarker } from '../model/marker.ts'
import type { FoundComment } from '../ports.ts'
import { statusOf } from './comment-error.ts'
import type { Octokit } from './octokit.ts'

/** One pull request's comments. `signal` ends the requests. */
export interface CommentThread {
  readonly octokit: Octokit
  readonly owner: string
  readonly repo: string
  readonly number: number
  /** Login of the token's owner (`viewerLogin`), asked for once. */
  readonly login: () => Promise<string>
  readonly signal: AbortSignal
}

/** Our comments with this key, oldest first; all pages are read, and only the token's own comments count. */
export async function ownComments(thread: CommentThread, key: string): Promise<readonly FoundComment[]> {
  const { octokit, owner, repo, number, signal } = thread
  const login = await thread.login()
  const all = await octokit.paginate(octokit.rest.issues.listComments, {
    owner,
    repo,
    issue_number: number,
    per_page: 100,
    request: { signal },
  })
  return all
    .filter((one) => isBy(one.user, login) && parseMarker(one.body ?? '')?.key === key)
    .map((one) => ({ id: one.id, url: one.html_url, body: one.body ?? '' }))
    .sort((a, b) => a.id - b.id)
}

/**
 * Creates the comment or updates the oldest one, and removes what a race left behind: every writer ends with the lowest
 * id, whoever came first. Source: action-ux 2.6.
 */
export async function upsertComment(thread: CommentThread, key: string, body: string): Promise<FoundComment> {
  const existing = await ownComments(thread, key)
  const [oldest, ...duplicates] = existing
  if (oldest !== undefined) {
    const updated = await updateComment(thread, oldest.id, body)
    await removeComments(thread, duplicates)
    return updated
  }
  const created = await createComment(thread, key, body)
  const [lowest, ...others] = await ownComments(thread, key)
  // The list may lag behind the creation.
  if (lowest === undefined) return created
  const kept = lowest.id === created.id ? created : await updateComment(thread, lowest.id, body)
  await removeComments(thread, others)
  return kept
}

/** Tries of a creation; a failed one may have arrived all the same, so the comments are read again before the next. */
const MAX_CREATES = 3

async function createComment(thread: CommentThread, key: string, body: string): Promise<FoundComment> {
  const { octokit, owner, repo, number, signal } = thread
  for (let attempt = 1; ; attempt++) {
    try {
      const { data } = await octokit.rest.issues.createComment({
        owner,
        repo,
        issue_number: number,
        body,
        // A creation is not repeated blindly.
        request: { signal, retries: 0 },
      })
      return { id: data.id, url: data.html_url, body }
    } catch (error) {
      if (attempt === MAX_CREATES || !isTransient(error)) throw error
      const [arrived] = await ownComments(thread, key)
      if (arrived !== undefined) return updateComment(thread, arrived.id, body)
    }
  }
}

async function updateComment(thread: CommentThread, id: number, body: string): Promise<FoundComment> {
  const { octokit, owner, repo, signal } = thread
  const { data } = await octokit.rest.issues.updateComment({ owner, repo, comment_id: id, body, request: { signal } })
  return { id: data.id, url: data.html_url, body }
}

/** Another writer may have removed them already. */
async function removeComments(thread: CommentThread, comments: readonly FoundComment[]): Promise<void> {
  const { octokit, owner, repo, signal } = thread
  for (const comment of comments) {
    try {
      await octokit.rest.issues.deleteComment({ owner, repo, comment_id: comment.id, request: { signal } })
    } catch (error) {
      if (statusOf(error) !== 404) throw error
    }
  }
}

function isTransient(error: unknown): boolean {
  const status = statusOf(error)
  return status === undefined || status >= 500
}

/** Login of the token's owner: GraphQL knows it for the workflow's own token too, REST only for users. */
export async function viewerLogin(octokit: Octokit, signal: AbortSignal): Promise<string> {
  try {
    const answer: unknown = await octokit.graphql('query { viewer { login } }', { request: { signal, retries: 0 } })
    const login = loginOf(answer)
    if (login !== undefined) return login
  } catch {
    // Fine-grained tokens and some servers refuse the query: REST is asked next.
  }
  try {
    return (await octokit.rest.users.getAuthenticated({ request: { signal, retries: 0 } })).data.login
  } catch {
    return WORKFLOW_BOT // The workflow's own token may not read /user.
  }
}

const WORKFLOW_BOT = 'github-actions[bot]'

function loginOf(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined
  const viewer: unknown = Reflect.get(answer, 'viewer')
  if (typeof viewer !== 'object' || viewer === null) return undefined
  const login: unknown = Reflect.get(viewer, 'login')
  return typeof login === 'string' && login !== '' ? login : undefined
}

/** GraphQL writes an app's login without `[bot]`, REST with it. */
function isBy(user: { readonly login: string; readonly type: string } | null, login: string): boolean {
  if (user === null) return false
  return user.login === login || (user.type === 'Bot' && user.login === `${login}[bot]`)
}
