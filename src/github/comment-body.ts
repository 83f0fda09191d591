import type { CommentContent, FoundComment } from '../ports.ts'
import { formatMarker } from './comment-marker.ts'

/**
 * GitHub refuses bodies above 65,536 characters; counted in UTF-8 bytes, with room to spare.
 * Source: docs/sources.md#github-comments.
 */
const COMMENT_LIMIT_BYTES = 60_000

/** The body of a comment: the marker's line, an empty line, the text. Undefined where no comment is there to keep a marker. */
export function commentBody(
  content: CommentContent,
  existing?: FoundComment,
  limitBytes = COMMENT_LIMIT_BYTES,
): string | undefined {
  if (content.kind === 'text') {
    return existing === undefined ? undefined : `${markerLineOf(existing.body)}${SEPARATOR}${content.text}`
  }
  const { marker, sign } = content
  const lineOver = (text: string) =>
    formatMarker(marker, sign === undefined ? undefined : (one) => sign({ marker: one, text }))
  const packing = sign === undefined ? 0 : PACKING_BYTES
  const text = content.text(limitBytes - Buffer.byteLength(lineOver('') + SEPARATOR) - packing)
  return `${lineOver(text)}${SEPARATOR}${text}`
}

/** Two signatures have the same length, but may not pack equally well. */
const PACKING_BYTES = 64

const SEPARATOR = '\n\n'

/** The same text below a marker that says that the comment is closed. */
export function closedBody({ body, marker }: FoundComment): string {
  return `${formatMarker({ ...marker, isClosed: true })}${body.slice(markerLineOf(body).length)}`
}

/** The body without the marker's line. */
export function visibleText(body: string): string {
  return withPlainLineEnds(body.slice(markerLineOf(body).length)).replace(/^\n+/, '')
}

/** Line 1: no two writes of different readings have the same. */
export function markerLineOf(body: string): string {
  return /^[^\r\n]*/.exec(body)?.[0] ?? ''
}

export function isSameText(one: string, other: string): boolean {
  return withPlainLineEnds(one).trimEnd() === withPlainLineEnds(other).trimEnd()
}

/** GitHub's editor ends lines in its own way. */
function withPlainLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
