import type { Settings } from '../inputs/inputs.ts'
import { defined } from '../model/defined.ts'
import { ProblemsError } from '../model/errors.ts'
import { openEvents } from '../model/open-events.ts'
import type { Problem } from '../model/problem.ts'
import type { FoundPullRequest, PullRequest } from '../ports.ts'
import { checkoutProblem } from './checkout-rule.ts'
import { commenterProblem } from './commenter-rule.ts'
import { forkProblem } from './fork-rule.ts'
import { kubeconfigRule } from './kubeconfig-rule.ts'
import type { RunEvent } from './run-event.ts'

/** What is known of a run before it reaches a cluster, and where the rest can be read. */
export interface AccessFacts {
  readonly event: RunEvent
  readonly hasKubeconfig: boolean
  /** Absent without a token. */
  readonly pullRequest?: PullRequest
  /** The workspace's. */
  readonly git: {
    head(): Promise<string | undefined>
    parentsOf(commit: string): Promise<readonly string[] | undefined>
  }
}

/**
 * Decides whether a run works on a cluster or plans without one. Throws ProblemsError where it has no kubeconfig, where code
 * of a fork would reach the cluster, where the commenter may not start the command, and where the checked out commit is not that of
 * the pull request (docs/decisions/0025, docs/decisions/0026). GitHub is asked only where the answer depends on it.
 */
export async function decideClusterAccess(settings: Settings, facts: AccessFacts): Promise<'cluster' | 'none'> {
  const { git, hasKubeconfig } = facts
  const { allowFork, cluster, command } = settings
  const code = await codeOfRun(settings, facts, !hasKubeconfig)
  const { event } = code
  const run = { ...code, command }

  const access = kubeconfigRule({ ...run, hasKubeconfig, cluster })
  if (typeof access !== 'string') throw new ProblemsError([access])
  if (access === 'cluster') stopOn(forkProblem({ ...run, allowFork }))
  stopOn(await commenterProblem({ event: facts.event, command }, facts.pullRequest))
  const head = event.isPrivileged ? await git.head() : undefined
  const parents = head === undefined ? undefined : await git.parentsOf(head)
  stopOn(checkoutProblem({ ...run, ...defined({ head, parents }) }))
  return access
}

/**
 * Whether the logins of the job may fetch what the code of this run names. A fork's `Chart.yaml` could name private charts, and
 * its templates print them into the comment. Without a sure answer they may not.
 */
export async function mayUseLogins(
  { allowFork, pullRequest }: Pick<Settings, 'allowFork' | 'pullRequest'>,
  facts: Pick<AccessFacts, 'event' | 'pullRequest'>,
): Promise<boolean> {
  try {
    const code = await codeOfRun({ pullRequest }, facts, false)
    return forkProblem({ ...code, command: 'plan', allowFork }) === undefined
  } catch {
    // GitHub does not answer: the run ends with that as soon as it needs the answer.
    return false
  }
}

/** Whose code the run has, and with which trust it runs. GitHub is asked only where that decides, or where `isAsked`. */
async function codeOfRun(
  settings: Pick<Settings, 'pullRequest'>,
  facts: Pick<AccessFacts, 'event' | 'pullRequest'>,
  isAsked: boolean,
): Promise<{ readonly event: RunEvent; readonly pullRequest?: FoundPullRequest }> {
  const { name } = facts.event
  const isNamed = settings.pullRequest !== undefined && (UNRELATED.has(name) || openEvents.has(name))
  const mustAsk = facts.event.isPrivileged || isNamed || isAsked
  const pullRequest = mustAsk ? await facts.pullRequest?.find() : undefined
  // What is merged is the repository's own code, whoever wrote it.
  const event = isNamed && pullRequest?.isOpen !== false ? { ...facts.event, isPrivileged: true } : facts.event
  return { event, ...defined({ pullRequest }) }
}

function stopOn(problem: Problem | undefined): void {
  if (problem !== undefined) throw new ProblemsError([problem])
}

/**
 * These runs have secrets and a token that may write, like the privileged events of a pull request: the one that input
 * `pull-request` names is most likely the one whose code is checked out.
 */
const UNRELATED: ReadonlySet<string> = new Set(['workflow_dispatch', 'repository_dispatch', 'schedule'])
