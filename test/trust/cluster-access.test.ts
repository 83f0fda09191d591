import { describe, expect, test } from 'vitest'
import type { Settings } from '../../src/inputs/inputs.ts'
import { defined } from '../../src/model/defined.ts'
import { CommentError, ProblemsError } from '../../src/model/errors.ts'
import type { FoundPullRequest } from '../../src/ports.ts'
import { problemText } from '../../src/report/words/problem-text.ts'
import { decideClusterAccess, mayUseLogins } from '../../src/trust/cluster-access.ts'
import type { RunEvent } from '../../src/trust/run-event.ts'
import { fakePullRequest, openPullRequest } from '../doubles/fake-pull-request.ts'
import { settings } from '../run/scene.ts'

/** What becomes of a plan with a kubeconfig on this event, for this input `pull-request`. */
async function accessOf(name: string, named: number | undefined, found: FoundPullRequest | 'unreachable') {
  const pullRequest = fakePullRequest()
  const find = async () => {
    if (found === 'unreachable') throw new Error('GitHub is down')
    return found
  }
  const git = { head: async () => undefined, parentsOf: async () => undefined }
  const input = {
    event: { name, isPrivileged: false },
    hasKubeconfig: true,
    pullRequest: { ...pullRequest, find },
    git,
  }
  try {
    return await decideClusterAccess({ ...settings, command: 'plan', pullRequest: named }, input)
  } catch (error) {
    return error instanceof ProblemsError ? error.problems[0]?.reason : String(error)
  }
}

describe('a token that may not read pull requests', () => {
  const refused = new CommentError('permission', {
    what: 'could not find the pull request of this run: the token may not',
  })
  const outage = new CommentError('other', {
    what: 'could not find the pull request of this run: GitHub did not answer in time',
  })
  const asked = async (
    event: RunEvent,
    change: Partial<Settings> = {},
    { error = refused, hasKubeconfig = true }: { readonly error?: Error; readonly hasKubeconfig?: boolean } = {},
  ) => {
    const find = async () => {
      throw error
    }
    const git = { head: async () => undefined, parentsOf: async () => undefined }
    const input = { event, hasKubeconfig, pullRequest: { ...fakePullRequest(), find, mayWrite: find }, git }
    return decideClusterAccess({ ...settings, ...change }, input).catch((thrown: unknown) =>
      thrown instanceof ProblemsError ? thrown.problems.map(problemText) : String(thrown),
    )
  }
  const ofRun: RunEvent = { name: 'workflow_run', isPrivileged: true, isFromFork: false }
  const permission = `${refused.what}; add pull-requests: read to the permissions of the job`
  const asFork = (name: string) =>
    expect.stringContaining(`treated as code of a fork, which may not reach the cluster on ${name}`)

  test.each(['deploy', 'plan', 'rollback', 'uninstall'] as const)(
    'does not stop %s on workflow_run of the own repository, which does not depend on it',
    async (command) => {
      expect(await asked(ofRun, { command })).toBe('cluster')
      expect(await asked(ofRun, { command }, { error: outage })).toBe('cluster')
    },
  )

  test('does not stop what works from records, nor a run that allows forks', async () => {
    expect(await asked({ name: 'workflow_run', isPrivileged: true }, { command: 'rollback' })).toBe('cluster')
    expect(await asked({ name: 'workflow_run', isPrivileged: true }, { allowFork: true })).toBe('cluster')
  })

  test.each<[string, RunEvent, Partial<Settings>]>([
    ['whose earlier run is unknown', { name: 'workflow_run', isPrivileged: true }, {}],
    ['with a pull request that is named', ofRun, { pullRequest: 57 }],
    ['of workflow_dispatch with one', { name: 'workflow_dispatch', isPrivileged: false }, { pullRequest: 57 }],
  ])('stops a deploy %s, and names the permission', async (_, event, change) => {
    expect(await asked(event, change)).toEqual([permission, asFork(event.name)])
    const [first] = await asked(event, change, { error: outage })
    expect(first).toBe(outage.what)
  })

  test('never makes code of a fork trusted', async () => {
    expect(await asked({ ...ofRun, isFromFork: true })).toEqual([permission, asFork('workflow_run')])
    expect(await asked({ ...ofRun, isFromFork: true }, { pullRequest: 57 })).toEqual([
      permission,
      asFork('workflow_run'),
    ])
  })

  test('stops a deploy on a comment, where the commenter and the checkout are checked', async () => {
    const event = { name: 'issue_comment', isPrivileged: true, commenter: 'ann' }
    expect(await asked(event)).toEqual([permission, asFork('issue_comment')])
    expect(await asked(event, { command: 'rollback' })).toEqual([
      `${refused.what}; ask somebody with write permission to comment; set github-token, so that the permission can be read`,
    ])
  })

  test('is told beside the missing kubeconfig where a plan could do without one', async () => {
    const event = { name: 'workflow_run', isPrivileged: true, isFromFork: false }
    const [first, second] = await asked(event, { command: 'plan' }, { hasKubeconfig: false })
    expect(first).toMatch('there is no kubeconfig')
    expect(second).toBe(permission)
    expect(await asked(event, { command: 'deploy' }, { hasKubeconfig: false })).toHaveLength(1)
  })
})

