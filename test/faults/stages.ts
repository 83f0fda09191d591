import type { ProxyListener } from '../doubles/fault-proxy.ts'
import type { ProxyRequest } from '../doubles/proxy-fault.ts'
import { isChange } from '../oracle/write-findings.ts'

/** Moments in the life of a deploy, known by what the proxy sees of them. */
export const STAGES = [
  'start',
  'plan',
  'record',
  'crds',
  'pre',
  'group',
  'wait',
  'prune',
  'post',
  'final',
  'report',
] as const

export type Stage = (typeof STAGES)[number]

interface Sign {
  readonly of: (request: ProxyRequest) => boolean
  /** The stage begins with the answer to this request, not with the request. */
  readonly isAnswer?: true
}

/** By which request a stage of `StagedRelease` makes itself known. */
const signs: { readonly [stage in Stage]: Sign } = {
  start: { of: () => true },
  plan: { of: ({ path }) => path.includes('dryRun=All') },
  record: { of: (request) => request.method === 'POST' && isRecord(request) },
  crds: { of: changeOf('/customresourcedefinitions/') },
  pre: { of: changeOf('/jobs/before') },
  group: { of: changeOf('/configmaps/first') },
  // The Deployment itself is followed already.
  wait: { of: ({ path }) => path.includes('/replicasets?') && path.includes('watch=true'), isAnswer: true },
  prune: { of: changeOf('/configmaps/old') },
  post: { of: changeOf('/jobs/afterwards') },
  final: { of: isFinalRecord },
  report: { of: isReleaseOfLock },
}

/** Calls once, when the stage begins; the request that shows it waits for it. */
export function atStage(stage: Stage, begin: (request: ProxyRequest) => Promise<void>): ProxyListener {
  const { of, isAnswer } = signs[stage]
  let hasBegun = false
  const look = (request: ProxyRequest): Promise<void> | undefined => {
    if (hasBegun || !of(request)) return undefined
    hasBegun = true
    return begin(request)
  }
  return isAnswer === true ? { answered: look } : { arrived: look }
}

function changeOf(part: string): Sign['of'] {
  return (request) => isChange(request) && request.path.includes(part)
}

/** Reads or writes a revision of the release. */
export function isRecord({ path }: Pick<ProxyRequest, 'path'>): boolean {
  return path.includes('/secrets/sh.helm.release.v1.') || /\/secrets\?fieldManager/.test(path)
}

/** Marks the new revision deployed. */
export function isFinalRecord(request: ProxyRequest): boolean {
  return request.method === 'PUT' && isRecord(request) && request.body.includes('"status":"deployed"')
}

export function isLease({ path }: Pick<ProxyRequest, 'path'>): boolean {
  return /\/leases(\/|\?|$)/.test(path)
}

export function isReleaseOfLock(request: ProxyRequest): boolean {
  return request.method === 'PUT' && isLease(request) && request.body.includes('"holderIdentity":""')
}
