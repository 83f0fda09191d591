import { describe, expect, test } from 'vitest'
import type { Command } from '../../src/model/command.ts'
import { defined } from '../../src/model/defined.ts'
import type { Problem } from '../../src/model/problem.ts'
import type { FoundPullRequest } from '../../src/ports.ts'
import { hintText } from '../../src/report/words/hint-text.ts'
import { checkoutProblem, clusterAccess, type RunEvent } from '../../src/trust/checks.ts'

const HEAD = 'a'.repeat(40)
const BASE = 'b'.repeat(40)
const MERGE = 'c'.repeat(40)

const PRIVILEGED = ['pull_request_target', 'issue_comment', 'workflow_run']
const OTHERS = ['pull_request', 'push', 'merge_group', 'workflow_dispatch', 'schedule', '']

const own: FoundPullRequest = {
  number: 7,
  url: 'https://github.example/acme/shop/pull/7',
  headSha: HEAD,
  headRef: 'feature',
  headRepository: 'acme/shop',
  baseRef: 'main',
  baseSha: BASE,
  mergeSha: MERGE,
  isOpen: true,
  isFork: false,
  isDependabot: false,
}
const pullRequests = { own, fork: { ...own, isFork: true }, dependabot: { ...own, isDependabot: true } }
type Whose = keyof typeof pullRequests | 'nobody'

function eventOf(name: string): RunEvent {
  return { name, isPrivileged: PRIVILEGED.includes(name) }
}

function given(whose: Whose): { readonly pullRequest?: FoundPullRequest } {
  return whose === 'nobody' ? {} : { pullRequest: pullRequests[whose] }
}

function access(name: string, whose: Whose, more: Partial<Parameters<typeof clusterAccess>[0]> = {}) {
  const run = { event: eventOf(name), command: 'plan' as const, ...given(whose) }
  const answer = clusterAccess({ ...run, hasKubeconfig: true, cluster: 'auto', allowFork: false, ...more })
  return typeof answer === 'string' ? answer : answer.reason
}

const without = { hasKubeconfig: false }

/** A problem with its hint as the user reads it. */
function worded(problem: 'cluster' | 'none' | Problem | undefined) {
  if (typeof problem !== 'object') return problem
  return { ...problem, hint: hintText(problem.hint ?? '') }
}

describe('code of a fork', () => {
  test.each(PRIVILEGED)('is refused the cluster on %s', (name) => {
    expect(access(name, 'fork')).toBe('forbidden')
  })

  test.each(PRIVILEGED)('may reach it on %s where allow-fork says so', (name) => {
    expect(access(name, 'fork', { allowFork: true })).toBe('cluster')
  })

  test.each(PRIVILEGED)('is taken for one on %s where the pull request is not known', (name) => {
    expect(access(name, 'nobody')).toBe('forbidden')
  })

  test.each(OTHERS)('is not looked for on %s, which has no more rights than the code', (name) => {
    expect(access(name, 'fork')).toBe('cluster')
  })

  test.each([
    [true, 'forbidden'],
    [false, 'cluster'],
    [undefined, 'forbidden'],
  ])('is known on workflow_run of no pull request by the repository of its head: %s', (isFromFork, expected) => {
    const event = { ...eventOf('workflow_run'), ...defined({ isFromFork }) }
    expect(access('workflow_run', 'nobody', { event })).toBe(expected)
  })

  test.each(['own', 'fork'] as const)(
    'stays that of a fork on workflow_run whatever pull request the input names: %s',
    (named) => {
      const event = { ...eventOf('workflow_run'), isFromFork: true }
      expect(access('workflow_run', named, { event })).toBe('forbidden')
    },
  )

  test.each([
    ['plan', 'forbidden'],
    ['deploy', 'forbidden'],
    ['rollback', 'cluster'],
    ['plan-rollback', 'cluster'],
    ['uninstall', 'cluster'],
    ['plan-uninstall', 'cluster'],
    ['test', 'cluster'],
  ] as const)('matters to the commands that use the workspace: %s', (command, expected) => {
    expect(access('issue_comment', 'fork', { command })).toBe(expected)
  })

  test('is refused with what to do', () => {
    const run = { event: eventOf('pull_request_target'), command: 'plan' as const, ...given('fork') }
    const problem = clusterAccess({ ...run, hasKubeconfig: true, cluster: 'auto', allowFork: false })
    expect(worded(problem)).toEqual({
      severity: 'error',
      reason: 'forbidden',
      place: {},
      what: 'the code of pull request 7 counts as that of a fork, which may not reach the cluster on pull_request_target',
      hint: 'set cluster: none for a plan without a cluster, or allow-fork: true once somebody has looked at the code',
    })
  })
})