const fork: FoundPullRequest = { ...openPullRequest, isFork: true }

describe('code of a fork that input pull-request names on an event that does not know it', () => {
  test.each([
    ['workflow_dispatch', 57, fork, 'forbidden'],
    ['repository_dispatch', 57, fork, 'forbidden'],
    ['workflow_dispatch', 57, openPullRequest, 'cluster'],
    ['workflow_dispatch', 57, { ...fork, isOpen: false }, 'cluster'],
    ['schedule', 57, fork, 'forbidden'],
    ['issues', 57, fork, 'forbidden'],
    ['discussion_comment', 57, fork, 'forbidden'],
    ['pull_request_review', 57, openPullRequest, 'cluster'],
    ['push', 57, fork, 'cluster'],
  ] as const)('%s of pull request %s', async (name, named, found, expected) => {
    expect(await accessOf(name, named, found)).toBe(expected)
  })
})

const OPEN = [
  'issue_comment',
  'issues',
  'discussion',
  'discussion_comment',
  'pull_request_review',
  'pull_request_review_comment',
  'watch',
]

describe.each(OPEN)('on %s, which anybody can cause, who asks needs write permission', (name) => {
  const asked = async (command: Settings['command'], commenter: string | undefined) => {
    const input = {
      event: { name, isPrivileged: true, ...defined({ commenter }) },
      hasKubeconfig: true,
      pullRequest: fakePullRequest(),
      git: { head: async () => openPullRequest.headSha, parentsOf: async () => [] },
    }
    return decideClusterAccess({ ...settings, command }, input).catch((error: unknown) =>
      error instanceof ProblemsError ? error.problems[0]?.reason : String(error),
    )
  }

  test.each([
    ['deploy', 'ann', 'cluster'],
    ['deploy', 'eve', 'forbidden'],
    ['deploy', undefined, 'forbidden'],
    ['uninstall', 'eve', 'forbidden'],
    ['plan', 'eve', 'cluster'],
  ] as const)('%s for %s', async (command, commenter, expected) => {
    expect(await asked(command, commenter)).toBe(expected)
  })
})

test('without a cluster, code of a fork is planned on any event', async () => {
  const pullRequest = fakePullRequest()
  pullRequest.world.found = fork
  const facts = {
    event: { name: 'pull_request_target', isPrivileged: true },
    hasKubeconfig: true,
    pullRequest,
    git: { head: async () => fork.headSha, parentsOf: async () => [] },
  }
  expect(await decideClusterAccess({ ...settings, command: 'plan', cluster: 'none' }, facts)).toBe('none')
  await expect(decideClusterAccess({ ...settings, command: 'plan' }, facts)).rejects.toThrow(ProblemsError)
})

test('a run whose right does not depend on GitHub does not ask it', async () => {
  expect(await accessOf('workflow_dispatch', undefined, 'unreachable')).toBe('cluster')
  expect(await accessOf('push', 57, 'unreachable')).toBe('cluster')
})

describe('the logins of the job fetch charts', () => {
  const uses = (name: string, found: FoundPullRequest | 'unreachable' | undefined, given: Partial<Settings> = {}) =>
    mayUseLogins(
      { allowFork: false, pullRequest: undefined, ...given },
      {
        event: { name, isPrivileged: ['pull_request_target', 'issue_comment', 'workflow_run'].includes(name) },
        pullRequest: {
          ...fakePullRequest(),
          find: async () => {
            if (found === 'unreachable') throw new Error('GitHub is down')
            return found
          },
        },
      },
    )

  test('but not for the code of a fork where the job has secrets', async () => {
    expect(await uses('pull_request_target', fork)).toBe(false)
    expect(await uses('issue_comment', fork)).toBe(false)
    expect(await uses('workflow_dispatch', fork, { pullRequest: 57 })).toBe(false)
    expect(await uses('pull_request_target', fork, { allowFork: true })).toBe(true)
  })

  test('for the code of the repository', async () => {
    expect(await uses('pull_request_target', openPullRequest)).toBe(true)
    expect(await uses('push', undefined)).toBe(true)
    expect(await uses('workflow_dispatch', undefined)).toBe(true)
  })

  test('not where nobody knows whose code it is', async () => {
    expect(await uses('pull_request_target', undefined)).toBe(false)
    expect(await uses('pull_request_target', 'unreachable')).toBe(false)
  })

  test('GitHub is not asked where it does not matter', async () => {
    expect(await uses('push', 'unreachable')).toBe(true)
    expect(await uses('pull_request', 'unreachable')).toBe(true)
  })
})
