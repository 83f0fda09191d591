import { describe, expect } from 'vitest'
import { PULL_REQUEST } from '../../src/tools/local/github/pull-request-event.ts'
import { chartOf } from './chart-of.ts'
import { test } from './scene.ts'

describe.concurrent('on a pull request', () => {
  test('the plan is a comment, and a later plan updates the same comment', async ({ action, github }) => {
    const run = { event: PULL_REQUEST, apiUrl: github.url }
    const first = await action.plan({ chart: 'plain', run })
    expect(first.exitCode).toBe(0)
    expect(first.outputs['comment-url']).toContain('#issuecomment-')
    expect(github.comments()).toHaveLength(1)
    expect(github.comments()[0]).toMatchObject({ issue: 57 })
    expect(github.comments()[0]?.body).toMatch(/^<!-- .* -->\n/)
    expect(github.comments()[0]?.body).toContain('4 to create')

    await action.deploy({ chart: 'plain' })
    const second = await action.plan({ chart: 'plain', inputs: { set: 'greeting=bonjour' }, run })
    expect(second.outputs['comment-url']).toBe(first.outputs['comment-url'])
    expect(github.comments()).toHaveLength(1)
    expect(github.comments()[0]?.body).toContain('1 to update')
    expect(github.comments()[0]?.body).toContain('bonjour')
  })

  test('a plan without a change writes no comment, but brings an existing one up to date', async ({
    action,
    github,
  }) => {
    const run = { event: PULL_REQUEST, apiUrl: github.url }
    await action.deploy({ chart: 'plain' })
    await action.plan({ chart: 'plain', run })
    expect(github.comments()).toEqual([])

    await action.plan({ chart: 'plain', inputs: { set: 'greeting=bonjour' }, run })
    expect(github.comments()[0]?.body).toContain('1 to update')
    await action.plan({ chart: 'plain', run })
    expect(github.comments()).toHaveLength(1)
    expect(github.comments()[0]?.body).toMatch(/no changes/i)
  })

  test('a hook whose definition changed is worth a comment with its diff, and changes nothing', async ({
    action,
    github,
  }) => {
    const hooked = (image: string) =>
      chartOf(`apiVersion: batch/v1
kind: Job
metadata: { name: migrate, annotations: { helm.sh/hook: pre-upgrade } }
spec: { template: { spec: { restartPolicy: Never, containers: [{ name: migrate, image: "${image}" }] } } }`)
    const plan = async (image: string) => {
      const run = { event: PULL_REQUEST, apiUrl: github.url, workspace: await hooked(image) }
      return action.plan({ chart: 'plain', inputs: { chart: '.' }, run })
    }
    await action.deploy({ chart: 'plain', inputs: { chart: '.' }, run: { workspace: await hooked('migrate:1') } })
    await plan('migrate:1')
    expect(github.comments()).toEqual([])

    expect((await plan('migrate:2')).outputs).toMatchObject({ changed: 'false' })
    expect(github.comments()[0]?.body).toMatch(/-\s+- image: migrate:1\n\+\s+- image: migrate:2/)
  })

  test('a missing permission is a notice that names it, and nothing else changes', async ({ action, github }) => {
    github.fail({ method: 'POST', path: /\/comments$/ }, forbidden, forbidden, forbidden, forbidden)
    const result = await action.plan({ chart: 'plain', run: { event: PULL_REQUEST, apiUrl: github.url } })

    expect(result.exitCode).toBe(0)
    expect(result.outputs).toMatchObject({ status: 'planned', 'comment-url': '' })
    expect(result.log).toMatch(/^::notice.*pull-requests: ?write/m)
    expect(result.log).not.toMatch(/^::error/m)
  })

  test('a plan that fails says so in the comment, and the run fails', async ({ action, github }) => {
    const run = { event: PULL_REQUEST, apiUrl: github.url }
    const result = await action.plan({ chart: 'plain', inputs: { set: 'replicas=[' }, run })

    expect(result.exitCode).toBe(1)
    expect(result.outputs.status).toBe('failed')
    expect(github.comments()).toHaveLength(1)
    expect(github.comments()[0]?.body).toMatch(/^### Plan blocked/m)
  })
})

describe.concurrent('on another event', () => {
  test('GitHub is not asked for anything where no comment is wanted', async ({ action, github }) => {
    await action.plan({ chart: 'plain', inputs: { comment: 'never' }, run: { apiUrl: github.url } })
    expect(github.requests()).toEqual([])
  })

  test('a deploy tells in the open comment of the pull request behind its commit how it ended', async ({
    action,
    github,
  }) => {
    await action.plan({ chart: 'plain', run: { event: PULL_REQUEST, apiUrl: github.url } })
    const event = { name: 'push', payload: { ref: 'refs/heads/main' } }
    github.seedPull({ number: 57, state: 'closed', mergedAt: '2026-01-01T00:00:00Z' })
    const deployed = await action.deploy({ chart: 'plain', run: { event, apiUrl: github.url } })
    expect(deployed.outputs).toMatchObject({
      status: 'deployed',
      'comment-url': expect.stringContaining('#issuecomment-'),
    })
    expect(github.comments()).toHaveLength(1)
    expect(github.comments()[0]?.body).toMatch(/^### Deployed/m)
  })

  test('a deploy without an open comment makes none', async ({ action, github }) => {
    const event = { name: 'push', payload: { ref: 'refs/heads/main' } }
    github.seedPull({ number: 57, state: 'closed', mergedAt: '2026-01-01T00:00:00Z' })
    const deployed = await action.deploy({ chart: 'plain', run: { event, apiUrl: github.url } })
    expect(deployed.outputs).toMatchObject({ status: 'deployed', 'comment-url': '' })
    expect(github.comments()).toEqual([])
  })
})

describe.concurrent('code of a fork', () => {
  const target = { ...PULL_REQUEST, name: 'pull_request_target' }
  const fork = structuredClone(target)
  fork.payload.pull_request.head.repo.full_name = 'eve/shop'

  test('does not reach the cluster on a privileged event', async ({ action, github }) => {
    const result = await action.plan({ chart: 'plain', run: { event: fork, apiUrl: github.url } })
    expect(result.exitCode).toBe(1)
    expect(result.outputs['failure-reason']).toBe('forbidden')
    expect(result.log).toMatch(/is treated as code of a fork, which may not reach the cluster on pull_request_target/)
  })

  test('must be what is checked out, where it is allowed', async ({ action, github }) => {
    const run = { event: fork, apiUrl: github.url }
    const result = await action.plan({ chart: 'plain', inputs: { 'allow-fork': 'true' }, run })
    expect(result.outputs['failure-reason']).toBe('invalid-input')
    expect(result.log).toMatch(/the workspace holds commit [0-9a-f]{12}, and pull request 57 is at def5678def56/)
  })
})

const forbidden = { status: 403, data: { message: 'Resource not accessible by integration' } }
