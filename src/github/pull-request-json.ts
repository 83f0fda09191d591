import { defined } from '../model/defined.ts'
import type { FoundPullRequest } from '../ports.ts'
import { jsonCount, jsonField, jsonText } from './json-field.ts'

/** A pull request as payloads and the REST API write it; undefined where it has another shape. */
export function parsePullRequest(value: unknown): FoundPullRequest | undefined {
  const number = jsonCount(value, 'number')
  const [headSha, baseSha] = [commitShaAt(value, 'head', 'sha'), commitShaAt(value, 'base', 'sha')]
  if (number === undefined || headSha === undefined || baseSha === undefined) return undefined
  const headRepository = jsonText(value, 'head', 'repo', 'full_name')
  const mergeSha = commitShaAt(value, 'merge_commit_sha')
  return {
    number,
    headSha,
    baseSha,
    ...defined({ headRepository, mergeSha }),
    isOpen: jsonField(value, 'state') === 'open',
    // By the pull request's own repositories, never by the checkout (docs/decisions/0026). A deleted head repository
    // counts as a fork.
    isFork: headRepository === undefined || headRepository !== jsonText(value, 'base', 'repo', 'full_name'),
    isDependabot: jsonText(value, 'user', 'login') === 'dependabot[bot]',
  }
}

/** SHA-1 or SHA-256 of a commit; the zeros of a deleted branch are none. */
export function commitShaAt(value: unknown, ...path: readonly string[]): string | undefined {
  const text = jsonText(value, ...path)
  return text !== undefined && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) && /[^0]/.test(text) ? text : undefined
}
