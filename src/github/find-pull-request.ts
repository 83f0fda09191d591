import { unreachable } from '../model/unreachable.ts'
import type { FoundPullRequest } from '../ports.ts'
import type { RepositoryApi } from './octokit.ts'
import { parsePullRequest } from './pull-request-json.ts'
import type { CommitSearch, PullRequestSearch } from './pull-request-search.ts'

/** The pull request that the search means; undefined where there is none. */
export async function findPullRequest(
  api: RepositoryApi,
  search: PullRequestSearch,
): Promise<FoundPullRequest | undefined> {
  switch (search.kind) {
    case 'none':
      return undefined
    case 'known':
      return search.pullRequest
    case 'number': {
      const found = await pullRequestNow(api, search.number)
      return search.headSha === undefined || search.headSha === found.headSha ? found : undefined
    }
    case 'commit':
      return findByCommit(api, search.commit)
    default:
      return unreachable(search)
  }
}

/** The pull request as it is at this moment. */
export async function pullRequestNow(api: RepositoryApi, number: number): Promise<FoundPullRequest> {
  const { octokit, owner, repo, signal } = api
  const { data } = await octokit.rest.pulls.get({ owner, repo, pull_number: number, request: { signal } })
  return parsed(data)
}

/**
 * The one that was merged as this commit, else the open one whose head it is, else the newest merged one that contains the commit.
 * A commit's own list is empty for pull requests from forks, so heads and merge commits are compared as well.
 * Source: docs/sources.md#github-pull-requests-of-a-commit.
 */
async function findByCommit(api: RepositoryApi, commit: CommitSearch): Promise<FoundPullRequest | undefined> {
  const { sha, branch, mayBeMerged } = commit
  const listed = mayBeMerged ? (await listByCommit(api, sha)).filter((one) => one.merged_at !== null) : []
  const mergedAs = (one: ListedPullRequest) => one.merged_at !== null && one.merge_commit_sha === sha
  const found =
    listed.find(mergedAs) ??
    (branch === undefined
      ? undefined
      : (await listByHead(api, commit.headOwner, branch)).find((one) => one.head.sha === sha)) ??
    (branch === undefined || !mayBeMerged ? undefined : (await listClosedInto(api, branch)).find(mergedAs)) ??
    listed.toSorted((a, b) => (b.merged_at ?? '').localeCompare(a.merged_at ?? '') || b.number - a.number)[0]
  return found === undefined ? undefined : parsed(found)
}

type ListedPullRequest = Awaited<ReturnType<typeof listByHead>>[number]

async function listByCommit(
  { octokit, owner, repo, signal }: RepositoryApi,
  sha: string,
): Promise<readonly ListedPullRequest[]> {
  const { data } = await octokit.rest.repos.listPullRequestsAssociatedWithCommit({
    owner,
    repo,
    commit_sha: sha,
    per_page: PAGE_SIZE,
    request: { signal },
  })
  return data
}

async function listByHead({ octokit, owner, repo, signal }: RepositoryApi, headOwner: string, branch: string) {
  const { data } = await octokit.rest.pulls.list({
    owner,
    repo,
    head: `${headOwner}:${branch}`,
    state: 'open',
    per_page: PAGE_SIZE,
    request: { signal },
  })
  return data
}

/** Only those closed most recently: the push was a moment ago. */
async function listClosedInto(
  { octokit, owner, repo, signal }: RepositoryApi,
  base: string,
): Promise<readonly ListedPullRequest[]> {
  const { data } = await octokit.rest.pulls.list({
    owner,
    repo,
    base,
    state: 'closed',
    sort: 'updated',
    direction: 'desc',
    per_page: PAGE_SIZE,
    request: { signal },
  })
  return data
}

const PAGE_SIZE = 100

function parsed(data: unknown): FoundPullRequest {
  const found = parsePullRequest(data)
  if (found === undefined) throw new Error('GitHub described the pull request in an unknown form')
  return found
}
