import { defined } from '../model/defined.ts'
import type { FoundPullRequest } from '../ports.ts'
import { countAt, fieldAt, textAt } from './field.ts'

/** A pull request as payloads and the REST API write it; undefined where it has another shape. */
export function pullRequestOf(value: unknown): FoundPullRequest | undefined {
  const number = countAt(value, 'number')
  const [headSha, baseSha] = [shaAt(value, 'head', 'sha'), shaAt(value, 'base', 'sha')]
  if (number === undefined || headSha === undefined || baseSha === undefined) return undefined
  const headRepository = textAt(value, 'head', 'repo', 'full_name')
  const mergeSha = shaAt(value, 'merge_commit_sha')
  return {
    number,
    headSha,
    baseSha,
    ...defined({ headRepository, mergeSha }),
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
