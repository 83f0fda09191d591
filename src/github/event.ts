import type { RunInfo } from '../model/pass.ts'
import type { FoundPullRequest } from '../ports.ts'

/** The variables of the runner; only `GITHUB_*` are read. */
export interface Environment {
  readonly [name: string]: string | undefined
}

/** What of `RunInfo` the event tells: on pull requests the commit is the head, not the merge commit that is checked out. */
export type RunFacts = Pick<RunInfo, 'commitSha' | 'runUrl' | 'runNumber' | 'runAttempt' | 'runId'>

/** `payload`: the JSON of `GITHUB_EVENT_PATH`. Foreign: every field is checked. */
export function runFacts(environment: Environment, payload: unknown): RunFacts {
  const commitSha = eventPullRequest(environment, payload)?.headSha ?? environment.GITHUB_SHA
  const runUrl = runUrlOf(environment)
  const [runId, runNumber] = [numberOf(environment.GITHUB_RUN_ID), numberOf(environment.GITHUB_RUN_NUMBER)]
  const runAttempt = numberOf(environment.GITHUB_RUN_ATTEMPT)
  return {
    ...(commitSha === undefined ? {} : { commitSha }),
    ...(runUrl === undefined ? {} : { runUrl }),
    ...(runId === undefined ? {} : { runId }),
    ...(runNumber === undefined ? {} : { runNumber }),
    ...(runAttempt === undefined ? {} : { runAttempt }),
  }
}

/** The pull request that the event itself names. Other events need a search (issue 5) and give undefined here. */
export function eventPullRequest(environment: Environment, payload: unknown): FoundPullRequest | undefined {
  if (!PULL_REQUEST_EVENTS.has(environment.GITHUB_EVENT_NAME ?? '')) return undefined
  const pullRequest = fieldOf(payload, 'pull_request')
  const number = fieldOf(pullRequest, 'number')
  const url = fieldOf(pullRequest, 'html_url')
  const headSha = fieldOf(fieldOf(pullRequest, 'head'), 'sha')
  if (typeof number !== 'number' || typeof url !== 'string' || typeof headSha !== 'string') return undefined
  return { number, url, headSha, isFork: isFork(pullRequest) }
}

/** `owner` and `repo` of the repository that the workflow runs in. */
export function repositoryOf(environment: Environment): { readonly owner: string; readonly repo: string } | undefined {
  const [owner, repo] = (environment.GITHUB_REPOSITORY ?? '').split('/')
  return owner === undefined || owner === '' || repo === undefined || repo === '' ? undefined : { owner, repo }
}

const PULL_REQUEST_EVENTS: ReadonlySet<string> = new Set(['pull_request', 'pull_request_target'])

/** By the pull request's own repositories, never by the checkout; a deleted head repository counts as a fork (issue 5). */
function isFork(pullRequest: unknown): boolean {
  const head = fieldOf(fieldOf(fieldOf(pullRequest, 'head'), 'repo'), 'full_name')
  const base = fieldOf(fieldOf(fieldOf(pullRequest, 'base'), 'repo'), 'full_name')
  return typeof head !== 'string' || head !== base
}

function runUrlOf(environment: Environment): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = environment
  if (!server || !repository || !run) return undefined
  const attempt = numberOf(environment.GITHUB_RUN_ATTEMPT) ?? 1
  return `${server}/${repository}/actions/runs/${run}${attempt > 1 ? `/attempts/${attempt}` : ''}`
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return Reflect.get(value, name)
}
