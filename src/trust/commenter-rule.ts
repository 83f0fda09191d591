import { type Command, commands } from '../model/command.ts'
import { openEvents } from '../model/open-events.ts'
import type { Problem } from '../model/problem.ts'
import type { PullRequest } from '../ports.ts'
import type { RunEvent } from './run-event.ts'
import { unknownProblem } from './unknown-pull-request.ts'

/**
 * Decides whether a comment, a review or the like may start a command that writes: only somebody who may write to the repository may ask for one,
 * because anybody can comment where the repository is public (docs/decisions/0025).
 */
export async function commenterProblem(
  { event, command }: { readonly event: RunEvent; readonly command: Command },
  github: Pick<PullRequest, 'mayWrite'> | undefined,
): Promise<Problem | undefined> {
  if (!openEvents.has(event.name) || !commands[command].writes) return undefined
  const { commenter } = event
  try {
    if (commenter !== undefined && (await github?.mayWrite(commenter)) === true) return undefined
  } catch (error) {
    return unknownProblem(error, { kind: 'ask-as-writer' })
  }
  return {
    severity: 'error',
    reason: 'forbidden',
    place: {},
    what: `${commenter ?? 'whoever started this run'} has no write permission for this repository, and asks for a change on ${event.name}`,
    hint: { kind: 'ask-as-writer' },
  }
}
