import { randomUUID } from 'node:crypto'
import { getOctokit } from '@actions/github'
import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'

export type Octokit = ReturnType<typeof getOctokit>

export interface OctokitSettings {
  readonly token: string
  /** `https://api.github.com`, or `https://HOST/api/v3` on GitHub Enterprise Server. */
  readonly baseUrl: string
  /** Unit of the waits between tries, in ms; tests make it short. */
  readonly retryUnitMs: number
}

/** A comment must never delay a deploy: longer waits than this, in seconds, are not made. */
const MAX_WAIT_SECONDS = 10
const MAX_RETRIES = 2

/** A client of GitHub's API with three tries (issue 5, Comment) that keeps the limits of 403 and 429 answers. */
export function octokitOf(settings: OctokitSettings): Octokit {
  const wantsRetry = (waitSeconds: number, _options: unknown, _octokit: unknown, retryCount: number) =>
    waitSeconds <= MAX_WAIT_SECONDS && retryCount < MAX_RETRIES
  return getOctokit(
    settings.token,
    {
      baseUrl: settings.baseUrl,
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

function ignore(): void {
  // Failures reach the caller as errors.
}
