import { CommentError, messageOf } from '../model/errors.ts'

/** The block to paste into the workflow. Source: docs/sources.md#github-permissions. */
const PERMISSIONS = ['permissions:', '  contents: read', '  pull-requests: write'].join('\n')

/** Translates whatever the client threw while doing `doing` (infinitive). */
export function commentError(error: unknown, doing: string): CommentError {
  if (error instanceof CommentError) return error
  const status = httpStatusOf(error)
  const message = messageOf(error)
  const options = { cause: error }
  if (status === 403 && !/rate limit/i.test(message)) {
    const advice = `Give the job these permissions; on pull requests from forks and of Dependabot the token is read-only:\n${PERMISSIONS}`
    return new CommentError(
      'permission',
      { what: `could not ${doing}: the token may not (${message})`, advice },
      options,
    )
  }
  if (status === 404) {
    const advice = `Give the job these permissions:\n${PERMISSIONS}`
    return new CommentError(
      'permission',
      { what: `could not ${doing}: GitHub does not find it (${message})`, advice },
      options,
    )
  }
  if (isTooLong(error)) {
    return new CommentError('too-long', { what: `could not ${doing}: the text is too long for GitHub` }, options)
  }
  const why = isTimeout(error) ? 'GitHub did not answer in time' : message
  return new CommentError('other', { what: `could not ${doing}: ${why}` }, options)
}

export function isTooLong(error: unknown): boolean {
  return httpStatusOf(error) === 422 && /too long/i.test(messageOf(error))
}

/** GitHub, or the way to it, is in trouble: the request may have arrived or not. */
export function isTransient(error: unknown): boolean {
  const status = httpStatusOf(error)
  return status === undefined || status >= 500
}

export function httpStatusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const status: unknown = Reflect.get(error, 'status')
  return typeof status === 'number' ? status : undefined
}

function isTimeout(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'TimeoutError' || error.name === 'AbortError' || /aborted/.test(error.message))
  )
}
