import { DeployError } from '../model/errors.ts'
import type { StopReason } from '../model/outcome.ts'
import type { Clock, Cluster, Emit } from '../ports.ts'
import { acquireLock } from '../record/lock.ts'
import { finishWrites, type Stop } from './last-writes.ts'

/** What frees the lock of a process that died: saved for the post step. */
export interface SavedLock {
  readonly release: string
  readonly namespace: string
  readonly claim: string
}

/** A release whose lock this run holds. */
export interface HeldRelease {
  /** Each try of a write first makes sure that the lock is still ours. */
  readonly cluster: Cluster
  /** Fires with the StopReason `lock-lost`. */
  readonly lost: AbortSignal
  /** Identifies this acquisition of the lock, for the post step. */
  readonly claim: string
  /** Gives false where the lock could not be freed. */
  release(): Promise<boolean>
}

export interface HoldRequest {
  readonly release: string
  readonly namespace: string
  readonly holder: string
  readonly emit: Emit
  readonly stop: Stop
  /** How long a living holder is waited for, in ms; 0: not at all. */
  readonly waitMs: number
}

/** Takes the lock of the release. Throws DeployError `locked` where a live run has it. */
export async function holdRelease(
  request: HoldRequest,
  { cluster, clock }: { readonly cluster: Cluster; readonly clock: Clock },
): Promise<HeldRelease> {
  const acquisition = await acquireLock({ ...request, signal: request.stop.signal, cluster, clock })
  if (acquisition.kind === 'locked') {
    throw new DeployError({
      reason: 'locked',
      doing: `lock release ${request.release}`,
      message: `held by ${acquisition.holder} since ${acquisition.since}, renewed ${acquisition.renewed}`,
      hint: { kind: 'wait-for-lock' },
    })
  }
  const { lock } = acquisition
  const lost = new AbortController()
  const reason: StopReason = 'lock-lost'
  lock.lost.addEventListener('abort', () => lost.abort(reason), { once: true })
  return {
    cluster: cluster.under({
      mayWrite: lock.mayWrite,
      onHeldUp: (heldUp) => request.emit({ type: 'held-up', atMs: clock.now(), ...heldUp }),
    }),
    lost: lost.signal,
    claim: lock.claim,
    release: () => finishWrites((deadline) => lock.release(deadline), { clock, stop: request.stop }),
  }
}
