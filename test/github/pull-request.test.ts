import { describe, expect } from 'vitest'
import { formatMarker } from '../../src/github/comment-marker.ts'
import type { GithubDouble } from '../../src/tools/local/github/github-double.ts'
import { adapter, BOT, body, key, pull, test, write } from './adapter.ts'

const creations = { method: 'POST', path: /\/issues\/57\/comments$/ }
const updates = { method: 'PATCH', path: /\/issues\/comments\/\d+$/ }
const lists = { method: 'GET', path: /\/issues\/57\/comments$/ }
const badGateway = { status: 502, data: { message: 'Bad Gateway' } }

describe.concurrent('the comment is found by its marker, not by its text', () => {
  test('on the third page', async ({ github }) => {
    for (let i = 0; i < 250; i++) github.seed({ body: `comment ${i}`, login: 'ann', type: 'User' })
    const id = github.seed({ body: body('plan'), login: BOT })

    expect(await adapter(github).openComments(pull, key)).toEqual([
      {
        id,
        nodeId: `IC_${id}`,
        url: `${github.url}/acme/shop/pull/57#issuecomment-${id}`,
        body: body('plan'),
        marker: { key },
        text: 'plan',
      },
    ])
  })

  test('a copy of the marker by somebody else does not count, nor one below line 1, nor another key', async ({
    github,
  }) => {
    github.seed({ body: body('plan'), login: 'eve', type: 'User' })
    github.seed({ body: body('plan'), login: 'eve[bot]' })
    github.seed({ body: `see\n${body('plan')}`, login: BOT })
    github.seed({ body: formatMarker({ key: 'k2' }), login: BOT })

    expect(await adapter(github).openComments(pull, key)).toEqual([])
  })

  test('closed ones neither count nor change', async ({ github }) => {
    const closed = `${formatMarker({ key, isClosed: true })}\n\ndeployed`
    github.seed({ body: closed, login: BOT })

    expect(await adapter(github).openComments(pull, key)).toEqual([])
    await adapter(github).writeComment(pull, write(body('new plan')))
    expect(bodies(github)).toEqual([closed, body('new plan')])
  })

  test.for([
    ['GraphQL is refused: REST names the login', 1],
    ['both are refused: the workflow bot', 2],
  ] as const)('%s', async ([, refusals], { github }) => {
    const id = github.seed({ body: body('plan'), login: BOT })
    const forbidden = { status: 403, data: { message: 'Resource not accessible by integration' } }
    github.fail({ method: 'POST', path: /graphql/ }, forbidden)
    if (refusals > 1) github.fail({ method: 'GET', path: /^\/user$/ }, forbidden)

    expect((await adapter(github).openComments(pull, key)).map((one) => one.id)).toEqual([id])
  })
})

describe.concurrent('whose token it is, and so who has written a comment', () => {
  const query = { method: 'POST', path: /graphql/ }
  const user = { method: 'GET', path: /^\/user$/ }

  test('GraphQL is asked again where GitHub is in trouble', async ({ github }) => {
    const id = github.seed({ body: body('plan'), login: BOT })
    github.fail(query, badGateway)
    expect((await adapter(github).openComments(pull, key)).map((one) => one.id)).toEqual([id])
  })

  test('is not guessed where GitHub is in trouble', async ({ github }) => {
    github.seed({ body: body('plan'), login: BOT })
    github.fail(query, { status: 403, data: { message: 'Resource not accessible by integration' } })
    github.fail(user, badGateway, badGateway, badGateway)
    await expect(adapter(github).openComments(pull, key)).rejects.toMatchObject({ kind: 'other' })
  })
})

