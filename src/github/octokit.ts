import { randomUUID } from 'node:crypto'
import { getOctokit } from '@actions/github'
import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'
import { githubFetch } from './github-fetch.ts'
import { jsonField, jsonList, jsonText } from './json-field.ts'
import type { Environment } from './workflow-event.ts'

export type Octokit = ReturnType<typeof getOctokit>

/** One repository's API, for the time of one method: `signal` ends the requests. */
export interface RepositoryApi {
  readonly octokit: Octokit
  readonly graphql: Graphql
  readonly owner: string
  readonly repo: string
  readonly signal: AbortSignal
}

/** Gives `data` of the answer; throws where the server refuses the query. A mutation is tried once. */
export type Graphql = (query: string, variables: GraphqlVariables, signal: AbortSignal) => Promise<unknown>

export interface GraphqlVariables {
  readonly [name: string]: string
}

export interface OctokitSettings {
  readonly token: string
  /** `https://api.github.com`, or `https://HOST/api/v3` on GitHub Enterprise Server. */
  readonly baseUrl: string
  /** Unit of the waits between tries, in ms; tests make it short. */
  readonly retryUnitMs: number
}

/** Longest wait before another try, in seconds: a comment must never delay a deploy. */
const MAX_WAIT_SECONDS = 10
const MAX_RETRIES = 2

/** A client of GitHub's API with three tries (docs/decisions/0031) that keeps the limits of 403 and 429 answers. */
export function octokitOf(settings: OctokitSettings): Octokit {
  const wantsRetry = (waitSeconds: number, _options: unknown, _octokit: unknown, retryCount: number) =>
    waitSeconds <= MAX_WAIT_SECONDS && retryCount < MAX_RETRIES
  return getOctokit(
    settings.token,
    {
      baseUrl: settings.baseUrl,
      request: { fetch: githubFetch(settings.baseUrl) },
      // Its warnings would go to the console, past the runner port.
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      retry: {
        retries: MAX_RETRIES,
        retryAfterBaseValue: settings.retryUnitMs,
        doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451],
      },
      throttle: {
        id: randomUUID(),
        retryAfterBaseValue: settings.retryUnitMs,
        onRateLimit: wantsRetry,
        onSecondaryRateLimit: wantsRetry,
      },
    },
    retry,
    throttling,
  )
}

/** Base of the REST API: `GITHUB_API_URL`. */
export function restUrlOf(environment: Environment): string {
  return environment.GITHUB_API_URL || 'https://api.github.com'
}

/** GraphQL at `GITHUB_GRAPHQL_URL`; without it beside the REST API, as GitHub Enterprise Server has it. */
export function graphqlOf(octokit: Octokit, environment: Environment): Graphql {
  const rest = restUrlOf(environment)
  const url = environment.GITHUB_GRAPHQL_URL || `${rest.replace(/\/api\/v3\/?$/, '/api')}/graphql`
  return async (query, variables, signal) => {
    const request = query.startsWith('mutation') ? { signal, retries: 0 } : { signal }
    const answer: unknown = await octokit.request(`POST ${url}`, { query, variables, request })
    const [refusal] = jsonList(answer, 'data', 'errors')
    if (refusal !== undefined) throw new Error(jsonText(refusal, 'message') ?? 'GraphQL refused the query')
    return jsonField(answer, 'data', 'data')
  }
}

function ignore(): void {
  // Failures reach the caller as errors.
}
