import { commentBody, visibleText } from '../../src/github/comment-body.ts'
import { formatMarker, parseMarker } from '../../src/github/comment-marker.ts'
import type { CommentMarker, FoundComment, FoundPullRequest, PullRequest } from '../../src/ports.ts'

export const openPullRequest: FoundPullRequest = {
  number: 57,
  headSha: 'def5678',
  headRepository: 'acme/shop',
  baseSha: 'abc1234',
  isOpen: true,
  isFork: false,
  isDependabot: false,
}

export interface FakePullRequest extends PullRequest {
  /** Bodies of all comments, the oldest first. */
  bodies(): readonly string[]
  /** Gives a comment other fields in its marker, as any workflow with the same login can. */
  rewrite(index: number, change: Partial<CommentMarker>): void
  /** Writes another body, as any workflow with the same login can. */
  overwrite(index: number, body: string): void
  /** What the world does. */
  readonly world: {
    found: FoundPullRequest | undefined
    headNow: string
    isEdited: boolean
    writers: readonly string[]
  }
}

/** A pull request in memory, without races: those are the adapter's, and tested there. */
export function fakePullRequest(): FakePullRequest {
  const comments: { id: number; body: string }[] = []
  const world: FakePullRequest['world'] = {
    found: openPullRequest,
    headNow: openPullRequest.headSha,
    isEdited: false,
    writers: ['ann'],
  }
  const open = (key: string) => comments.map(asFound).filter((one) => one.marker.key === key && !one.marker.isClosed)
  return {
    world,
    bodies: () => comments.map(({ body }) => body),
    rewrite: (index, change) => {
      const comment = comments[index]
      if (comment === undefined) throw new Error(`there is no comment ${index}`)
      const { marker, text } = asFound(comment)
      const { signature = '', ...rest } = { ...marker, ...change }
      comment.body = `${formatMarker(rest, () => signature)}\n\n${text}`
    },
    overwrite: (index, body) => {
      const comment = comments[index]
      if (comment === undefined) throw new Error(`there is no comment ${index}`)
      comment.body = body
    },
    find: async () => world.found,
    headNow: async () => world.headNow,
    openComments: async (_pullRequest, key) => open(key),
    writeComment: async (_pullRequest, write) => {
      const existing = write.mode === 'new' ? undefined : open(write.key)[0]
      if (existing !== undefined && !write.isNewerThan(existing.marker)) return undefined
      if (existing === undefined && !write.mayCreate) return undefined
      const content = write.content(existing)
      const body = content === undefined ? undefined : commentBody(content, existing)
      if (body === undefined) return undefined
      const stored = comments.find(({ id }) => id === existing?.id)
      if (stored === undefined) comments.push({ id: comments.length + 1, body })
      else stored.body = body
      return asFound(stored ?? { id: comments.length, body })
    },
    isEditedByOthers: async () => world.isEdited,
    mayWrite: async (login) => world.writers.includes(login),
    mergeBase: async () => 'abc1234',
    archive: async () => new Uint8Array(),
  }
}

function asFound({ id, body }: { readonly id: number; readonly body: string }): FoundComment {
  const marker = parseMarker(body)
  if (marker === undefined) throw new Error(`comment ${id} has no marker on its first line`)
  return { id, nodeId: `IC_${id}`, url: addressOf(id), body, marker, text: visibleText(body) }
}

export function addressOf(commentId: number): string {
  return `https://github.example/acme/shop/pull/57#issuecomment-${commentId}`
}