describe('a pull request of the repository itself', () => {
  test.each([...PRIVILEGED, ...OTHERS])('reaches the cluster on %s', (name) => {
    expect([access(name, 'own'), access(name, 'dependabot')]).toEqual(['cluster', 'cluster'])
  })
})

describe('cluster: none', () => {
  test.each([...PRIVILEGED, ...OTHERS])('is without a cluster on %s, whoever asks', (name) => {
    const none = { cluster: 'none' as const }
    expect((['own', 'fork', 'nobody'] as const).map((whose) => access(name, whose, none))).toEqual([
      'none',
      'none',
      'none',
    ])
  })
})

describe('without a kubeconfig', () => {
  test.each([...PRIVILEGED, ...OTHERS])('a plan of a fork or of Dependabot on %s does without a cluster', (name) => {
    expect([access(name, 'fork', without), access(name, 'dependabot', without)]).toEqual(['none', 'none'])
  })

  test.each([...PRIVILEGED, ...OTHERS])('anything else on %s is an input error', (name) => {
    expect([access(name, 'own', without), access(name, 'nobody', without)]).toEqual(['invalid-input', 'invalid-input'])
  })

  test.each(['deploy', 'rollback', 'uninstall', 'test', 'plan-rollback', 'plan-uninstall'] as readonly Command[])(
    '%s is no plan of a render, and an input error for a fork, too',
    (command) => {
      expect(access('pull_request', 'fork', { ...without, command })).toBe('invalid-input')
    },
  )
})

function checkout(name: string, more: Partial<Parameters<typeof checkoutProblem>[0]> = {}) {
  return checkoutProblem({ event: eventOf(name), command: 'plan', pullRequest: own, head: HEAD, ...more })
}

describe.each(['pull_request_target', 'issue_comment'])('the workspace on %s', (name) => {
  test.each([
    ['the head', { head: HEAD }],
    ['the merge commit that GitHub names', { head: MERGE }],
    ['a merge of the head into the base', { head: 'd'.repeat(40), parents: [BASE, HEAD] }],
  ])('may be %s', (_, more) => {
    expect(checkout(name, more)).toBeUndefined()
  })

  test.each([
    ['the base', { head: BASE }],
    ['a child of the head', { head: 'd'.repeat(40), parents: [HEAD] }],
    ['a merge into the head', { head: 'd'.repeat(40), parents: [HEAD, BASE] }],
    ['a merge of more than two', { head: 'd'.repeat(40), parents: [BASE, HEAD, MERGE] }],
  ])('may not be %s', (_, more) => {
    expect(checkout(name, more)?.what).toMatch(
      /^the workspace holds commit \w{12}, and pull request 7 is at aaaaaaaaaaaa$/,
    )
  })

  test('may not be unknown', () => {
    const { head: _head, ...unknown } = {
      event: eventOf(name),
      command: 'deploy' as const,
      pullRequest: own,
      head: HEAD,
    }
    expect(checkoutProblem(unknown)).toMatchObject({
      reason: 'invalid-input',
      what: 'git knows no commit in the workspace',
    })
  })

  test('may not be of no pull request', () => {
    expect(worded(checkoutProblem({ event: eventOf(name), command: 'plan', head: HEAD }))).toHaveProperty(
      'hint',
      'let the job run only where github.event.issue.pull_request is set, and give github-token',
    )
  })

  test('does not matter to what works from the records alone', () => {
    expect(checkout(name, { head: BASE, command: 'rollback' })).toBeUndefined()
  })
})

describe('a wrong checkout', () => {
  test.each([
    ['pull_request_target', `\${{ github.event.pull_request.head.sha }}`],
    ['issue_comment', 'refs/pull/7/head'],
  ])('on %s is mended with ref: %s', (name, ref) => {
    expect(worded(checkout(name, { head: BASE }))).toHaveProperty(
      'hint',
      `give actions/checkout ref: ${ref} and persist-credentials: false`,
    )
  })

  test.each([...OTHERS, 'workflow_run'])('is not looked for on %s', (name) => {
    expect(checkout(name, { head: BASE })).toBeUndefined()
  })
})