describe.concurrent('one comment stays, whoever writes', () => {
  test('none yet: it is created', async ({ github }) => {
    const written = await adapter(github).writeComment(pull, write(body('plan')))

    expect(bodies(github)).toEqual([body('plan')])
    expect(written?.url).toMatch(/\/acme\/shop\/pull\/57#issuecomment-\d+$/)
  })

  test('one: it is updated in place', async ({ github }) => {
    const id = github.seed({ body: body('old'), login: BOT })

    expect((await adapter(github).writeComment(pull, write(body('new', 5))))?.id).toBe(id)
    expect(bodies(github)).toEqual([body('new', 5)])
  })

  test('several: the lowest id stays; what people wrote does too', async ({ github }) => {
    const id = github.seed({ body: body('a'), login: BOT })
    github.seed({ body: body('b'), login: BOT })
    github.seed({ body: 'of a person', login: 'ann', type: 'User' })

    await adapter(github).writeComment(pull, write(body('new', 5)))

    expect(github.comments().map((one) => [one.id, one.body])).toEqual([
      [id, body('new', 5)],
      [id + 2, 'of a person'],
    ])
  })

  test('another job removes the duplicate first', async ({ github }) => {
    for (const text of ['a', 'b']) github.seed({ body: body(text), login: BOT })
    github.fail({ method: 'DELETE', path: /comments/ }, { status: 404, isLost: true, data: { message: 'Not Found' } })

    expect((await adapter(github).writeComment(pull, write(body('new', 5))))?.body).toBe(body('new', 5))
    expect(bodies(github)).toEqual([body('new', 5)])
  })

  test('another job creates one between our look and our creation: ours goes, its one gets our text', async ({
    github,
  }) => {
    github.fail(creations, { before: () => github.seed({ body: body('theirs', 1), login: BOT }) })

    await adapter(github).writeComment(pull, write(body('ours', 5)))

    expect(github.comments().map((one) => [one.id, one.body])).toEqual([[1_001, body('ours', 5)]])
  })

  test('an older run that comes late leaves the later reading alone', async ({ github }) => {
    github.seed({ body: body('later', 9), login: BOT })
    const isNewerThan = ({ readAtMs = 0 }) => 5 > readAtMs

    expect(await adapter(github).writeComment(pull, write(body('earlier', 5), { isNewerThan }))).toBeUndefined()
    expect(bodies(github)).toEqual([body('later', 9)])
  })

  test('comment-mode always-new: the older one is closed and minimized as outdated, a new one stands below', async ({
    github,
  }) => {
    github.seed({ body: body('old'), login: BOT })

    await adapter(github).writeComment(pull, write(body('new', 5), { mode: 'new' }))

    expect(github.comments().map((one) => [one.body, one.minimized])).toEqual([
      [`${formatMarker({ key, isClosed: true })}\n\nold`, 'outdated'],
      [body('new', 5), undefined],
    ])
  })

  test('a token that may not minimize closes all the same', async ({ github }) => {
    github.seed({ body: body('old'), login: BOT })
    const refused = { status: 200, data: { errors: [{ message: 'Resource not accessible' }] } }
    github.fail(
      { method: 'POST', path: /graphql/ },
      { status: 200, data: { data: { viewer: { login: BOT } } } },
      refused,
    )

    await adapter(github).writeComment(pull, write(body('new', 5), { mode: 'new' }))

    expect(github.comments().map((one) => [one.body, one.minimized])).toEqual([
      [`${formatMarker({ key, isClosed: true })}\n\nold`, undefined],
      [body('new', 5), undefined],
    ])
  })
})

describe.concurrent('what does not arrive: three tries, no blind repeat of POST', () => {
  test('a creation whose answer was lost is not repeated', async ({ github }) => {
    github.fail(creations, { ...badGateway, isLost: true })

    await adapter(github).writeComment(pull, write(body('plan')))

    expect(bodies(github)).toEqual([body('plan')])
    expect(github.requests().filter((one) => one.startsWith('POST /repos'))).toHaveLength(1)
  })

  test('a creation that did not arrive is tried again, after another look', async ({ github }) => {
    github.fail(creations, badGateway)

    await adapter(github).writeComment(pull, write(body('plan')))

    const steps = github.requests().filter((one) => one.includes('/repos'))
    expect(steps.map((one) => one.split(' ')[0])).toEqual(['GET', 'POST', 'GET', 'POST', 'GET'])
    expect(bodies(github)).toEqual([body('plan')])
  })

  test('an update is tried three times, then given up', async ({ github }) => {
    github.seed({ body: body('old'), login: BOT })
    github.fail(updates, badGateway, badGateway, badGateway, badGateway)

    const writing = adapter(github).writeComment(pull, write(body('new', 5)))
    await expect(writing).rejects.toMatchObject({ name: 'CommentError', kind: 'other' })
    expect(github.requests().filter((one) => one.startsWith('PATCH'))).toHaveLength(3)
  })

  test('a read too', async ({ github }) => {
    github.fail(lists, badGateway, badGateway, badGateway, badGateway)

    await expect(adapter(github).openComments(pull, key)).rejects.toMatchObject({ kind: 'other' })
    expect(github.requests().filter((one) => one.startsWith('GET'))).toHaveLength(3)
  })

  test('after the time for one method nothing is tried any more', async ({ github }) => {
    github.fail(creations, badGateway)
    // Long enough for the requests before the one that fails, also on a busy machine.
    const slow = adapter(github, { options: { limitMs: 3_000, retryUnitMs: 60_000 } })

    await expect(slow.writeComment(pull, write(body('plan')))).rejects.toMatchObject(notInTime)
  })

  test("a wait between the client's own tries ends with the time for the method", async ({ github }) => {
    github.fail(lists, badGateway)
    const slow = adapter(github, { options: { limitMs: 2_000, retryUnitMs: 60_000 } })

    await expect(slow.openComments(pull, key)).rejects.toMatchObject(notInTime)
  })
})

const notInTime = { kind: 'other', message: expect.stringContaining('did not answer in time') }

describe.concurrent('what GitHub refuses is told so that people can act', () => {
  test('403: the permissions to paste', async ({ github }) => {
    github.fail(creations, { status: 403, data: { message: 'Resource not accessible by integration' } })

    await expect(adapter(github).writeComment(pull, write(body('plan')))).rejects.toMatchObject({
      kind: 'permission',
      message: expect.stringMatching(
        /from forks and of Dependabot the token is read-only:\npermissions:\n {2}contents: read\n {2}pull-/,
      ),
    })
  })

  test('404 is a missing permission as well', async ({ github }) => {
    github.fail(lists, { status: 404, data: { message: 'Not Found' } })

    await expect(adapter(github).openComments(pull, key)).rejects.toMatchObject({ kind: 'permission' })
  })

  test('422 for a long text: a shorter one is asked for', async ({ github }) => {
    const limits: number[] = []
    const text = (limitBytes: number) => {
      limits.push(limitBytes)
      return 'x'.repeat(limits.length === 1 ? 100_000 : limitBytes)
    }

    await adapter(github).writeComment(pull, write('', { content: () => ({ kind: 'whole', marker: { key }, text }) }))

    expect(limits).toHaveLength(2)
    expect(bodies(github)[0]?.length).toBeLessThan(65_536)
  })

  test('422 for a text that never gets short enough', async ({ github }) => {
    github.seed({ body: body('old'), login: BOT })
    const text = body('x'.repeat(70_000))
    await expect(adapter(github).writeComment(pull, write(text))).rejects.toMatchObject({ kind: 'too-long' })
    expect(github.requests().filter((one) => one.startsWith('PATCH'))).toHaveLength(3)
  })

  const limited = (seconds: string) => ({
    status: 429,
    headers: { 'retry-after': seconds },
    data: { message: 'You have exceeded a secondary rate limit' },
  })

  test('403 for the rate limit is no missing permission', async ({ github }) => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2147483647' }
    github.fail(lists, { status: 403, headers, data: { message: 'API rate limit exceeded' } })

    await expect(adapter(github).openComments(pull, key)).rejects.toMatchObject({ kind: 'other' })
  })

  test('429 with a short retry-after is waited for', async ({ github }) => {
    github.fail(lists, limited('1'))

    expect(await adapter(github).openComments(pull, key)).toEqual([])
  })

  test('429 with a long retry-after is not', async ({ github }) => {
    github.fail(lists, limited('60'))

    await expect(adapter(github).openComments(pull, key)).rejects.toMatchObject({ kind: 'other' })
    expect(github.requests().filter((one) => one.startsWith('GET'))).toHaveLength(1)
  })
})

