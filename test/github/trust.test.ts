import { describe, expect } from 'vitest'
import type { FoundComment } from '../../src/ports.ts'
import type { GithubDouble } from '../../src/tools/local/github/github-double.ts'
import { adapter, BOT, body, key, pull, test, write } from './adapter.ts'

const ann = { login: 'ann', type: 'User' } as const
const graphql = { method: 'POST', path: /graphql$/ }
const viewer = { status: 200, data: { data: { viewer: { login: BOT } } } }

describe.concurrent('whether a comment is the own text of the login, by `editor` of GraphQL', () => {
  const isEdited = async (github: GithubDouble, act: (comment: FoundComment) => void = () => {}) => {
    const port = adapter(github)
    const [comment] = await port.openComments(pull, key)
    if (comment === undefined) throw new Error('no comment')
    act(comment)
    return port.isEditedByOthers(comment)
  }

  test('never edited', async ({ github }) => {
    github.seed({ body: body('plan'), login: BOT })
    expect(await isEdited(github)).toBe(false)
  })

  test('edited by itself', async ({ github }) => {
    github.seed({ body: body('old'), login: BOT })
    await adapter(github).writeComment(pull, write(body('plan', 5)))
    expect(await isEdited(github)).toBe(false)
  })

  test.for([ann, { login: 'other-app[bot]', type: 'Bot' }, { login: 'github-actions', type: 'User' }] as const)(
    'edited by $login ($type)',
    async (by, { github }) => {
      const id = github.seed({ body: body('plan'), login: BOT })
      github.edit(id, { body: body('plan, but with other numbers'), by })
      expect(await isEdited(github)).toBe(true)
    },
  )

  test('edited by somebody between our look and our question, back by us after it', async ({ github }) => {
    const id = github.seed({ body: body('plan'), login: BOT })
    const back = () => github.edit(id, { body: body('another plan'), by: { login: BOT, type: 'Bot' } })
    expect(await isEdited(github, back)).toBe(true)
  })

  const us = { __typename: 'Bot', login: 'github-actions' }
  const unknown = {
    'GraphQL is refused': { status: 403, data: { message: 'Resource not accessible by integration' } },
    'an answer of errors': { status: 200, data: { errors: [{ message: 'Something went wrong' }] } },
    'errors beside data': {
      status: 200,
      data: { data: { node: { body: body('plan'), lastEditedAt: null, author: us, editor: null } }, errors: [{}] },
    },
    'a comment that is gone': { status: 200, data: { data: { node: null } } },
    'an author that is gone': {
      status: 200,
      data: { data: { node: { body: body('plan'), lastEditedAt: null, author: null, editor: null } } },
    },
    'an editor that is gone': {
      status: 200,
      data: {
        data: {
          node: {
            body: body('plan'),
            lastEditedAt: '2026-01-01T00:00:00Z',
            author: us,
            editor: null,
          },
        },
      },
    },
  }

  test.for(Object.entries(unknown))('unknown counts as edited: %s', async ([, fault], { github }) => {
    github.seed({ body: body('plan'), login: BOT })
    github.fail(graphql, viewer, fault)
    expect(await isEdited(github)).toBe(true)
  })
})

describe.concurrent('who may ask for a deploy in a comment', () => {
  test.for([
    ['admin', 'admin', true],
    ['write', 'maintain', true],
    ['write', 'write', true],
    ['write', 'release-manager', true],
    ['none', 'maintain', true],
    ['read', 'triage', false],
    ['read', 'read', false],
    ['none', 'none', false],
  ] as const)('%s (%s): %s', async ([permission, role_name, expected], { github }) => {
    github.seedRole('ann', { permission, role_name })
    expect(await adapter(github).mayWrite('ann')).toBe(expected)
  })

  test('nobody of that name', async ({ github }) => {
    expect(await adapter(github).mayWrite('nobody')).toBe(false)
  })

  test('an unknown answer is an error, not a yes', async ({ github }) => {
    github.seedRole('ann', { permission: 'admin', role_name: 'admin' })
    github.fail({ method: 'GET', path: /permission$/ }, { status: 403, data: { message: 'Forbidden' } })
    await expect(adapter(github).mayWrite('ann')).rejects.toMatchObject({ kind: 'permission' })
  })
})

describe.concurrent('the base of a pull request', () => {
  const parted = '9a47ed09a47ed09a47ed09a47ed09a47ed09a47e'

  test('where head and base part, within the repository', async ({ github }) => {
    github.seedPull({ number: 57, mergeBase: parted })
    expect(await adapter(github).mergeBase(pull)).toBe(parted)
  })

  const fork = { ...pull, headRepository: 'eve/shop', isFork: true }

  test('with the head in a fork', async ({ github }) => {
    github.seedPull({ number: 57, headRepository: 'eve/shop', mergeBase: parted })
    expect(await adapter(github).mergeBase(fork)).toBe(parted)
    expect(github.requests()[0]).toContain('...eve%3Adef5678')
  })

  test('with a head in a fork that may not be seen: as this repository keeps it', async ({ github }) => {
    github.seedPull({ number: 57, headRepository: 'eve/shop', mergeBase: parted })
    github.fail({ method: 'GET', path: /compare/ }, { status: 404, data: { message: 'Not Found' } })
    expect(await adapter(github).mergeBase(fork)).toBe(parted)
  })

  test('with a head whose repository is gone', async ({ github }) => {
    github.seedPull({ number: 57, headRepository: null, mergeBase: parted })
    const { headRepository: _gone, ...rest } = pull
    expect(await adapter(github).mergeBase({ ...rest, isFork: true })).toBe(parted)
  })

  test('the files of a commit come as they are; the token stays with the API', async ({ github }) => {
    const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251)
    github.seedArchive(pull.baseSha, bytes)
    expect(Buffer.from(await adapter(github).archive(pull.baseSha))).toEqual(Buffer.from(bytes))
  })

  test('below /api/v3 too', async ({ github }) => {
    github.seedArchive(pull.baseSha, Uint8Array.of(1, 2, 3))
    expect([...(await adapter(github, { base: '/api/v3' }).archive(pull.baseSha))]).toEqual([1, 2, 3])
  })

  test('an archive beyond the bound is not read to its end', async ({ github }) => {
    github.seedArchive(pull.baseSha, new Uint8Array(2_000_000))
    const port = adapter(github, { options: { maxArchiveBytes: 1_000_000 } })
    await expect(port.archive(pull.baseSha)).rejects.toMatchObject({
      kind: 'other',
      message: expect.stringContaining('larger than 1000000 bytes'),
    })
  })

  test('a commit that GitHub does not know', async ({ github }) => {
    await expect(adapter(github).archive(parted)).rejects.toMatchObject({ kind: 'permission' })
  })
})
