import { test as base, describe, expect } from 'vitest'
import { createPullRequest } from '../../src/github/pull-request.ts'
import { formatMarker } from '../../src/model/marker.ts'
import type { FoundPullRequest } from '../../src/ports.ts'
import { type GithubDouble, startGithubDouble } from '../doubles/github/double.ts'

const key = 'k1'
const marker = formatMarker({ key })
const pull: FoundPullRequest = {
  number: 57,
  url: 'https://github.com/acme/shop/pull/57',
  headSha: 'abc',
  isFork: false,
}
const comments = { method: 'POST', path: /\/issues\/57\/comments$/ }

/** A double for each test, so that the pauses the client makes between writes go on side by side. */
const test = base.extend<{ github: GithubDouble }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures that are used from the pattern.
  github: async ({}, use) => {
    const double = await startGithubDouble()
    await use(double)
    await double.close()
  },
})

describe.concurrent('the pull request of an event', () => {
  const payload = {
    pull_request: {
      number: 57,
      html_url: pull.url,
      head: { sha: 'abc', repo: { full_name: 'acme/shop' } },
      base: { repo: { full_name: 'acme/shop' } },
    },
  }

  test.for(['pull_request', 'pull_request_target'])('%s names it', async (event, { github }) => {
    expect(await adapter(github, { event, payload }).find()).toEqual(pull)
  })

  test('a head repository other than the base is a fork, a deleted one too (issue 5, Comment)', async ({ github }) => {
    const fork = { ...payload.pull_request, head: { sha: 'abc', repo: { full_name: 'eve/shop' } } }
    const gone = { ...payload.pull_request, head: { sha: 'abc', repo: null } }

    const found = await Promise.all(
      [fork, gone].map((pull_request) => adapter(github, { payload: { pull_request } }).find()),
    )

    expect(found.map((one) => one?.isFork)).toEqual([true, true])
  })

  test('a push has none, nor has a payload of another shape', async ({ github }) => {
    expect(await adapter(github, { event: 'push', payload }).find()).toBeUndefined()
    expect(await adapter(github, { payload: { pull_request: { number: '57' } } }).find()).toBeUndefined()
  })
})

describe.concurrent('the comment is found by its marker, not by its text', () => {
  test('on the third page', async ({ github }) => {
    for (let i = 0; i < 250; i++) github.seed({ body: `comment ${i}`, login: 'ann', type: 'User' })
    const id = github.seed({ body: `${marker}\nplan`, login: 'github-actions[bot]' })

    expect((await adapter(github).findComment(pull, key))?.id).toBe(id)
  })

  test('a copy of the marker by somebody else does not count, nor one below line 1, nor another key', async ({
    github,
  }) => {
    github.seed({ body: `${marker}\nplan`, login: 'eve', type: 'User' })
    github.seed({ body: `see\n${marker}`, login: 'github-actions[bot]' })
    github.seed({ body: formatMarker({ key: 'k2' }), login: 'github-actions[bot]' })

    expect(await adapter(github).findComment(pull, key)).toBeUndefined()
  })

  test.for([
    ['GraphQL is refused: REST names the login', [{ status: 403, data: { message: 'no' } }], []],
    ['both are refused: the workflow bot', [{ status: 403, data: { message: 'no' } }], [{ status: 403, data: {} }]],
  ] as const)('%s', async ([, graphql, user], { github }) => {
    const id = github.seed({ body: `${marker}\nplan`, login: 'github-actions[bot]' })
    github.fail({ method: 'POST', path: /graphql/ }, ...graphql)
    github.fail({ method: 'GET', path: /^\/user$/ }, ...user)

    expect((await adapter(github).findComment(pull, key))?.id).toBe(id)
  })
})

