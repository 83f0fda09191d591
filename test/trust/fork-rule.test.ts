import { describe, expect, test } from 'vitest'
import { defined } from '../../src/model/defined.ts'
import type { FoundPullRequest } from '../../src/ports.ts'
import { hintText } from '../../src/report/words/hint-text.ts'
import { forkProblem } from '../../src/trust/fork-rule.ts'
import type { RunEvent } from '../../src/trust/run-event.ts'
import { openPullRequest } from '../doubles/fake-pull-request.ts'

const PRIVILEGED = ['pull_request_target', 'issue_comment', 'workflow_run']
const OTHERS = ['pull_request', 'push', 'merge_group', 'workflow_dispatch', 'schedule', '']

const pullRequests = {
  own: openPullRequest,
  fork: { ...openPullRequest, isFork: true },
  dependabot: { ...openPullRequest, isDependabot: true },
}
type Whose = keyof typeof pullRequests | 'nobody'

function given(whose: Whose): { readonly pullRequest?: FoundPullRequest } {
  return whose === 'nobody' ? {} : { pullRequest: pullRequests[whose] }
}

function problem(name: string, whose: Whose, more: Partial<Parameters<typeof forkProblem>[0]> = {}) {
  const event: RunEvent = { name, isPrivileged: PRIVILEGED.includes(name) }
  return forkProblem({ event, command: 'plan', allowFork: false, ...given(whose), ...more })
}

function isRefused(name: string, whose: Whose, more: Partial<Parameters<typeof forkProblem>[0]> = {}): boolean {
  return problem(name, whose, more)?.reason === 'forbidden'
}

describe('S-23 code of a fork', () => {
  test.each(PRIVILEGED)('is refused the cluster on %s', (name) => {
    expect(isRefused(name, 'fork')).toBe(true)
  })

  test.each(PRIVILEGED)('may reach it on %s where allow-fork says so', (name) => {
    expect(isRefused(name, 'fork', { allowFork: true })).toBe(false)
  })

  test.each(PRIVILEGED)('is taken for one on %s where the pull request is not known', (name) => {
    expect(isRefused(name, 'nobody')).toBe(true)
  })

  test.each(OTHERS)('is not looked for on %s, which has no more rights than the code', (name) => {
    expect(isRefused(name, 'fork')).toBe(false)
  })

  test.each([
    [true, true],
    [false, false],
    [undefined, true],
  ])('is known on workflow_run of no pull request by the repository of its head: %s', (isFromFork, expected) => {
    const event = { name: 'workflow_run', isPrivileged: true, ...defined({ isFromFork }) }
    expect(isRefused('workflow_run', 'nobody', { event })).toBe(expected)
  })

  test.each(['own', 'fork'] as const)(
    'stays that of a fork on workflow_run whatever pull request the input names: %s',
    (named) => {
      const event = { name: 'workflow_run', isPrivileged: true, isFromFork: true }
      expect(isRefused('workflow_run', named, { event })).toBe(true)
    },
  )

  test.each([
    ['plan', true],
    ['deploy', true],
    ['rollback', false],
    ['plan-rollback', false],
    ['uninstall', false],
    ['plan-uninstall', false],
    ['test', false],
  ] as const)('matters to the commands that use the workspace: %s', (command, expected) => {
    expect(isRefused('issue_comment', 'fork', { command })).toBe(expected)
  })

  test('is refused with what to do', () => {
    const refused = problem('pull_request_target', 'fork')
    expect({ ...refused, hint: refused?.hint && hintText(refused.hint) }).toEqual({
      severity: 'error',
      reason: 'forbidden',
      place: {},
      what: 'the code of pull request 57 is treated as code of a fork, which may not reach the cluster on pull_request_target',
      hint: 'set cluster: none to plan without a cluster, or allow-fork: true after the code has been reviewed',
    })
  })
})

describe('a pull request of the repository itself', () => {
  test.each([...PRIVILEGED, ...OTHERS])('reaches the cluster on %s', (name) => {
    expect([isRefused(name, 'own'), isRefused(name, 'dependabot')]).toEqual([false, false])
  })
})
