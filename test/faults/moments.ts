import type { ProxyListener } from '../doubles/fault-proxy.ts'
import type { ProxyRequest } from '../doubles/proxy-fault.ts'
import { isChange } from '../oracle/write-findings.ts'
import { isFinalRecord, isLease, isRecord, isReleaseOfLock } from './stages.ts'

export type Verb = 'install' | 'upgrade' | 'rollback'

/** A point at which a process may die, right before a request reaches the API server or right after it was carried out. */
export interface Moment {
  readonly id: string
  readonly title: string
  readonly verbs: readonly Verb[]
  readonly side: 'before' | 'after'
  readonly of: (request: ProxyRequest) => boolean
}

const ALL: readonly Verb[] = ['install', 'upgrade', 'rollback']
/** What replaces something that is there. */
const AGAIN: readonly Verb[] = ['upgrade', 'rollback']

/** The kill points K1 to K13. */
export const moments: readonly Moment[] = [
  {
    id: 'K1',
    title: 'lock acquired',
    verbs: ALL,
    side: 'after',
    of: (request) => isChange(request) && isLease(request),
  },
  {
    id: 'K2',
    title: 'record created as pending',
    verbs: ALL,
    side: 'after',
    of: (request) => request.method === 'POST' && isRecord(request),
  },
  {
    id: 'K3',
    title: 'CRD applied, not established',
    verbs: ['install', 'upgrade'],
    side: 'after',
    of: change(/\/customresourcedefinitions\//),
  },
  {
    id: 'K4',
    title: 'pre hook deleted, not created',
    verbs: AGAIN,
    side: 'after',
    of: (request) => request.method === 'DELETE' && request.path.includes('/jobs/before'),
  },
  {
    id: 'K5',
    title: 'pre hook runs',
    verbs: ALL,
    side: 'after',
    of: (request) => isChange(request) && request.method === 'PATCH' && request.path.includes('/jobs/before'),
  },
  { id: 'K6', title: 'pre hook done, nothing of group 1', verbs: ALL, side: 'before', of: change(/\/first\?/) },
  { id: 'K7', title: 'amid group 1', verbs: ALL, side: 'after', of: change(/\/first\?/) },
  { id: 'K8', title: 'group 1 ready, nothing of group 2', verbs: ALL, side: 'before', of: change(/\/second\?/) },
  { id: 'K9', title: 'amid group 2', verbs: ALL, side: 'after', of: change(/\/second\?/) },
  {
    id: 'K10',
    title: 'half of what is pruned is deleted',
    verbs: AGAIN,
    side: 'after',
    of: ({ method, path }) => method === 'DELETE' && path.includes('/configmaps/'),
  },
  {
    id: 'K11',
    title: 'post hook runs',
    verbs: ALL,
    side: 'after',
    of: (request) => isChange(request) && request.method === 'PATCH' && request.path.includes('/jobs/afterwards'),
  },
  { id: 'K12', title: 'new revision deployed, old one not superseded', verbs: ALL, side: 'after', of: isFinalRecord },
  { id: 'K13', title: 'record done, lock not released', verbs: ALL, side: 'before', of: isReleaseOfLock },
]

/** Calls once, when the moment has come. A request that comes before it is held back until the promise is settled. */
export function atMoment({ side, of }: Moment, act: () => Promise<void>): ProxyListener {
  let isOver = false
  const look = (request: ProxyRequest): Promise<void> | undefined => {
    if (isOver || !of(request)) return undefined
    isOver = true
    return act()
  }
  return side === 'before' ? { arrived: look } : { answered: look }
}

function change(path: RegExp): Moment['of'] {
  return (request) => isChange(request) && path.test(request.path)
}
