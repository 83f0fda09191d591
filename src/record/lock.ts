import { startDeadline } from '../concurrency/deadline.ts'
import { isApiError } from '../model/errors.ts'
import type { KubeObject } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import type { Clock, Cluster, Emit } from '../ports.ts'
import { type HeldLock, holdLock } from './held-lock.ts'
import {
  type Claim,
  freedLease,
  isHeldBy,
  isLongDead,
  type Lease,
  leaseRef,
  newLease,
  readLease,
  takenLease,
} from './lease.ts'
import { microTime } from './time.ts'

/** How often a Lease of another holder is looked at, in ms. */
const POLL_MS = 2_000
/** A longer gap between two reads, in ms, means that the API server was unreachable: the holder could not renew either. */
const OUTAGE_MS = 10_000

export interface LockRequest {
  readonly cluster: Cluster
  readonly clock: Clock
  readonly emit: Emit
  readonly release: string
  readonly namespace: string
  /** Run URL, shown to whoever finds the release locked. */
  readonly holder: string
  /** How long a living holder is waited for, in ms. Absent: not at all. */
  readonly waitMs?: number
  /** Ends the acquisition. */
  readonly signal?: AbortSignal
  /** 0 up to 1; spreads renewals. */
  readonly random?: () => number
}

export type Acquisition =
  /** `takenFrom`: the holder that had fallen silent. */
  | { readonly kind: 'acquired'; readonly lock: HeldLock; readonly takenFrom?: string }
  /** A live run holds it. Times as the holder's clock gave them (RFC 3339). */
  | { readonly kind: 'locked'; readonly holder: string; readonly since: string; readonly renewed: string }

/**
 * Takes the release's Lease, so that one run at a time writes to it (docs/decisions/0017). A free Lease is taken at
 * once; one with a holder is watched until it changes (`locked`) or has stood still for its own duration on our clock
 * (taken over). A `locked` one is waited for as long as the request says. Clocks of different machines are not compared, unless the last renewal is more than an hour old. A
 * Lease in the name of our own holder is treated like any other: another job of the run may be alive.
 */
export async function acquireLock(request: LockRequest): Promise<Acquisition> {
  const { cluster, clock, release, namespace, signal } = request
  const ref = leaseRef(release, namespace)
  const giveUpMs = clock.now() + (request.waitMs ?? 0)
  let waitingFor: string | undefined
  for (;;) {
    const live = await cluster.get(ref, signal)
    const previousHolder = live === undefined ? '' : readLease(live).holder
    if (live !== undefined && previousHolder !== '') {
      const found = await watchHolder(request, ref, live)
      if (found === 'changed') continue
      if (found !== 'silent') {
        if (clock.now() >= giveUpMs) return found
        if (found.holder !== waitingFor)
          request.emit({ type: 'lock', atMs: clock.now(), state: 'waiting', holder: found.holder })
        waitingFor = found.holder
        continue
      }
    }
    const claim = newClaim(request)
    const write = (): Promise<KubeObject> =>
      live === undefined
        ? cluster.create(newLease(ref, claim), signal)
        : cluster.replace(takenLease(live, claim), signal)
    const taken = await writeClaim(request, ref, claim, write).catch(async (error: unknown) => {
      if (signal?.aborted === true) await freeUncertain(request, claim)
      throw error
    })
    if (taken !== undefined) return acquired(request, taken, claim, previousHolder)
    await clock.sleep(POLL_MS, signal)
  }
}

/**
 * Frees the Lease that a process of this job held when it died; called by the post step. `claim` identifies the lock
 * (`HeldLock.claim`, kept in the runner's state); without it only the holder is compared, which must then be unique to the
 * job. Gives false where nothing was held.
 */
export async function releaseLockIfHeldBy(
  cluster: Cluster,
  release: string,
  namespace: string,
  holder: string,
  claim?: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const ref = leaseRef(release, namespace)
  for (;;) {
    const live = await cluster.get(ref, signal)
    if (live === undefined) return false
    const lease = readLease(live)
    if (lease.holder !== holder || (claim !== undefined && lease.acquired !== claim)) return false
    try {
      await cluster.replace(freedLease(live), signal)
      return true
    } catch (error) {
      // It has changed since it was read: read again who holds it.
      if (!isApiError(error, 'Conflict', 'NotFound')) throw error
    }
  }
}

/** How long a run that was stopped while it took the lock may look whether it got it, in ms. */
const UNCERTAIN_MS = 2_000

/** The run was stopped while the answer was on its way: nobody else would free the Lease. It expires where this fails. */
async function freeUncertain({ cluster, clock, release, namespace }: LockRequest, claim: Claim): Promise<void> {
  const deadline = startDeadline(clock, UNCERTAIN_MS)
  try {
    await releaseLockIfHeldBy(cluster, release, namespace, claim.holder, claim.acquireTime, deadline.signal)
  } catch {
    // Whoever wants the lock next waits until it has expired.
  } finally {
    await deadline.close()
  }
}

/** Whether the holder still runs. `changed`: the Lease was freed, deleted or taken by another meanwhile; look again. */
async function watchHolder(
  request: LockRequest,
  ref: Ref,
  first: KubeObject,
): Promise<'silent' | 'changed' | Extract<Acquisition, { kind: 'locked' }>> {
  const { cluster, clock, signal } = request
  const lease = readLease(first)
  if (isLongDead(lease, clock.now())) return 'silent'
  let stillSinceMs = clock.now()
  let lastLookMs = stillSinceMs
  for (;;) {
    await clock.sleep(POLL_MS, signal)
    const askedMs = clock.now()
    const live = await cluster.get(ref, signal)
    if (live === undefined || readLease(live).holder === '') return 'changed'
    if (live.metadata.resourceVersion !== first.metadata.resourceVersion) return lockedBy(readLease(live))
    if (clock.now() - lastLookMs > OUTAGE_MS) stillSinceMs = clock.now()
    lastLookMs = clock.now()
    if (askedMs - stillSinceMs >= lease.silenceMs) return 'silent'
  }
}

function lockedBy({ holder, acquired, renewed }: Lease): Extract<Acquisition, { kind: 'locked' }> {
  return { kind: 'locked', holder, since: acquired, renewed }
}

/** The Lease as written, or undefined where another run was faster. */
async function writeClaim(
  { cluster, signal }: LockRequest,
  ref: Ref,
  claim: Claim,
  write: () => Promise<KubeObject>,
): Promise<KubeObject | undefined> {
  try {
    return await write()
  } catch (error) {
    if (!isApiError(error, 'Conflict', 'AlreadyExists')) throw error
    // Perhaps the reply to our own request was lost, and the request sent again.
    const live = await cluster.get(ref, signal)
    return isHeldBy(live, claim) ? live : undefined
  }
}

function newClaim({ clock, holder, random = Math.random }: LockRequest): Claim {
  return { holder, acquireTime: microTime(clock.now(), Math.floor(random() * 1000)) }
}

function acquired(request: LockRequest, lease: KubeObject, claim: Claim, previousHolder: string): Acquisition {
  const { cluster, clock, emit, random = Math.random } = request
  emit({
    type: 'lock',
    atMs: clock.now(),
    state: previousHolder === '' ? 'acquired' : 'taken-over',
    holder: claim.holder,
  })
  const lock = holdLock({ cluster, clock, emit, random, claim, lease })
  return previousHolder === '' ? { kind: 'acquired', lock } : { kind: 'acquired', lock, takenFrom: previousHolder }
}
