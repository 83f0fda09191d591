import { type Answer, type Asked, notFound, pageOf } from './api-answer.ts'
import type { StoredPull } from './github-state.ts'

/** One pull request by its number. */
export function pullOf(asked: Asked, number: string): Answer {
  const pull = asked.state.pulls.get(Number(number))
  return pull === undefined ? notFound() : { status: 200, data: pullJson(pull, asked, 'pull') }
}

/**
 * A list of pull requests, newest first: by head, base and state; or the ones that brought a commit, which leaves those
 * from forks out, as GitHub does.
 */
export function pullsOf(asked: Asked, commit: string): Answer {
  const { state, request } = asked
  const all = [...state.pulls.values()].sort((a, b) => b.number - a.number)
  const brought = ({ headSha, mergeSha, commits, headRepository, mergedAt }: StoredPull) =>
    headRepository === state.repository &&
    (headSha === commit || (mergedAt !== null && mergeSha === commit) || commits.includes(commit))
  const found = commit === '' ? all.filter((pull) => isListed(pull, request.query)) : all.filter(brought)
  return pageOf(asked, found, (pull) => pullJson(pull, asked, 'pulls'))
}

function isListed(pull: StoredPull, query: URLSearchParams): boolean {
  const [state, head, base] = [query.get('state') ?? 'open', query.get('head'), query.get('base')]
  const owner = pull.headRepository?.split('/')[0] ?? ''
  return (
    (state === 'all' || state === pull.state) &&
    (head === null || head === `${owner}:${pull.headRef}`) &&
    (base === null || base === pull.baseRef)
  )
}

/** `BASE...HEAD`, where the head of a fork may be `owner:HEAD`; known are heads and bases of pull requests. */
export function comparison(asked: Asked, basehead: string): Answer {
  const { state, description } = asked
  const pull = [...state.pulls.values()].find(({ headRepository, headSha, baseSha }) => {
    const owner = headRepository?.split('/')[0]
    return basehead === `${baseSha}...${headSha}` || basehead === `${baseSha}...${owner}:${headSha}`
  })
  if (pull === undefined) return notFound()
  const example = description.example('comparison')
  return {
    status: 200,
    data: { ...example, merge_base_commit: { ...Object(example.merge_base_commit), sha: pull.mergeBase } },
  }
}

function pullJson(pull: StoredPull, { state, description, url }: Asked, form: 'pull' | 'pulls') {
  const example = description.example(form)
  const branch = (of: unknown, ref: string, sha: string, repository: string | null) => {
    const described: { readonly repo?: unknown } = Object(of)
    const repo = repository === null ? null : { ...Object(described.repo), full_name: repository }
    return { ...described, label: `${repository?.split('/')[0] ?? 'unknown'}:${ref}`, ref, sha, repo }
  }
  return {
    ...example,
    number: pull.number,
    html_url: `${url}/${state.repository}/pull/${pull.number}`,
    state: pull.state,
    merged_at: pull.mergedAt,
    ...(form === 'pull' ? { merged: pull.mergedAt !== null } : {}),
    merge_commit_sha: pull.mergeSha,
    user: { ...Object(example.user), login: pull.author },
    // The description's own example lacks a member that it requires.
    requested_teams: [],
    head: branch(example.head, pull.headRef, pull.headSha, pull.headRepository),
    base: branch(example.base, pull.baseRef, pull.baseSha, state.repository),
  }
}
