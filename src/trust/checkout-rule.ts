import { type Command, commands } from '../model/command.ts'
import type { Hint } from '../model/hint.ts'
import type { Problem } from '../model/problem.ts'
import type { FoundPullRequest } from '../ports.ts'

/**
 * Decides whether the workspace holds the code that the event is about: `pull_request_target` and `issue_comment` check out
 * the base by default, whose plan would say that nothing changes.
 */
export function checkoutProblem(run: {
  readonly event: { readonly name: string }
  readonly command: Command
  readonly pullRequest?: FoundPullRequest
  /** Commit of the workspace. */
  readonly head?: string
  readonly parents?: readonly string[]
}): Problem | undefined {
  const { event, command, pullRequest, head, parents = [] } = run
  const isCompared = event.name === 'pull_request_target' || event.name === 'issue_comment'
  if (!isCompared || !commands[command].usesWorkspace) return undefined
  if (pullRequest === undefined) {
    return wrongCheckout(`this run of ${event.name} belongs to no pull request, so the expected checkout is unknown`, {
      kind: 'run-for-pull-requests-only',
    })
  }
  const { headSha, mergeSha, number } = pullRequest
  const commit =
    event.name === 'issue_comment' ? `refs/pull/${number}/head` : `\${{ github.event.pull_request.head.sha }}`
  const hint: Hint = { kind: 'check-out', commit }
  if (head === undefined) return wrongCheckout('git knows no commit in the workspace', hint)
  // A merge commit of GitHub has the base first and the head second.
  const isRight = head === headSha || head === mergeSha || (parents.length === 2 && parents[1] === headSha)
  if (isRight) return undefined
  const [held, wanted] = [head.slice(0, SHORT_SHA_CHARS), headSha.slice(0, SHORT_SHA_CHARS)]
  return wrongCheckout(`the workspace holds commit ${held}, and pull request ${number} is at ${wanted}`, hint)
}

const SHORT_SHA_CHARS = 12

function wrongCheckout(what: string, hint: Hint): Problem {
  return { severity: 'error', reason: 'invalid-input', place: {}, what, hint }
}
