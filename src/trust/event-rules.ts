import type { Settings } from '../inputs/inputs.ts'
import { commands } from '../model/command.ts'
import { defined } from '../model/defined.ts'
import { ProblemsError } from '../model/errors.ts'
import type { Problem } from '../model/problem.ts'
import type { PullRequest } from '../ports.ts'
import { askerProblem, checkoutProblem, clusterAccess, type RunEvent } from './checks.ts'

export interface AdmissionInput {
  /** `commenter`: of `issue_comment`, who asks. */
  readonly event: RunEvent & { readonly commenter?: string }
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
 * Whether this run works on a cluster. Throws ProblemsError where code of a fork would get at one, where the checkout
 * is not what the pull request asks for, where somebody asks who may not, or where there is no kubeconfig
 * (docs/decisions/0025, docs/decisions/0026). GitHub is asked only where the answer depends on it.
 */
export async function admit(settings: Settings, input: AdmissionInput): Promise<'cluster' | 'none'> {
  const { git, hasKubeconfig } = input
  const isNamed = settings.pullRequest !== undefined && STARTED_BY_HAND.has(input.event.name)
  const isAsked = input.event.isPrivileged || isNamed || !hasKubeconfig
  const found = isAsked ? await input.pullRequest?.find() : undefined
  // What is merged is the repository's own code, whoever wrote it.
  const event = isNamed && found?.isOpen !== false ? { ...input.event, isPrivileged: true } : input.event
  const { allowFork, cluster, command } = settings
  const run = found === undefined ? { event, command } : { event, command, pullRequest: found }
  const access = clusterAccess({ ...run, hasKubeconfig, cluster, allowFork })
  if (typeof access !== 'string') throw new ProblemsError([access])

  const asker = await askerOf(settings, input)
  if (asker !== undefined) throw new ProblemsError([asker])

  const head = event.isPrivileged ? await git.head() : undefined
  const parents = head === undefined ? undefined : await git.parentsOf(head)
  const problem = checkoutProblem({
    ...run,
    ...defined({ head, parents }),
  })
  if (problem !== undefined) throw new ProblemsError([problem])
  return access
}

/** Anybody can write a comment where the repository is public. */
async function askerOf({ command }: Settings, { event, pullRequest }: AdmissionInput): Promise<Problem | undefined> {
  if (event.name !== 'issue_comment' || !commands[command].writes) return undefined
  const { commenter } = event
  const mayWrite = commenter !== undefined && (await pullRequest?.mayWrite(commenter)) === true
  return mayWrite ? undefined : askerProblem(commenter)
}

/**
 * With secrets and a token that may write, like the events of a pull request that are privileged: one that input
 * `pull-request` names is most likely the one whose code is checked out.
 */
const STARTED_BY_HAND: ReadonlySet<string> = new Set(['workflow_dispatch', 'repository_dispatch'])
