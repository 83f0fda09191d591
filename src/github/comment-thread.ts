import { setTimeout as wait } from 'node:timers/promises'
import type { CommentMarker, FoundComment } from '../ports.ts'
import { commentBody, visibleText } from './comment-body.ts'
import { httpStatusOf } from './comment-error.ts'
import { parseMarker } from './comment-marker.ts'
import { isEditedByOthers } from './edited-by-others.ts'
import type { RepositoryApi } from './octokit.ts'
import type { CommentThread } from './sticky-comment.ts'
import { isLogin } from './token-login.ts'

export interface ThreadOptions {
  readonly api: RepositoryApi
  /** Number of the pull request. */
  readonly number: number
  readonly key: string
  /** Login of the token's owner: only its comments count. */
  readonly login: string
  readonly settleMs: number
  readonly retryUnitMs: number
}

/** One pull request's comments with one key. Throws what the client throws. */
export function commentThread(options: ThreadOptions): CommentThread {
  const { api, number, key, login, settleMs, retryUnitMs } = options
  const { octokit, graphql, owner, repo, signal } = api
  // A write is not repeated blindly: `sticky-comment.ts` reads again first.
  const once = { signal, retries: 0 }
  const foundComment = (one: Comment): FoundComment | undefined => {
    const body = one.body ?? ''
    const marker = parseMarker(body)
    const isMine = isLogin({ login: one.user?.login ?? '', isBot: one.user?.type === 'Bot' }, login)
    if (!isMine || marker?.key !== key || marker.isClosed === true) return undefined
    return withBody(one, body, marker)
  }
  const written = (one: Comment, body: string) => withBody(one, body, parseMarker(body) ?? { key })
  return {
    open: async () => {
      const request = { signal }
      const of = { owner, repo, issue_number: number, per_page: 100, request }
      const all = await octokit.paginate(octokit.rest.issues.listComments, of)
      return all
        .map(foundComment)
        .filter((one) => one !== undefined)
        .sort((a, b) => a.id - b.id)
    },
    bodyOf: commentBody,
    create: async (body) => {
      const of = { owner, repo, issue_number: number, body, request: once }
      return written((await octokit.rest.issues.createComment(of)).data, body)
    },
    update: async ({ id }, body) => {
      const of = { owner, repo, comment_id: id, body, request: once }
      return written((await octokit.rest.issues.updateComment(of)).data, body)
    },
    remove: async ({ id }) => {
      await unlessGone(() => octokit.rest.issues.deleteComment({ owner, repo, comment_id: id, request: { signal } }))
    },
    close: async ({ id, nodeId }, body) => {
      await unlessGone(() =>
        octokit.rest.issues.updateComment({ owner, repo, comment_id: id, body, request: { signal } }),
      )
      try {
        await graphql(MINIMIZE, { id: nodeId }, signal)
      } catch {
        // Decoration, and not every token may: the closed marker is what counts.
      }
    },
    isOpen: async ({ id }) => {
      const one = await unlessGone(() =>
        octokit.rest.issues.getComment({ owner, repo, comment_id: id, request: { signal } }),
      )
      return one !== undefined && foundComment(one.data) !== undefined
    },
    isEditedByOthers: (comment) => isEditedByOthers(comment, { graphql, login, signal }),
    settle: () => wait(settleMs, undefined, { signal }),
    pause: (failures) => wait(retryUnitMs * failures ** 2, undefined, { signal }),
  }
}

function withBody(one: Comment, body: string, marker: CommentMarker): FoundComment {
  return { id: one.id, nodeId: one.node_id, url: one.html_url, body, marker, text: visibleText(body) }
}

const MINIMIZE = `mutation ($id: ID!) {
  minimizeComment(input: { subjectId: $id, classifier: OUTDATED }) { minimizedComment { isMinimized } }
}`

/** Undefined where another writer has removed the comment. */
async function unlessGone<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act()
  } catch (error) {
    if (httpStatusOf(error) !== 404) throw error
    return undefined
  }
}

/** A comment as the REST API writes it, as far as it is read. */
interface Comment {
  readonly id: number
  readonly node_id: string
  readonly html_url: string
  readonly body?: string
  readonly user: { readonly login: string; readonly type: string } | null
}
