import type { V1Lease, V1LeaseSpec } from '@kubernetes/client-node'
import { asKind } from '../model/api-object.ts'
import type { KubeObject, Wire } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import { microTime } from './time.ts'

/** How long a holder may leave its Lease unrenewed, in seconds, before others take over. */
export const LEASE_SECONDS = 30
/** Upper limit, in ms, of the duration that another holder's Lease may claim, so that no run blocks a release for days. */
const SILENCE_LIMIT_MS = 120_000
/** A Lease renewed longer ago than this has expired, without watching it: no two clocks differ by so much. In ms. */
const PLAUSIBLE_SKEW_MS = 3_600_000

/** The content of a Lease. Times are texts of the holder's clock: for people; only `isLongDead` compares them with ours. */
export interface Lease {
  /** Empty: free. */
  readonly holder: string
  readonly acquired: string
  readonly renewed: string
  readonly silenceMs: number
  readonly transitions: number
}

/** One acquisition of a Lease. The time has random last digits, which tell two processes of one run apart. */
export interface Claim {
  readonly holder: string
  readonly acquireTime: string
}

/** Release names have at most 53 characters, so the name is far below a Lease's 253. */
export function leaseRef(release: string, namespace: string): Ref {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace, name: `staged-helm-deploy.${release}` }
}

export function readLease(object: KubeObject): Lease {
  const { spec } = asKind('Lease', object)
  const seconds = spec?.leaseDurationSeconds ?? LEASE_SECONDS
  return {
    holder: spec?.holderIdentity ?? '',
    acquired: spec?.acquireTime ?? '',
    renewed: spec?.renewTime ?? '',
    silenceMs: Math.min(Math.max(seconds, 1) * 1000, SILENCE_LIMIT_MS),
    transitions: spec?.leaseTransitions ?? 0,
  }
}

/** Whether the last renewal is older than any skew of clocks can explain. A time that cannot be read says nothing. */
export function isLongDead(lease: Lease, nowMs: number): boolean {
  const renewedMs = Date.parse(lease.renewed)
  return nowMs - renewedMs > PLAUSIBLE_SKEW_MS + 3 * lease.silenceMs
}

export function isHeldBy(object: KubeObject | undefined, claim: Claim): object is KubeObject {
  if (object === undefined) return false
  const lease = readLease(object)
  return lease.holder === claim.holder && lease.acquired === claim.acquireTime
}

export function newLease(ref: Ref, claim: Claim): KubeObject {
  const { apiVersion, kind, name } = ref
  const metadata = ref.namespace === undefined ? { name } : { name, namespace: ref.namespace }
  return withSpec({ apiVersion, kind, metadata }, claimSpec(claim, 0))
}

/** The Lease with a new holder; its resourceVersion stays, so that only the first of several gets it. */
export function takenLease(live: KubeObject, claim: Claim): KubeObject {
  return withSpec(live, claimSpec(claim, readLease(live).transitions + 1))
}

export function renewedLease(live: KubeObject, nowMs: number): KubeObject {
  return withSpec(live, { renewTime: microTime(nowMs) })
}

export function freedLease(live: KubeObject): KubeObject {
  return withSpec(live, { holderIdentity: '' })
}

function claimSpec(claim: Claim, leaseTransitions: number): Wire<V1LeaseSpec> {
  return {
    holderIdentity: claim.holder,
    leaseDurationSeconds: LEASE_SECONDS,
    acquireTime: claim.acquireTime,
    renewTime: claim.acquireTime,
    leaseTransitions,
  }
}

function withSpec(live: KubeObject, change: Wire<V1LeaseSpec>): KubeObject {
  const lease = asKind('Lease', live)
  return { ...lease, spec: { ...lease.spec, ...change } } satisfies Wire<V1Lease>
}
