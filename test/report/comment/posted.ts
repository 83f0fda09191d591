import { commentBody } from '../../../src/github/comment-body.ts'
import type { CommentMarker } from '../../../src/ports.ts'
import { type CommentInput, comment } from '../../../src/report/comment/comment.ts'

/** The comment as it is posted: the hidden line, and the text below it. */
export function posted({
  marker = { key: 'k' },
  limitBytes,
  ...input
}: Omit<CommentInput, 'limitBytes'> & { readonly marker?: CommentMarker; readonly limitBytes?: number }): string {
  const text = (textBytes: number) => comment({ ...input, limitBytes: textBytes })
  return commentBody({ kind: 'whole', marker, text }, undefined, limitBytes) ?? ''
}
