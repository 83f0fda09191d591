import { type Command, commands } from '../model/command.ts'
import type { Hint } from '../model/hint.ts'
import type { Problem } from '../model/problem.ts'
import type { FoundPullRequest } from '../ports.ts'

/** What of the event decides whom to trust. */
export interface RunEvent {
  /** `GITHUB_EVENT_NAME` */
  readonly name: string
  /** Runs with the repository's own token and secrets, whoever wrote the code of the pull request. */
  readonly isPrivileged: boolean
  /** Of `workflow_run`: whether the run before had the code of another repository. Absent: not known. */
  readonly isFromFork?: boolean
}

interface Run {
  readonly event: RunEvent
  readonly command: Command
  readonly pullRequest?: FoundPullRequest
}

/**
 * Whether this run works on a cluster or plans without one (docs/decisions/0026). Code of a fork gets at a cluster only
 * where that is allowed: its templates could read the cluster's Secrets and print them into the comment
 * (docs/sources.md#github-pull_request_target). Commands that work from the records alone use no code of the workspace.
 */
export function clusterAccess(
  run: Run & { readonly hasKubeconfig: boolean; readonly cluster: 'auto' | 'none'; readonly allowFork: boolean },
): 'cluster' | 'none' | Problem {
  const { event, command, pullRequest, hasKubeconfig } = run
  if (run.cluster === 'none') return 'none'
  if (!hasKubeconfig) {
    // GitHub gives these runs no secrets.
    const isExpected = pullRequest !== undefined && (pullRequest.isFork || pullRequest.isDependabot)
    return isExpected && commands[command].mayBeOffline === true ? 'none' : noKubeconfig(command)
  }
  const isRefused = event.isPrivileged && isForkCode(run) && !run.allowFork && commands[command].usesWorkspace
  return isRefused ? forkRefused(run) : 'cluster'
}

/**
 * What is checked out must be the code that the event is about: `pull_request_target` and `issue_comment` check out the
 * base by default, whose plan would say that nothing changes.
 */
export function checkoutProblem(
  run: Run & {
    /** Commit of the workspace. */
    readonly head?: string
    readonly parents?: readonly string[]
  },
): Problem | undefined {
  const { event, command, pullRequest, head, parents = [] } = run
  const isCompared = event.name === 'pull_request_target' || event.name === 'issue_comment'
  if (!isCompared || !commands[command].usesWorkspace) return undefined
  if (pullRequest === undefined) {
    return invalid(
      `this run of ${event.name} belongs to no pull request, so that nobody knows what should be checked out`,
      { kind: 'run-for-pull-requests-only' },
    )
  }
  const { headSha, mergeSha, number } = pullRequest
  const commit =
    event.name === 'issue_comment' ? `refs/pull/${number}/head` : `\${{ github.event.pull_request.head.sha }}`
  const hint: Hint = { kind: 'check-out', commit }
  if (head === undefined) return invalid('git knows no commit in the workspace', hint)
  // A merge commit of GitHub has the base first and the head second.
  const isRight = head === headSha || head === mergeSha || (parents.length === 2 && parents[1] === headSha)
  if (isRight) return undefined
  return invalid(`the workspace holds commit ${short(head)}, and pull request ${number} is at ${short(headSha)}`, hint)
}

/** Who asks for a deploy in a comment must be able to write to the repository (docs/decisions/0025). */
export function askerProblem(commenter: string | undefined): Problem {
  return {
    severity: 'error',
    reason: 'forbidden',
    place: {},
    what: `${commenter ?? 'nobody that the event names'} may not write to this repository, and asks for a change in a comment`,
    hint: { kind: 'ask-as-writer' },
  }
}

/**
 * By the head's repository, never by the checkout; unknown counts as fork. The run before had its code whatever pull request
 * is named: input `pull-request` often comes from an artifact of that very run.
 */
function isForkCode({ event, pullRequest }: Run): boolean {
  if (event.isFromFork === true) return true
  return pullRequest === undefined ? event.isFromFork !== false : pullRequest.isFork
}

function forkRefused({ event, pullRequest }: Run): Problem {
  const whose = pullRequest === undefined ? 'this run' : `pull request ${pullRequest.number}`
  return {
    severity: 'error',
    reason: 'forbidden',
    place: {},
    what: `the code of ${whose} counts as that of a fork, which may not reach the cluster on ${event.name}`,
    hint: { kind: 'allow-fork' },
  }
}

function noKubeconfig(command: Command): Problem {
  return {
    severity: 'error',
    reason: 'invalid-input',
    place: { input: 'kubeconfig' },
    what: 'there is no kubeconfig: the input is empty, and neither KUBECONFIG nor ~/.kube/config exists',
    hint: { kind: 'give-kubeconfig', orPlanWithout: commands[command].mayBeOffline === true },
  }
}

function invalid(what: string, hint: Hint): Problem {
  return { severity: 'error', reason: 'invalid-input', place: {}, what, hint }
}

function short(commit: string): string {
  return commit.slice(0, 12)
}
