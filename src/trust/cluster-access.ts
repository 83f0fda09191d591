import type { Settings } from '../inputs/inputs.ts'
import { commands } from '../model/command.ts'
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
import { unknownProblem } from './unknown-pull-request.ts'

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
  const { code, refusals } = await codeOfRun(settings, facts, !hasKubeconfig)
  const { event } = code
  const run = { ...code, command }

  const access = kubeconfigRule({ ...run, hasKubeconfig, cluster })
  if (typeof access !== 'string')
    throw new ProblemsError([access, ...(commands[command].mayBeOffline === true ? refusals : [])])
  if (access === 'cluster') stopOn(forkProblem({ ...run, allowFork }), refusals)
  stopOn(await commenterProblem({ event: facts.event, command }, facts.pullRequest))
  const head = event.isPrivileged ? await git.head() : undefined
  const parents = head === undefined ? undefined : await git.parentsOf(head)
  stopOn(checkoutProblem({ ...run, ...defined({ head, parents }) }), refusals)
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
  const { code } = await codeOfRun({ pullRequest }, facts, false)
  return forkProblem({ ...code, command: 'plan', allowFork }) === undefined
}

/** Whose code the run has, and with which trust it runs. GitHub is asked only where that decides, or where `isAsked`. */
async function codeOfRun(
  settings: Pick<Settings, 'pullRequest'>,
  facts: Pick<AccessFacts, 'event' | 'pullRequest'>,
  isAsked: boolean,
): Promise<{
  readonly code: { readonly event: RunEvent; readonly pullRequest?: FoundPullRequest }
  readonly refusals: readonly Problem[]
}> {
  const { name } = facts.event
  const isNamed = settings.pullRequest !== undefined && (UNRELATED.has(name) || openEvents.has(name))
  const mustAsk = facts.event.isPrivileged || isNamed || isAsked
  const { found: pullRequest, refusals } = mustAsk ? await ask(facts.pullRequest) : { refusals: [] }
  // What is merged is the repository's own code, whoever wrote it.
  const isTrusted = !isNamed || pullRequest?.isOpen === false
  // A pull request that is named decides by itself, so that none may be taken for the one of the event.
  const isUnsure = refusals.length > 0 && settings.pullRequest !== undefined
  const event = {
    ...(isUnsure ? withoutOrigin(facts.event) : facts.event),
    isPrivileged: facts.event.isPrivileged || !isTrusted,
  }
  return { code: { event, ...defined({ pullRequest }) }, refusals }
}

/**
 * What is not known is treated as not trusted by the rules. A run that they let pass all the same does not need to know:
 * neither a token that may not read pull requests nor an outage of GitHub stops it.
 */
async function ask(
  github: PullRequest | undefined,
): Promise<{ readonly found?: FoundPullRequest; readonly refusals: readonly Problem[] }> {
  try {
    return { ...defined({ found: await github?.find() }), refusals: [] }
  } catch (error) {
    return { refusals: [unknownProblem(error, { kind: 'let-read-pull-requests' })] }
  }
}

function withoutOrigin({ isFromFork, ...event }: RunEvent): RunEvent {
  return isFromFork === true ? { ...event, isFromFork } : event
}

function stopOn(problem: Problem | undefined, refusals: readonly Problem[] = []): void {
  if (problem !== undefined) throw new ProblemsError([...refusals, problem])
}

/**
 * These runs have secrets and a token that may write, like the privileged events of a pull request: the one that input
 * `pull-request` names is most likely the one whose code is checked out.
 */
const UNRELATED: ReadonlySet<string> = new Set(['workflow_dispatch', 'repository_dispatch', 'schedule'])
