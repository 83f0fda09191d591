import { type Command, commands } from '../model/command.ts'
import type { Problem } from '../model/problem.ts'
import type { FoundPullRequest } from '../ports.ts'
import type { RunEvent } from './run-event.ts'

interface ForkQuestion {
  readonly event: RunEvent
  readonly command: Command
  readonly pullRequest?: FoundPullRequest
  readonly allowFork: boolean
}

/**
 * Decides whether code of a fork may reach the cluster (docs/decisions/0026). Its templates could read the cluster's Secrets
 * and print them into the comment (docs/sources.md#github-pull_request_target). Commands that work from the records alone
 * use no code of the workspace.
 */
export function forkProblem(run: ForkQuestion): Problem | undefined {
  const { event, command, pullRequest, allowFork } = run
  if (!event.isPrivileged || !isForkCode(run) || allowFork || !commands[command].usesWorkspace) return undefined
  const whose = pullRequest === undefined ? 'this run' : `pull request ${pullRequest.number}`
  return {
    severity: 'error',
    reason: 'forbidden',
    place: {},
    what: `the code of ${whose} is treated as code of a fork, which may not reach the cluster on ${event.name}`,
    hint: { kind: 'allow-fork' },
  }
}

/**
 * By the repository of the head, never by the checkout; what is not known counts as a fork. A `workflow_run` whose earlier
 * run was of a fork has its code, whatever pull request is named: input `pull-request` often comes from an artifact of that
 * run.
 */
function isForkCode({ event, pullRequest }: ForkQuestion): boolean {
  if (event.isFromFork === true) return true
  return pullRequest === undefined ? event.isFromFork !== false : pullRequest.isFork
}
