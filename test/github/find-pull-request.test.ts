import { describe, expect } from 'vitest'
import type { GithubDouble } from '../../src/tools/local/github/github-double.ts'
import { PULL_REQUEST } from '../../src/tools/local/github/pull-request-event.ts'
import { adapter, pull, type Run, test } from './adapter.ts'

const HEAD = pull.headSha
const MERGED = '3e46ed03e46ed03e46ed03e46ed03e46ed03e46e'
const OTHER = '07e407e407e407e407e407e407e407e407e407e4'

/** What a repository's event is about, who answers, and with what number. */
interface Case extends Run {
  readonly seed?: (github: GithubDouble) => void
  readonly expected: number | undefined
}

const merged = { state: 'closed', mergedAt: '2026-03-01T10:00:00Z', mergeSha: MERGED } as const
const fork = { headRepository: 'eve/shop', headRef: 'patch-1', headSha: OTHER } as const
const pushed = (branch: string, sha: string) => ({ GITHUB_REF: `refs/heads/${branch}`, GITHUB_SHA: sha })
const queued = (ref: string) => ({ merge_group: { head_ref: `refs/heads/gh-readonly-queue/${ref}` } })
const earlierRun = (repository: string, branch: string, sha: string, listed: readonly unknown[] = []) => ({
  repository: { id: 1 },
  workflow_run: {
    head_sha: sha,
    head_branch: branch,
    head_repository: { full_name: repository, owner: { login: repository.split('/')[0] } },
    pull_requests: listed,
  },
})

const cases: { readonly [name: string]: Case } = {
  'push: the open one whose head it is': { event: 'push', environment: pushed('feature', HEAD), expected: 57 },
  'push: none, where its head is another commit by now': {
    event: 'push',
    environment: pushed('feature', OTHER),
    expected: undefined,
  },
  'push onto the base: the one that was merged as this commit, not one that only brings it on': {
    event: 'push',
    environment: pushed('main', MERGED),
    seed: (github) => {
      github.seedPull({ number: 57, ...merged })
      github.seedPull({ number: 90, headRef: 'main', headSha: MERGED, baseRef: 'production' })
    },
    expected: 57,
  },
  'push onto the base: the merged one from a fork, which the list of the commit leaves out': {
    event: 'push',
    environment: pushed('main', MERGED),
    seed: (github) => github.seedPull({ number: 61, ...fork, ...merged }),
    expected: 61,
  },
  'push onto the base, squashed or rebased: the newest merged one of the commit': {
    event: 'push',
    environment: pushed('main', OTHER),
    seed: (github) => {
      github.seedPull({ number: 58, ...merged, mergedAt: '2026-03-02T10:00:00Z', commits: [OTHER] })
      github.seedPull({ number: 59, ...merged, mergedAt: '2026-03-01T10:00:00Z', commits: [OTHER] })
    },
    expected: 58,
  },
  'push: closed without a merge does not count': {
    event: 'push',
    environment: pushed('main', MERGED),
    seed: (github) => github.seedPull({ number: 57, ...merged, mergedAt: null }),
    expected: undefined,
  },
  'push: an open one that holds the commit below its head does not count': {
    event: 'push',
    environment: pushed('other', OTHER),
    seed: (github) => github.seedPull({ number: 57, commits: [OTHER] }),
    expected: undefined,
  },
  'push of a tag: the one that was merged as this commit': {
    event: 'push',
    environment: { GITHUB_REF: 'refs/tags/v1', GITHUB_SHA: MERGED },
    seed: (github) => github.seedPull({ number: 57, ...merged }),
    expected: 57,
  },
  'push that deletes a branch: none': {
    event: 'push',
    payload: { deleted: true },
    environment: pushed('feature', HEAD),
    expected: undefined,
  },
  'merge_group: by its branch': { event: 'merge_group', payload: queued(`main/pr-57-${HEAD}`), expected: 57 },
  'merge_group: the base may be named as a queued one': {
    event: 'merge_group',
    payload: queued(`pr-1-${OTHER}/pr-57-${HEAD}`),
    expected: 57,
  },
  'merge_group: none by a branch of another form': {
    event: 'merge_group',
    payload: queued('pr-57'),
    expected: undefined,
  },
  'issue_comment on a pull request': {
    event: 'issue_comment',
    payload: { issue: { number: 57, pull_request: { url: 'https://api.github.com/pulls/57' } } },
    expected: 57,
  },
  'issue_comment on an issue: none': {
    event: 'issue_comment',
    payload: { issue: { number: 57 } },
    expected: undefined,
  },
  'workflow_run: by its list': {
    event: 'workflow_run',
    payload: earlierRun('acme/shop', 'feature', HEAD, [
      { number: 3, head: { sha: HEAD }, base: { repo: { id: 2 } } },
      { number: 57, head: { sha: HEAD }, base: { repo: { id: 1 } } },
    ]),
    expected: 57,
  },
  'workflow_run: none, where its head is another commit by now': {
    event: 'workflow_run',
    payload: earlierRun('acme/shop', 'feature', OTHER, [
      { number: 57, head: { sha: OTHER }, base: { repo: { id: 1 } } },
    ]),
    expected: undefined,
  },
  'workflow_run: one of an unknown repository does not count': {
    event: 'workflow_run',
    payload: {
      ...earlierRun('acme/shop', 'feature', HEAD, [{ number: 3, head: { sha: HEAD }, base: {} }]),
      repository: {},
    },
    expected: 57,
  },
  'workflow_run of a fork: by head repository and branch': {
    event: 'workflow_run',
    seed: (github) => github.seedPull({ number: 61, ...fork }),
    payload: earlierRun('eve/shop', 'patch-1', OTHER),
    expected: 61,
  },
  'workflow_run of a fork: none, where its head is another commit by now': {
    event: 'workflow_run',
    seed: (github) => github.seedPull({ number: 61, ...fork }),
    payload: earlierRun('eve/shop', 'patch-1', HEAD),
    expected: undefined,
  },
  'workflow_run of a fork whose branch stands at a commit that was merged here: none': {
    event: 'workflow_run',
    seed: (github) => github.seedPull({ number: 57, ...merged }),
    payload: earlierRun('eve/shop', 'main', MERGED),
    expected: undefined,
  },
  'workflow_run of a push onto the base': {
    event: 'workflow_run',
    seed: (github) => github.seedPull({ number: 57, ...merged }),
    payload: earlierRun('acme/shop', 'main', MERGED),
    expected: 57,
  },
  'workflow_dispatch on the branch of one': {
    event: 'workflow_dispatch',
    environment: pushed('feature', HEAD),
    expected: 57,
  },
  'workflow_dispatch on the base: none, also where it came by one': {
    event: 'workflow_dispatch',
    seed: (github) => github.seedPull({ number: 57, ...merged }),
    environment: pushed('main', MERGED),
    expected: undefined,
  },
  'schedule: none': { event: 'schedule', environment: pushed('main', OTHER), expected: undefined },
}

