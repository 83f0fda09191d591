import { type Command, commands } from '../model/command.ts'
import type { Problem } from '../model/problem.ts'
import type { FoundPullRequest } from '../ports.ts'

/**
 * Decides whether a run has a cluster to work on. Runs of forks and of Dependabot get no secrets from GitHub, so without a
 * kubeconfig their plans are made without a cluster.
 */
export function kubeconfigRule(run: {
  readonly command: Command
  readonly pullRequest?: FoundPullRequest
  readonly hasKubeconfig: boolean
  readonly cluster: 'auto' | 'none'
}): 'cluster' | 'none' | Problem {
  const { command, pullRequest, hasKubeconfig, cluster } = run
  if (cluster === 'none') return 'none'
  if (hasKubeconfig) return 'cluster'
  const isExpected = pullRequest !== undefined && (pullRequest.isFork || pullRequest.isDependabot)
  const mayBeOffline = commands[command].mayBeOffline === true
  if (isExpected && mayBeOffline) return 'none'
  return {
    severity: 'error',
    reason: 'invalid-input',
    place: { input: 'kubeconfig' },
    what: 'there is no kubeconfig: the input is empty, and neither KUBECONFIG nor ~/.kube/config exists',
    hint: { kind: 'give-kubeconfig', orPlanWithout: mayBeOffline },
  }
}
