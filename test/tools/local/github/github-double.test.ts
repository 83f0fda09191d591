import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type GithubDouble, startGithubDouble } from '../../../../src/tools/local/github/github-double.ts'

let github: GithubDouble

beforeEach(async () => {
  github = await startGithubDouble()
})
afterEach(async () => {
  await github.close().catch(() => {}) // Violations are what these tests are about.
})

describe('the double of GitHub keeps to the published description', () => {
  test.each([
    ['no such operation', 'GET', '/repos/acme/shop/labels', undefined, /no such operation/],
    [
      'an unknown query parameter',
      'GET',
      '/repos/acme/shop/issues/57/comments?perpage=9',
      undefined,
      /perpage is unknown/,
    ],
    [
      'a query of another type',
      'GET',
      '/repos/acme/shop/pulls?state=merged',
      undefined,
      /state must be equal to one of/,
    ],
    ['a path of another type', 'GET', '/repos/acme/shop/pulls/last', undefined, /pull_number must be integer/],
    ['a body without what it needs', 'POST', '/repos/acme/shop/issues/57/comments', {}, /required property 'body'/],
    ['a body of another type', 'POST', '/repos/acme/shop/issues/57/comments', { body: 5 }, /body must be string/],
    ['an unknown member', 'POST', '/repos/acme/shop/issues/57/comments', { body: '', text: '' }, /text is unknown/],
    ['an unknown field of GraphQL', 'POST', '/graphql', { query: '{ viewer { name } }' }, /Cannot query field "name"/],
    ['a query of GraphQL that does not end', 'POST', '/graphql', { query: '{ viewer {' }, /Syntax Error/],
  ] as const)('%s is a violation', async (_case, method, path, sent, expected) => {
    await ask(method, path, sent)
    expect(github.violations().join('\n')).toMatch(expected)
    await expect(github.close()).rejects.toThrow(expected)
  })

  test('a request without a token', async () => {
    await fetch(`${github.url}/user`)
    expect(github.violations()).toEqual(['GET /user: no token'])
  })

  test.each([
    ['an answer that lacks a member', { status: 200, data: [{ id: 5 }] }, /required property 'node_id'/],
    ['an error without a message', { status: 502, data: {} }, /an error without a message/],
    ['a success that is not described', { status: 204 }, /answer 204: the description has no such answer/],
  ] as const)('%s is one of the double itself', async (_case, fault, expected) => {
    github.fail({ method: 'GET', path: /comments$/ }, fault)
    await ask('GET', '/repos/acme/shop/issues/57/comments')
    expect(github.violations().join('\n')).toMatch(expected)
  })

  test('a comparison that lacks a member is one of the double itself', async () => {
    github.fail({ method: 'GET', path: /compare/ }, { status: 200, data: { merge_base_commit: {} } })
    await ask('GET', '/repos/acme/shop/compare/a...b')
    expect(github.violations().join('\n')).toMatch(/body\.merge_base_commit must have required property 'sha'/)
  })

  test('what it answers by itself is as described', async () => {
    const id = github.seed({ body: 'plan', login: 'github-actions[bot]' })
    github.seedPull({ number: 61, headRepository: null })
    github.seedRole('ann', { permission: 'write', role_name: 'maintain' })
    github.seedArchive('abc1234', Uint8Array.of(1))
    const base = '/repos/acme/shop'
    for (const path of [
      '/user',
      `${base}/issues/57/comments`,
      `${base}/issues/comments/${id}`,
      `${base}/pulls/57`,
      `${base}/pulls/61`,
      `${base}/pulls?state=all`,
      `${base}/commits/def5678def5678def5678def5678def5678def56/pulls`,
      `${base}/compare/ba5e000ba5e000ba5e000ba5e000ba5e000ba5e0...def5678def5678def5678def5678def5678def56`,
      `${base}/collaborators/ann/permission`,
      `${base}/tarball/abc1234`,
    ]) {
      expect(await ask('GET', path), path).toBeLessThan(400)
    }
    expect(await ask('POST', `${base}/issues/57/comments`, { body: 'x' })).toBe(201)
    expect(await ask('POST', `${base}/issues/57/comments`, { body: 'x'.repeat(70_000) })).toBe(422)
    expect(await ask('PATCH', `${base}/issues/comments/${id}`, { body: 'y' })).toBe(200)
    expect(await ask('DELETE', `${base}/issues/comments/${id}`)).toBe(204)
    expect(github.violations()).toEqual([])
  })
})

async function ask(method: string, path: string, body?: unknown): Promise<number> {
  const response = await fetch(`${github.url}${path}`, {
    method,
    headers: { authorization: 'token x', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'manual',
  })
  return response.status
}
