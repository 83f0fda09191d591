import { test as base } from 'vitest'
import { visibleText } from '../../src/github/comment-body.ts'
import { formatMarker, parseMarker } from '../../src/github/comment-marker.ts'
import { createPullRequest, type PullRequestOptions } from '../../src/github/pull-request.ts'
import { defined } from '../../src/model/defined.ts'
import type { CommentContent, CommentWrite, FoundPullRequest, PullRequest } from '../../src/ports.ts'
import { type GithubDouble, startGithubDouble } from '../../src/tools/local/github/github-double.ts'

/** A double for each test, so that the pauses the client makes between writes go on side by side. */
export const test = base.extend<{ readonly github: GithubDouble }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures that are used from the pattern.
  github: async ({}, use) => {
    const double = await startGithubDouble()
    await use(double)
    await double.close()
  },
})

/** Pull request 57 of the double, as the port gives it. */
export const pull: FoundPullRequest = {
  number: 57,
  headSha: 'def5678def5678def5678def5678def5678def56',
  headRepository: 'acme/shop',
  baseSha: 'ba5e000ba5e000ba5e000ba5e000ba5e000ba5e0',
  mergeSha: 'abc1234abc1234abc1234abc1234abc1234abc12',
  isOpen: true,
  isFork: false,
  isDependabot: false,
}

export const BOT = 'github-actions[bot]'
export const key = 'k1'

/** A comment's body: marker, then one line. */
export function body(text: string, readAtMs?: number): string {
  return `${formatMarker({ key, ...defined({ readAtMs }) })}\n\n${text}`
}

/** Writes this body, over whatever stands there. */
export function write(text: string, parts: Partial<CommentWrite> = {}): CommentWrite {
  return { key, mode: 'update', mayCreate: true, isNewerThan: () => true, content: () => contentOf(text), ...parts }
}

/** Marker and text of a body. */
export function contentOf(whole: string): CommentContent {
  return { kind: 'whole', marker: parseMarker(whole) ?? { key }, text: () => visibleText(whole) }
}

export interface Run {
  readonly event?: string
  readonly payload?: unknown
  /** Path behind the double's address that `GITHUB_API_URL` has: `/api/v3`. */
  readonly base?: string
  readonly environment?: { readonly [name: string]: string }
  readonly options?: Partial<PullRequestOptions>
}

/** The port as a run of `acme/shop` has it; its waits are short. */
export function adapter(github: GithubDouble, run: Run = {}): PullRequest {
  return createPullRequest({
    token: 'test-token',
    environment: {
      GITHUB_API_URL: `${github.url}${run.base ?? ''}`,
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_EVENT_NAME: run.event ?? 'pull_request',
      ...run.environment,
    },
    payload: run.payload ?? {},
    retryUnitMs: 1,
    settleMs: 1,
    ...run.options,
  })
}
