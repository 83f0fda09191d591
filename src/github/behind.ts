import { defined } from '../model/defined.ts'
import type { FoundPullRequest } from '../ports.ts'
import { countAt, fieldAt, listAt, textAt } from './field.ts'
import { pullRequestOf, shaAt } from './found.ts'
import { type Environment, eventPullRequest, repositoryOf } from './workflow-event.ts'

/** Where the pull request behind a run is to be looked for. */
export type Search =
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
 * What each event tells of its pull request. `override`: input `pull-request`, on every event.
 * Source: docs/sources.md#github-pull-requests-of-a-commit.
 */
export function searchOf(environment: Environment, payload: unknown, override?: number): Search {
  if (override !== undefined) return { kind: 'number', number: override }
  switch (environment.GITHUB_EVENT_NAME) {
    case 'pull_request':
    case 'pull_request_target':
      return known(pullRequestOf(eventPullRequest(environment, payload)))
    case 'issue_comment':
      return fieldAt(payload, 'issue', 'pull_request') ? numbered(countAt(payload, 'issue', 'number')) : NONE
    case 'merge_group':
      return numbered(queuedNumber(textAt(payload, 'merge_group', 'head_ref')))
    case 'push':
      return fieldAt(payload, 'deleted') === true ? NONE : ofRef(environment, true)
    case 'workflow_dispatch':
    case 'schedule':
      return ofRef(environment, false)
    case 'workflow_run':
      return ofEarlierRun(environment, fieldAt(payload, 'workflow_run'), payload)
    default:
      return NONE
  }
}

const NONE: Search = { kind: 'none' }

function known(pullRequest: FoundPullRequest | undefined): Search {
  return pullRequest === undefined ? NONE : { kind: 'known', pullRequest }
}

function numbered(number: number | undefined): Search {
  return number === undefined ? NONE : { kind: 'number', number }
}

/** `refs/heads/gh-readonly-queue/main/pr-57-0123abc`; names of base branches may hold anything, so the end decides. */
function queuedNumber(ref: string | undefined): number | undefined {
  const digits = /^refs\/heads\/gh-readonly-queue\/.+\/pr-(\d{1,15})-[0-9a-f]{7,64}$/.exec(ref ?? '')?.[1]
  return digits === undefined ? undefined : countAt({ number: Number(digits) }, 'number')
}

function ofRef(environment: Environment, mayBeMerged: boolean): Search {
  const sha = shaAt(environment, 'GITHUB_SHA')
  const headOwner = repositoryOf(environment)?.owner
  const branch = /^refs\/heads\/(.+)$/.exec(environment.GITHUB_REF ?? '')?.[1]
  if (sha === undefined || headOwner === undefined || (branch === undefined && !mayBeMerged)) return NONE
  return { kind: 'commit', commit: { sha, headOwner, ...defined({ branch }), mayBeMerged } }
}

/** The run's list of pull requests is GitHub's own; it is empty for forks, and may name pull requests of other repositories. */
function ofEarlierRun(environment: Environment, run: unknown, payload: unknown): Search {
  const sha = shaAt(run, 'head_sha')
  if (sha === undefined) return NONE
  const here = countAt(payload, 'repository', 'id')
  const listed = listAt(run, 'pull_requests').find(
    (one) => here !== undefined && countAt(one, 'base', 'repo', 'id') === here && shaAt(one, 'head', 'sha') === sha,
  )
  const number = countAt(listed, 'number')
  if (number !== undefined) return { kind: 'number', number, headSha: sha }
  const headOwner = textAt(run, 'head_repository', 'owner', 'login')
  const branch = textAt(run, 'head_branch')
  if (headOwner === undefined) return NONE
  const isHere = textAt(run, 'head_repository', 'full_name') === environment.GITHUB_REPOSITORY
  return {
    kind: 'commit',
    commit: { sha, headOwner, ...defined({ branch }), mayBeMerged: isHere },
  }
}
