import { shareAnswer } from '../concurrency/shared-answer.ts'
import { DeployError, isApiError, messageOf } from '../model/errors.ts'
import type { Hint } from '../model/hint.ts'
import type { KubeObject } from '../model/object.ts'
import { refOfObject } from '../model/ref.ts'
import type { Clock, Cluster, Emit } from '../ports.ts'
import { type Claim, freedLease, isHeldBy, LEASE_SECONDS, newLease, readLease, renewedLease } from './lease.ts'

/** Time between two renewals, in ms, jittered by a tenth either way. */
const RENEW_MS = 10_000
/** Time before a renewal that failed is tried again, in ms. */
const RETRY_MS = 2_000
/** A renewal more recent than this proves that the Lease is ours without a request, in ms; well below its duration. */
const FRESH_MS = 20_000

/** A Lease that this run holds. It is renewed in the background until `release`. */
export interface HeldLock {
  /** Identifies this acquisition of the Lease, for `releaseLockIfHeldBy`. */
  readonly claim: string
  /** Fires, with a DeployError `locked`, when another run has the Lease, or the server refuses its renewal for good. */
  readonly lost: AbortSignal
  /**
   * Resolves while the Lease is proven to be ours; asks the server where the last renewal is not recent (an outage, or a
   * process that was suspended). Awaited before every write, by `writesUnderLock`.
   */
  ensureHeld(): Promise<void>
  /** Ends the renewals and frees the Lease; `signal` ends the attempt. Never throws: a Lease that is not freed expires. */
  release(signal?: AbortSignal): Promise<void>
}

export interface HoldOptions {
  readonly cluster: Cluster
  readonly clock: Clock
  readonly emit: Emit
  readonly random: () => number
  readonly claim: Claim
  /** The Lease as it was taken. */
  readonly lease: KubeObject
}

/**
 * Renews a taken Lease. While the API server cannot be reached the lock does not count as lost: nothing shows that another
 * run has it, and each write first makes sure that none has (docs/decisions/0017).
 */
export function holdLock({ cluster, clock, emit, random, claim, lease: taken }: HoldOptions): HeldLock {
  const stop = new AbortController()
  const lost = new AbortController()
  let lease = taken
  let renewedMs = Date.parse(claim.acquireTime)
  /** One renewal at a time, whoever asks for it. */
  const renewal = shareAnswer(renewOnce)

  async function renewOnce(): Promise<void> {
    lost.signal.throwIfAborted()
    const askedMs = clock.now()
    try {
      lease = await cluster.replace(renewedLease(lease, askedMs), stop.signal)
    } catch (error) {
      if (!isApiError(error)) throw error
      lease = await renewFrom(await cluster.get(refOfObject(taken), stop.signal), askedMs)
    }
    renewedMs = askedMs
  }

  /** Renews the Lease as it is now: ours (a reply was lost), none (somebody deleted it), or another run's. */
  async function renewFrom(live: KubeObject | undefined, askedMs: number): Promise<KubeObject> {
    if (live === undefined) return cluster.create(newLease(refOfObject(taken), claim), stop.signal)
    if (isHeldBy(live, claim)) return cluster.replace(renewedLease(live, askedMs), stop.signal)
    const { holder } = readLease(live)
    markLost(holder === '' ? 'it was released by another client' : `${holder} has taken it over`)
    throw lost.signal.reason
  }

  function markLost(message: string, cause?: unknown): void {
    if (lost.signal.aborted) return
    const hint: Hint = { kind: 'lock-taken-over' }
    lost.abort(new DeployError({ reason: 'locked', doing: 'keep the lock of the release', message, hint }, { cause }))
    emit({ type: 'lock', atMs: clock.now(), state: 'lost', holder: claim.holder })
  }

  async function keepAlive(): Promise<void> {
    let delayMs = jittered(RENEW_MS, random)
    while (!stop.signal.aborted && !lost.signal.aborted) {
      try {
        await clock.sleep(delayMs, stop.signal)
        await renewal.current()
        delayMs = jittered(RENEW_MS, random)
      } catch (error) {
        // `lost` says why, or the next try fails again.
        delayMs = RETRY_MS
        const isExpired = clock.now() - renewedMs > LEASE_SECONDS * 1000
        if (isExpired && isFinalRefusal(error)) markLost(`the renewal is refused: ${messageOf(error)}`, error)
      }
    }
  }

  const renewals = keepAlive()
  return {
    claim: claim.acquireTime,
    lost: lost.signal,
    async ensureHeld() {
      stop.signal.throwIfAborted()
      lost.signal.throwIfAborted()
      if (clock.now() - renewedMs > FRESH_MS) await renewal.current()
    },
    async release(signal) {
      if (stop.signal.aborted) return
      stop.abort()
      await renewals
      if (lost.signal.aborted) return
      try {
        await freeLease({ cluster, lease, claim, signal })
        emit({ type: 'lock', atMs: clock.now(), state: 'released', holder: claim.holder })
      } catch (error) {
        const message = `the lock could not be released and expires automatically: ${messageOf(error)}`
        emit({ type: 'warning', atMs: clock.now(), ref: refOfObject(taken), message })
      }
    },
  }
}

async function freeLease({ cluster, lease, claim, signal }: FreeOptions): Promise<void> {
  try {
    await cluster.replace(freedLease(lease), signal)
  } catch (error) {
    if (!isApiError(error, 'Conflict', 'NotFound')) throw error
    const live = await cluster.get(refOfObject(lease), signal)
    // A renewal that was aborted by the release may have reached the server.
    if (isHeldBy(live, claim)) await cluster.replace(freedLease(live), signal)
  }
}

interface FreeOptions extends Pick<HoldOptions, 'cluster' | 'claim' | 'lease'> {
  readonly signal: AbortSignal | undefined
}

/** A refusal that another try does not change; an outage, an overload and an error of the server may pass. */
function isFinalRefusal(error: unknown): boolean {
  return isApiError(error) && error.details.status >= 400 && error.details.status < 500 && error.details.status !== 429
}

function jittered(ms: number, random: () => number): number {
  return ms * (0.9 + 0.2 * random())
}
