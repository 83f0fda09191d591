/** What the hidden first line of our comment says; the visible text is never read back. Source: action-ux 2.1. */
export interface CommentMarker {
  /** Identity of the comment: hash of cluster or label, namespace, releases and pull request. */
  readonly key: string
  readonly headSha?: string
  readonly runId?: number
  readonly runAttempt?: number
  /** Fingerprint of the plan that the comment shows, for approval. */
  readonly planHash?: string
  /** Short digest per operation id, where they fit. */
  readonly digests?: { readonly [operationId: string]: string }
}

/** Line 1 of a comment. Base64url, because `--` would end an HTML comment. */
export function formatMarker(marker: CommentMarker): string {
  return `${START}${Buffer.from(JSON.stringify(marker)).toString('base64url')} -->`
}

/** The marker of a comment's text, or undefined where its first line is none of ours. Everything in it is foreign. */
export function parseMarker(body: string): CommentMarker | undefined {
  if (!body.startsWith(START)) return undefined
  const line = body.slice(0, MAX_LINE_CHARS).split(/\r?\n/, 1)[0] ?? ''
  const encoded = /^([A-Za-z0-9_-]+) -->\s*$/.exec(line.slice(START.length))?.[1]
  if (encoded === undefined) return undefined
  try {
    return markerOf(JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')))
  } catch {
    return undefined // Somebody else's text behind our prefix: not a comment of ours.
  }
}

const START = '<!-- staged-helm-deploy v1 '
const MAX_LINE_CHARS = 32_768

function markerOf(value: unknown): CommentMarker | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const fields = new Map<string, unknown>(Object.entries(value))
  const key = fields.get('key')
  if (typeof key !== 'string') return undefined
  const [headSha, planHash] = [fields.get('headSha'), fields.get('planHash')]
  const [runId, runAttempt] = [fields.get('runId'), fields.get('runAttempt')]
  const digests = textsOf(fields.get('digests'))
  return {
    key,
    ...(typeof headSha === 'string' ? { headSha } : {}),
    ...(typeof runId === 'number' ? { runId } : {}),
    ...(typeof runAttempt === 'number' ? { runAttempt } : {}),
    ...(typeof planHash === 'string' ? { planHash } : {}),
    ...(digests === undefined ? {} : { digests }),
  }
}

function textsOf(value: unknown): { readonly [key: string]: string } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const texts: { [key: string]: string } = Object.create(null)
  for (const [key, text] of Object.entries(value)) if (typeof text === 'string') texts[key] = text
  return texts
}
