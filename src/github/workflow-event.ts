import { defined } from '../model/defined.ts'
import { openEvents } from '../model/open-events.ts'
import type { RunInfo } from '../model/pass.ts'
import { jsonField, jsonText } from './json-field.ts'
import { commitShaAt } from './pull-request-json.ts'

/** The variables of the runner; only `GITHUB_*` are read. */
export interface Environment {
  readonly [name: string]: string | undefined
}

/**
 * The part of `RunInfo` that the event knows. The commit is the head of the pull request, not the merge commit that is checked out,
 * and on `workflow_run` the head of the run that came before; on `issue_comment` the event knows none but the default branch's.
 */
export type RunFacts = Pick<RunInfo, 'commitSha' | 'runUrl' | 'runNumber' | 'runAttempt' | 'runId'>

/** What the event decides about trust and about the comment (docs/decisions/0024, docs/decisions/0025). */
export interface EventFacts {
  /** `GITHUB_EVENT_NAME`; empty outside of a workflow. */
  readonly name: string
  /** `pull_request` and `pull_request_target`. */
  readonly isPullRequest: boolean
  /** Runs with the repository's own token and secrets, whoever wrote the code of the pull request. */
  readonly isPrivileged: boolean
  readonly isMergeGroup: boolean
  /** Of `workflow_run`: whether the run before had the code of another repository; one that is not known counts as such. */
  readonly isFromFork?: boolean
  /** Login of who started the run by a comment, a review or the like; an edit of a comment counts as its author's. */
  readonly commenter?: string
}

/** `payload`: the JSON of `GITHUB_EVENT_PATH`. Foreign: every field is checked. */
export function runFacts(environment: Environment, payload: unknown): RunFacts {
  const commitSha = eventHead(environment, payload) ?? environment.GITHUB_SHA
  const runUrl = runUrlOf(environment)
  const [runId, runNumber] = [
    positiveInteger(environment.GITHUB_RUN_ID),
    positiveInteger(environment.GITHUB_RUN_NUMBER),
  ]
  const runAttempt = positiveInteger(environment.GITHUB_RUN_ATTEMPT)
  return {
    ...defined({ commitSha, runUrl, runId, runNumber, runAttempt }),
  }
}

export function eventFacts(environment: Environment, payload: unknown): EventFacts {
  const name = environment.GITHUB_EVENT_NAME ?? ''
  const commenter = openEvents.has(name) ? askerOf(name, payload) : undefined
  return {
    name,
    isPullRequest: PULL_REQUEST_EVENTS.has(name),
    isPrivileged: PRIVILEGED_EVENTS.has(name),
    isMergeGroup: name === 'merge_group',
    ...(name === 'workflow_run' ? { isFromFork: isOfOtherRepository(payload) } : {}),
    ...defined({ commenter }),
  }
}

function askerOf(name: string, payload: unknown): string | undefined {
  if (name === 'pull_request_review') return jsonText(payload, 'review', 'user', 'login')
  return name.endsWith('_comment')
    ? jsonText(payload, 'comment', 'user', 'login')
    : jsonText(payload, 'sender', 'login')
}

function isOfOtherRepository(payload: unknown): boolean {
  const head = jsonText(payload, 'workflow_run', 'head_repository', 'full_name')
  return head === undefined || head !== jsonText(payload, 'repository', 'full_name')
}

/** The pull request that the event itself describes; other events need a search. */
export function eventPullRequest(environment: Environment, payload: unknown): unknown {
  return PULL_REQUEST_EVENTS.has(environment.GITHUB_EVENT_NAME ?? '') ? jsonField(payload, 'pull_request') : undefined
}

/** `owner` and `repo` of the repository that the workflow runs in. */
export function repositoryOf(environment: Environment): { readonly owner: string; readonly repo: string } | undefined {
  const [owner, repo] = (environment.GITHUB_REPOSITORY ?? '').split('/')
  return owner === undefined || owner === '' || repo === undefined || repo === '' ? undefined : { owner, repo }
}

const PULL_REQUEST_EVENTS: ReadonlySet<string> = new Set(['pull_request', 'pull_request_target'])
const PRIVILEGED_EVENTS: ReadonlySet<string> = new Set(['pull_request_target', 'issue_comment', 'workflow_run'])

function eventHead(environment: Environment, payload: unknown): string | undefined {
  if (environment.GITHUB_EVENT_NAME === 'workflow_run') return commitShaAt(payload, 'workflow_run', 'head_sha')
  return commitShaAt(eventPullRequest(environment, payload), 'head', 'sha')
}

function runUrlOf(environment: Environment): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = environment
  if (!server || !repository || !run) return undefined
  const attempt = positiveInteger(environment.GITHUB_RUN_ATTEMPT) ?? 1
  return `${server}/${repository}/actions/runs/${run}${attempt > 1 ? `/attempts/${attempt}` : ''}`
}

function positiveInteger(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