describe.concurrent('GitHub Enterprise Server, by GITHUB_API_URL', () => {
  test('REST below /api/v3, GraphQL beside it', async ({ github }) => {
    await adapter(github, { base: '/api/v3' }).openComments(pull, key)

    expect(github.requests()).toEqual([
      'POST /api/graphql',
      'GET /api/v3/repos/acme/shop/issues/57/comments?per_page=100',
    ])
  })

  test('GITHUB_GRAPHQL_URL says where GraphQL is', async ({ github }) => {
    const environment = { GITHUB_GRAPHQL_URL: `${github.url}/graphql` }
    await adapter(github, { base: '/api/v3', environment }).openComments(pull, key)

    expect(github.requests()[0]).toBe('POST /graphql')
  })

  test('comments of all pages are read there, too', async ({ github }) => {
    for (let i = 0; i < 150; i++) github.seed({ body: `comment ${i}`, login: 'ann', type: 'User' })
    github.seed({ body: body('old'), login: BOT })

    await adapter(github, { base: '/api/v3' }).writeComment(pull, write(body('new', 5)))

    expect(bodies(github).at(-1)).toBe(body('new', 5))
    expect(github.requests().filter((one) => !one.includes('/api/'))).toEqual([])
  })
})

function bodies(github: GithubDouble): readonly string[] {
  return github.comments().map((comment) => comment.body)
}
