import { describe, expect, test } from 'vitest'
import type { Settings } from '../../src/inputs/inputs.ts'
import { defined } from '../../src/model/defined.ts'
import { ProblemsError } from '../../src/model/errors.ts'
import type { FoundPullRequest } from '../../src/ports.ts'
import { decideClusterAccess, mayUseLogins } from '../../src/trust/cluster-access.ts'
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