describe.concurrent('one comment stays, whoever writes (action-ux 2.6)', () => {
  test('none yet: it is created', async ({ github }) => {
    const written = await adapter(github).upsertComment(pull, key, `${marker}\nplan`)

    expect(bodies(github)).toEqual([`${marker}\nplan`])
    expect(written.url).toMatch(/\/acme\/shop\/pull\/57#issuecomment-\d+$/)
  })

  test('one: it is updated in place', async ({ github }) => {
    const id = github.seed({ body: `${marker}\nold`, login: 'github-actions[bot]' })

    expect((await adapter(github).upsertComment(pull, key, `${marker}\nnew`)).id).toBe(id)
    expect(bodies(github)).toEqual([`${marker}\nnew`])
  })

  test('several: the lowest id stays', async ({ github }) => {
    const id = github.seed({ body: `${marker}\na`, login: 'github-actions[bot]' })
    github.seed({ body: `${marker}\nb`, login: 'github-actions[bot]' })
    github.seed({ body: 'of a person', login: 'ann', type: 'User' })

    await adapter(github).upsertComment(pull, key, `${marker}\nnew`)

    expect(github.comments().map((one) => [one.id, one.body])).toEqual([
      [id, `${marker}\nnew`],
      [id + 2, 'of a person'],
    ])
  })

  test('another job creates one between our look and our creation: ours goes, its one gets our text', async ({
    github,
  }) => {
    const before = () => github.seed({ body: `${marker}\ntheirs`, login: 'github-actions[bot]' })
    github.fail(comments, { before, isLost: true, status: 201, data: { id: 1_002, html_url: 'https://x.test/c' } })

    await adapter(github).upsertComment(pull, key, `${marker}\nours`)

    expect(github.comments().map((one) => [one.id, one.body])).toEqual([[1_001, `${marker}\nours`]])
  })

  test('a creation whose answer was lost is not repeated', async ({ github }) => {
    github.fail(comments, { isLost: true, status: 502, data: { message: 'Bad Gateway' } })

    await adapter(github).upsertComment(pull, key, `${marker}\nplan`)

    expect(bodies(github)).toEqual([`${marker}\nplan`])
    expect(github.requests().filter((one) => one.startsWith('POST /repos'))).toHaveLength(1)
  })

  test('a creation that did not arrive is tried again', async ({ github }) => {
    github.fail(comments, { status: 502, data: { message: 'Bad Gateway' } })

    await adapter(github).upsertComment(pull, key, `${marker}\nplan`)

    expect(bodies(github)).toEqual([`${marker}\nplan`])
  })
})

describe.concurrent('what GitHub refuses is told so that people can act (S-30)', () => {
  test('403: the permissions to paste', async ({ github }) => {
    github.fail(comments, { status: 403, data: { message: 'Resource not accessible by integration' } })

    await expect(adapter(github).upsertComment(pull, key, marker)).rejects.toMatchObject({
      kind: 'permission',
      message: expect.stringContaining('permissions:\n  contents: read\n  pull-requests: write'),
    })
  })

  test('404 is a missing permission as well', async ({ github }) => {
    github.fail({ method: 'GET', path: /comments/ }, { status: 404, data: { message: 'Not Found' } })

    await expect(adapter(github).findComment(pull, key)).rejects.toMatchObject({ kind: 'permission' })
  })

  test('422 for a long text is told apart', async ({ github }) => {
    await expect(adapter(github).upsertComment(pull, key, `${marker}\n${'x'.repeat(70_000)}`)).rejects.toMatchObject({
      kind: 'too-long',
    })
  })

  test('a read is tried three times, then given up', async ({ github }) => {
    const fault = { status: 502, data: { message: 'Bad Gateway' } }
    github.fail({ method: 'GET', path: /comments/ }, fault, fault, fault, fault)

    await expect(adapter(github).findComment(pull, key)).rejects.toMatchObject({ kind: 'other' })
    expect(github.requests().filter((one) => one.startsWith('GET'))).toHaveLength(3)
  })

  test('429 with a short retry-after is waited for', async ({ github }) => {
    const limited = {
      status: 429,
      headers: { 'retry-after': '1' },
      data: { message: 'You have exceeded a secondary rate limit' },
    }
    github.fail({ method: 'GET', path: /comments/ }, limited)

    expect(await adapter(github).findComment(pull, key)).toBeUndefined()
  })

  test('429 with a long retry-after is not', async ({ github }) => {
    const limited = {
      status: 429,
      headers: { 'retry-after': '60' },
      data: { message: 'You have exceeded a secondary rate limit' },
    }
    github.fail({ method: 'GET', path: /comments/ }, limited)

    await expect(adapter(github).findComment(pull, key)).rejects.toMatchObject({ kind: 'other' })
    expect(github.requests().filter((one) => one.startsWith('GET'))).toHaveLength(1)
  })
})

test('GitHub Enterprise Server: REST below /api/v3, GraphQL at /api/graphql', async ({ github }) => {
  await adapter(github, { base: '/api/v3' }).findComment(pull, key)

  expect(github.requests()).toEqual([
    'POST /api/graphql',
    'GET /api/v3/repos/acme/shop/issues/57/comments?per_page=100',
  ])
})

function adapter(
  github: GithubDouble,
  parts: { readonly event?: string; readonly payload?: unknown; readonly base?: string } = {},
) {
  return createPullRequest({
    token: 'test-token',
    environment: {
      GITHUB_API_URL: `${github.url}${parts.base ?? ''}`,
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_EVENT_NAME: parts.event ?? 'pull_request',
    },
    payload: parts.payload ?? {},
    retryUnitMs: 1,
  })
}

function bodies(github: GithubDouble): readonly string[] {
  return github.comments().map((comment) => comment.body)
}
