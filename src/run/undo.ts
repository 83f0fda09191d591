import { startDeadline } from '../concurrency/deadline.ts'
import type { StopReason } from '../model/outcome.ts'
import type { PassResult } from '../model/pass.ts'
import type { ReleaseSpec } from '../model/release.ts'
import { rowOf } from '../model/verb.ts'
import type { EndedPass } from '../pass/run-pass.ts'
import { holdsNothing } from '../record/history.ts'
import type { KnownRecord } from '../record/known-record.ts'
import { type PassOfRun, releaseOptions, runReleasePass } from './release-pass.ts'
import type { Run } from './run-request.ts'

type Undoing = Pick<PassOfRun, 'task' | 'leftOut'>

/**
 * What the inputs ask for after a deploy that failed. Only what it has changed can be undone, and only back to a revision that was
 * deployed, or to nothing where nothing was (docs/decisions/0009). It has its own time: that of the run may be over, which is why it
 * failed.
 */
export async function undo(spec: ReleaseSpec, ended: EndedPass, all: Run): Promise<readonly PassResult[]> {
  const { record, result: failed } = ended
  const { onFailure } = releaseOptions(spec, all.request.settings)
  if (onFailure === 'stop' || failed.outcome.status === 'cancelled') return []
  if (!failed.events.some(({ type }) => type === 'stage-started') || record === undefined) return []
  if (record.written === undefined) {
    all.reporter.note('Nothing is rolled back: this deploy has changed nothing.')
    return []
  }
  const undoing = howToUndo(ended, record, onFailure)
  if ('left' in undoing) {
    all.reporter.note(undoing.left)
    return []
  }
  const { settings, stop } = all.request
  const reason: StopReason = 'timeout'
  const deadline = startDeadline(all.ports.clock, settings.rollbackTimeoutSeconds * 1000, reason)
  try {
    const { result } = await runReleasePass(spec, all, {
      ...undoing,
      isPlanOnly: false,
      approval: undefined,
      knownRecord: record,
      stop: { signal: AbortSignal.any([stop.cancelled, deadline.signal]), cancelled: stop.cancelled },
    })
    return [result]
  } finally {
    await deadline.close()
  }
}

/** `left`: why nothing is undone. */
function howToUndo(
  { adopted, result: { plan } }: EndedPass,
  { history }: KnownRecord,
  onFailure: 'rollback' | 'undo',
): Undoing | { readonly left: string } {
  if (plan !== undefined && rowOf(plan.verb).mayGoBack === true) return { task: { kind: 'rollback' } }
  if (onFailure === 'rollback') {
    return { left: 'Nothing is rolled back: no revision of this release was ever deployed. What was created stays.' }
  }
  // What an earlier attempt has left is not this deploy's own; Helm undoes nothing either.
  if (!holdsNothing(history)) {
    return {
      left: 'Nothing is taken down: an earlier install of this release has failed as well, or its record cannot be read. What was created stays; command: uninstall removes it.',
    }
  }
  return {
    task: { kind: 'uninstall', keepHistory: false, ofFailedInstall: { adopted } },
    leftOut: adopted.map((ref) => ({ ref, reason: 'adopted' })),
  }
}
