import { defined } from '../model/defined.ts'
import type { FoundPullRequest } from '../ports.ts'
import { jsonCount, jsonField, jsonList, jsonText } from './json-field.ts'
import { commitShaAt, parsePullRequest } from './pull-request-json.ts'
import { type Environment, eventPullRequest, repositoryOf } from './workflow-event.ts'

/** How to find the pull request that a run belongs to. */
export type PullRequestSearch =
  | { readonly kind: 'none' }
  | { readonly kind: 'known'; readonly pullRequest: FoundPullRequest }
  /** `headSha`: only while this is its head. */
  | { readonly kind: 'number'; readonly number: number; readonly headSha?: string }
  | { readonly kind: 'commit'; readonly commit: CommitSearch }

/** A commit, and the branch that it is the head of. */
export interface CommitSearch {
  readonly sha: string
  /** Owner of the repository that the branch is in. */
  readonly headOwner: string
  /** Absent for tags. */
  readonly branch?: string
  /** The commit may also have come into this repository's branch by a pull request. */
  readonly mayBeMerged: boolean
}

/**
 * Where each event says that its pull request is. `override`: input `pull-request`, on every event.
 * Source: docs/sources.md#github-pull-requests-of-a-commit.
 */
export function searchForEvent(environment: Environment, payload: unknown, override?: number): PullRequestSearch {
  if (override !== undefined) return { kind: 'number', number: override }
  switch (environment.GITHUB_EVENT_NAME) {
    case 'pull_request':
    case 'pull_request_target':
      return searchInEvent(environment, payload)
    case 'issue_comment':
      return jsonField(payload, 'issue', 'pull_request')
        ? searchByNumber(jsonCount(payload, 'issue', 'number'))
        : NO_PULL_REQUEST
    case 'merge_group':
      return searchByNumber(queuedNumber(jsonText(payload, 'merge_group', 'head_ref')))
    case 'push':
      return jsonField(payload, 'deleted') === true ? NO_PULL_REQUEST : searchByRef(environment, true)
    case 'workflow_dispatch':
    case 'schedule':
      return searchByRef(environment, false)
    case 'workflow_run':
      return searchByEarlierRun(environment, jsonField(payload, 'workflow_run'), payload)
    default:
      return NO_PULL_REQUEST
  }
}

const NO_PULL_REQUEST: PullRequestSearch = { kind: 'none' }

/** Other servers, local runners and events that were made by hand leave fields out: then its number is enough to ask GitHub. */
function searchInEvent(environment: Environment, payload: unknown): PullRequestSearch {
  const described = eventPullRequest(environment, payload)
  const pullRequest = isComplete(described) ? parsePullRequest(described) : undefined
  if (pullRequest !== undefined) return { kind: 'known', pullRequest }
  const ofRef = /^refs\/pull\/(\d{1,15})\/(?:merge|head)$/.exec(environment.GITHUB_REF ?? '')?.[1]
  const number = jsonCount(described, 'number') ?? jsonCount(payload, 'number')
  return searchByNumber(number ?? jsonCount({ number: Number(ofRef) }, 'number'))
}

/** Whether it says what is decided by it. The repository of the head is null where it was deleted, which is an answer. */
function isComplete(described: unknown): boolean {
  const isKnownHead =
    jsonField(described, 'head', 'repo') === null || jsonText(described, 'head', 'repo', 'full_name') !== undefined
  const texts = [['state'], ['user', 'login'], ['base', 'repo', 'full_name']] as const
  return isKnownHead && texts.every((path) => jsonText(described, ...path) !== undefined)
}

function searchByNumber(number: number | undefined): PullRequestSearch {
  return number === undefined ? NO_PULL_REQUEST : { kind: 'number', number }
}

/** `refs/heads/gh-readonly-queue/main/pr-57-0123abc`; names of base branches may hold anything, so the end decides. */
function queuedNumber(ref: string | undefined): number | undefined {
  const digits = /^refs\/heads\/gh-readonly-queue\/.+\/pr-(\d{1,15})-[0-9a-f]{7,64}$/.exec(ref ?? '')?.[1]
  return digits === undefined ? undefined : jsonCount({ number: Number(digits) }, 'number')
}

function searchByRef(environment: Environment, mayBeMerged: boolean): PullRequestSearch {
  const sha = commitShaAt(environment, 'GITHUB_SHA')
  const headOwner = repositoryOf(environment)?.owner
  const branch = /^refs\/heads\/(.+)$/.exec(environment.GITHUB_REF ?? '')?.[1]
  if (sha === undefined || headOwner === undefined || (branch === undefined && !mayBeMerged)) return NO_PULL_REQUEST
  return { kind: 'commit', commit: { sha, headOwner, ...defined({ branch }), mayBeMerged } }
}

/** The run's list of pull requests is GitHub's own; it is empty for forks, and may name pull requests of other repositories. */
function searchByEarlierRun(environment: Environment, run: unknown, payload: unknown): PullRequestSearch {
  const sha = commitShaAt(run, 'head_sha')
  if (sha === undefined) return NO_PULL_REQUEST
  const here = jsonCount(payload, 'repository', 'id')
  const listed = jsonList(run, 'pull_requests').find(
    (one) =>
      here !== undefined && jsonCount(one, 'base', 'repo', 'id') === here && commitShaAt(one, 'head', 'sha') === sha,
  )
  const number = jsonCount(listed, 'number')
  if (number !== undefined) return { kind: 'number', number, headSha: sha }
  const headOwner = jsonText(run, 'head_repository', 'owner', 'login')
  const branch = jsonText(run, 'head_branch')
  if (headOwner === undefined) return NO_PULL_REQUEST
  const isHere = jsonText(run, 'head_repository', 'full_name') === environment.GITHUB_REPOSITORY
  return {
    kind: 'commit',
    commit: { sha, headOwner, ...defined({ branch }), mayBeMerged: isHere },
  }
}