describe.concurrent('the pull request of an event', () => {
  test.for(Object.entries(cases))('%s', async ([, { seed, expected, ...run }], { github }) => {
    seed?.(github)
    expect((await adapter(github, run).find())?.number).toBe(expected)
  })

  test.for(['pull_request', 'pull_request_target'])('%s: its payload, without a request', async (event, { github }) => {
    const found = await adapter(github, { event, payload: PULL_REQUEST.payload }).find()
    expect(found).toEqual(pull)
    expect(github.requests()).toEqual([])
  })

  test('the API describes it as the payload does', async ({ github }) => {
    const found = await adapter(github, { event: 'merge_group', payload: queued(`main/pr-57-${HEAD}`) }).find()
    expect(found).toEqual(pull)
  })

  test.for([...new Set(Object.values(cases).map(({ event }) => event)), 'pull_request', 'repository_dispatch'])(
    'the input `pull-request` goes before whatever %s says',
    async (event, { github }) => {
      github.seedPull({ number: 58 })
      const run = { event: event ?? '', payload: PULL_REQUEST.payload, options: { override: 58 } }
      expect((await adapter(github, run).find())?.number).toBe(58)
    },
  )

  test('a payload without the address is complete', async ({ github }) => {
    const { html_url: _, ...described } = PULL_REQUEST.payload.pull_request
    expect(await adapter(github, { payload: { pull_request: described } }).find()).toEqual(pull)
    expect(github.requests()).toEqual([])
  })

  const described = PULL_REQUEST.payload.pull_request
  const without = (change: object) => ({ payload: { pull_request: { ...described, ...change } } })
  test.for<[string, Run]>([
    ['the head', without({ head: undefined })],
    ['the commit of the head', without({ head: { repo: described.head.repo } })],
    ['the repository of the head', without({ head: { sha: HEAD } })],
    ['the base', without({ base: undefined })],
    ['its state', without({ state: undefined })],
    ['its author', without({ user: null })],
    ['all but its number', { payload: { pull_request: { number: 57 } } }],
    ['its description', { payload: { number: 57 } }],
    ['everything, with the ref of the run', { payload: {}, environment: { GITHUB_REF: 'refs/pull/57/merge' } }],
  ])('a payload without %s: GitHub is asked by the number', async ([, run], { github }) => {
    for (const event of ['pull_request', 'pull_request_target']) {
      expect(await adapter(github, { event, ...run }).find()).toEqual(pull)
    }
  })

  test.for([{}, { pull_request: { number: '57' } }, { pull_request: { ...pull, number: -57 } }, []])(
    'a payload of another form names none: %j',
    async (payload, { github }) => {
      expect(await adapter(github, { payload }).find()).toBeUndefined()
    },
  )

  test('GitHub is asked once', async ({ github }) => {
    const port = adapter(github, { event: 'push', environment: pushed('feature', HEAD) })
    const [first, second] = await Promise.all([port.find(), port.find()])
    expect(await port.find()).toBe(first)
    expect(second).toBe(first)
    expect(github.requests()).toHaveLength(2)
  })
})

describe.concurrent('who wrote it is decided by its own repositories', () => {
  const found = (github: GithubDouble) => adapter(github, { options: { override: 57 } }).find()

  test.for([
    ['eve/shop', true],
    ['acme/other', true],
    [null, true],
    ['acme/shop', false],
  ] as const)('head in %s: fork %s', async ([headRepository, isFork], { github }) => {
    github.seedPull({ number: 57, headRepository })
    expect((await found(github))?.isFork).toBe(isFork)
  })

  test('a payload whose head has no repository any more is a fork, without a request', async ({ github }) => {
    const { head, ...rest } = PULL_REQUEST.payload.pull_request
    const payload = { pull_request: { ...rest, head: { ...head, repo: null } } }
    expect((await adapter(github, { payload }).find())?.isFork).toBe(true)
    expect(github.requests()).toEqual([])
  })

  test('Dependabot is known by its login', async ({ github }) => {
    github.seedPull({ number: 57, author: 'dependabot[bot]' })
    expect((await found(github))?.isDependabot).toBe(true)
  })

  test('the head of this moment is asked for', async ({ github }) => {
    github.seedPull({ number: 57, headSha: OTHER })
    expect(await adapter(github).headNow(pull)).toBe(OTHER)
  })
})
