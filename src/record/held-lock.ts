import { startDeadline } from '../concurrency/deadline.ts'
import { shareAnswer } from '../concurrency/shared-answer.ts'
import { unlessAborted } from '../concurrency/unless-aborted.ts'
import { hintOfRefusal, reasonOfRefusal, refusalOf } from '../model/api-refusal.ts'
import { type ApiError, DeployError, isApiError, messageOf } from '../model/errors.ts'
import type { KubeObject } from '../model/object.ts'
import type { Failure } from '../model/outcome.ts'
import { refOfObject } from '../model/ref.ts'
import type { Clock, Cluster, Emit } from '../ports.ts'
import { type Claim, freedLease, isHeldBy, LEASE_SECONDS, newLease, readLease, renewedLease } from './lease.ts'

/** Time between two renewals, in ms, jittered by a tenth either way. */
const RENEW_MS = 10_000
/** Time before a renewal that failed is tried again, in ms. */
const RETRY_MS = 2_000
/** How long one try to renew may take, in ms: a connection that hangs must not use up the time of the Lease. */
const TRY_MS = 5_000
/** A renewal more recent than this proves that the Lease is ours without a request, in ms; well below its duration. */
const FRESH_MS = 20_000
/** Time after the last renewal at which a write that is under way is broken off, in ms: before others may take over. */
const LAPSE_MS = (LEASE_SECONDS - 5) * 1_000

/** A Lease that this run holds. It is renewed in the background until `release`. */
export interface HeldLock {
  /** Identifies this acquisition of the Lease, for `releaseLockIfHeldBy`. */
  readonly claim: string
  /** Fires, with a DeployError `locked`, when another run has the Lease, or the server refuses its renewal for good. */
  readonly lost: AbortSignal
  /**
   * The right to send one write, for `Cluster.under` (docs/decisions/0017). Where the last renewal is not recent (an outage,
   * a process that was suspended) it renews first, again and again until that succeeds, the lock is lost or `signal` fires.
   * The signal that it gives fires when the lock was not renewed in time: others may soon take it over.
   */
  mayWrite(signal?: AbortSignal): Promise<AbortSignal>
  /** Ends the renewals and frees the Lease; `signal` ends the attempt. Gives false where it is not freed: then it expires. Never throws. */
  release(signal?: AbortSignal): Promise<boolean>
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
  /** A renewal does not wait behind the writes that it permits. */
  const urgent = cluster.under({ isUrgent: true })
  let lease = taken
  let renewedMs = Date.parse(claim.acquireTime)
  let right = new AbortController()
  /** One renewal at a time, whoever asks for it. */
  const renewal = shareAnswer(renewOnce)

  async function renewOnce(): Promise<void> {
    lost.signal.throwIfAborted()
    const askedMs = clock.now()
    const deadline = startDeadline(clock, TRY_MS, new Error(`no renewal within ${TRY_MS / 1000} s`))
    const signal = AbortSignal.any([stop.signal, deadline.signal])
    try {
      lease = await urgent.replace(renewedLease(lease, askedMs), signal)
    } catch (error) {
      if (!isApiError(error)) throw error
      lease = await renewFrom(await urgent.get(refOfObject(taken), signal), askedMs, signal)
    } finally {
      await deadline.close()
    }
    renewedMs = askedMs
  }

  /** Renews the Lease as it is now: ours (a reply was lost), none (somebody deleted it), or another run's. */
  async function renewFrom(live: KubeObject | undefined, askedMs: number, signal: AbortSignal): Promise<KubeObject> {
    if (live === undefined) return urgent.create(newLease(refOfObject(taken), claim), signal)
    if (isHeldBy(live, claim)) return urgent.replace(renewedLease(live, askedMs), signal)
    const { holder } = readLease(live)
    const message = holder === '' ? 'it was released by another client' : `${holder} has taken it over`
    markLost({ reason: 'locked', message, hint: { kind: 'lock-taken-over' } })
    throw lost.signal.reason
  }

  function markLost(failure: Pick<Failure, 'reason' | 'message' | 'hint'>, cause?: unknown): void {
    if (lost.signal.aborted) return
    lost.abort(new DeployError({ ...failure, doing: 'keep the lock of the release' }, { cause }))
    right.abort(lost.signal.reason)
    emit({ type: 'lock', atMs: clock.now(), state: 'lost', holder: claim.holder })
  }

  /** Renews the Lease; `delayMs` later, as a rule. Gives the time until the next renewal, in ms. */
  async function renewAfter(delayMs: number): Promise<number> {
    try {
      await clock.sleep(delayMs, stop.signal)
      await renewal.current()
      return jittered(RENEW_MS, random)
    } catch (error) {
      // `lost` says why, or the next try fails again.
      const isExpired = clock.now() - renewedMs > LEASE_SECONDS * 1000
      if (isExpired && isFinalRefusal(error)) markLost(refusedRenewal(error), error)
      return RETRY_MS
    }
  }

  async function keepAlive(): Promise<void> {
    let delayMs = jittered(RENEW_MS, random)
    while (!stop.signal.aborted && !lost.signal.aborted) delayMs = await renewAfter(delayMs)
  }

  /** Takes the right to write away where no renewal came in time. */
  async function watchRight(): Promise<void> {
    const over = AbortSignal.any([stop.signal, lost.signal])
    while (!over.aborted) {
      const leftMs = renewedMs + LAPSE_MS - clock.now()
      if (leftMs <= 0) right.abort(new Error('the lock was not renewed in time'))
      try {
        // A right that has lapsed comes back with a renewal.
        await clock.sleep(leftMs > 0 ? leftMs : RETRY_MS, over)
      } catch {
        return
      }
    }
  }

  async function mayWrite(signal?: AbortSignal): Promise<AbortSignal> {
    for (;;) {
      stop.signal.throwIfAborted()
      lost.signal.throwIfAborted()
      signal?.throwIfAborted()
      if (clock.now() - renewedMs <= FRESH_MS) break
      try {
        const ends = [stop.signal, lost.signal, ...(signal === undefined ? [] : [signal])]
        await unlessAborted(renewal.current(), AbortSignal.any(ends))
      } catch {
        lost.signal.throwIfAborted()
        await clock.sleep(RETRY_MS, signal)
      }
    }
    if (right.signal.aborted) right = new AbortController()
    return right.signal
  }

  const background = Promise.all([keepAlive(), watchRight()])
  return {
    claim: claim.acquireTime,
    lost: lost.signal,
    mayWrite,
    async release(signal) {
      if (stop.signal.aborted) return true
      stop.abort()
      await background
      if (lost.signal.aborted) return true
      try {
        await freeLease({ cluster, lease, claim, signal })
        emit({ type: 'lock', atMs: clock.now(), state: 'released', holder: claim.holder })
        return true
      } catch (error) {
        const message = `the lock could not be released and expires automatically: ${messageOf(error)}`
        emit({ type: 'warning', atMs: clock.now(), ref: refOfObject(taken), message })
        return false
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
function isFinalRefusal(error: unknown): error is ApiError {
  return isApiError(error) && error.details.status >= 400 && error.details.status < 500 && error.details.status !== 429
}

/** No other run has the lock: what keeps us from it are our rights or credentials. */
function refusedRenewal(error: ApiError): Pick<Failure, 'reason' | 'message' | 'hint'> {
  const refusal = refusalOf(error)
  return {
    reason: reasonOfRefusal(refusal.kind),
    message: `the renewal is refused: ${error.details.message}`,
    hint: hintOfRefusal('refused-request', refusal),
  }
}

function jittered(ms: number, random: () => number): number {
  return ms * (0.9 + 0.2 * random())
}
