import { defined } from '../model/defined.ts'
import type { FoundPullRequest } from '../ports.ts'
import { countAt, fieldAt, textAt } from './field.ts'

/** A pull request as payloads and the REST API write it; undefined where it has another shape. */
export function pullRequestOf(value: unknown): FoundPullRequest | undefined {
  const number = countAt(value, 'number')
  const url = textAt(value, 'html_url')
  const [headSha, headRef] = [shaAt(value, 'head', 'sha'), textAt(value, 'head', 'ref')]
  const [baseSha, baseRef] = [shaAt(value, 'base', 'sha'), textAt(value, 'base', 'ref')]
  if (number === undefined || url === undefined || headSha === undefined || headRef === undefined) return undefined
  if (baseSha === undefined || baseRef === undefined) return undefined
  const headRepository = textAt(value, 'head', 'repo', 'full_name')
  const mergeSha = shaAt(value, 'merge_commit_sha')
  return {
    number,
    url,
    headSha,
    headRef,
    ...defined({ headRepository }),
    baseRef,
    baseSha,
    ...defined({ mergeSha }),
    isOpen: fieldAt(value, 'state') === 'open',
    // By the pull request's own repositories, never by the checkout (docs/decisions/0026). A deleted head repository
    // counts as a fork.
    isFork: headRepository === undefined || headRepository !== textAt(value, 'base', 'repo', 'full_name'),
    isDependabot: textAt(value, 'user', 'login') === 'dependabot[bot]',
  }
}

/** SHA-1 or SHA-256 of a commit; the zeros of a deleted branch are none. */
export function shaAt(value: unknown, ...path: readonly string[]): string | undefined {
  const text = textAt(value, ...path)
  return text !== undefined && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) && /[^0]/.test(text) ? text : undefined
}
