import { describe, expect, test } from 'vitest'
import type { Command } from '../../src/model/command.ts'
import type { FoundPullRequest } from '../../src/ports.ts'
import { kubeconfigRule } from '../../src/trust/kubeconfig-rule.ts'
import { openPullRequest } from '../doubles/fake-pull-request.ts'

const fork: FoundPullRequest = { ...openPullRequest, isFork: true }
const dependabot: FoundPullRequest = { ...openPullRequest, isDependabot: true }

function decided(more: Partial<Parameters<typeof kubeconfigRule>[0]>) {
  const answer = kubeconfigRule({ command: 'plan', hasKubeconfig: false, cluster: 'auto', ...more })
  return typeof answer === 'string' ? answer : answer.reason
}

test('with a kubeconfig a run works on the cluster', () => {
  expect(decided({ hasKubeconfig: true, pullRequest: fork })).toBe('cluster')
})

test('cluster: none is without a cluster, whoever asks', () => {
  expect(decided({ hasKubeconfig: true, cluster: 'none' })).toBe('none')
  expect(decided({ cluster: 'none', pullRequest: openPullRequest })).toBe('none')
})

describe('without a kubeconfig', () => {
  test('a plan of a fork or of Dependabot does without a cluster', () => {
    expect([decided({ pullRequest: fork }), decided({ pullRequest: dependabot })]).toEqual(['none', 'none'])
  })

  test('anything else is an input error', () => {
    expect([decided({ pullRequest: openPullRequest }), decided({})]).toEqual(['invalid-input', 'invalid-input'])
  })

  test.each(['deploy', 'rollback', 'uninstall', 'test', 'plan-rollback', 'plan-uninstall'] as readonly Command[])(
    '%s is no plan of a render, and an input error for a fork, too',
    (command) => {
      expect(decided({ command, pullRequest: fork })).toBe('invalid-input')
    },
  )
})
