import type { ProxyListener } from '../doubles/fault-proxy.ts'
import type { ProxyRequest } from '../doubles/proxy-fault.ts'
import { isChange } from '../oracle/write-findings.ts'
import { isFinalRecord, isLease, isRecord, isReleaseOfLock } from './stages.ts'

export const VERBS = ['install', 'upgrade', 'rollback', 'uninstall'] as const

export type Verb = (typeof VERBS)[number]

/** A point at which a process may die, right before a request reaches the API server or right after it was carried out. */
export interface Moment {
  readonly side: 'before' | 'after'
  readonly of: (request: ProxyRequest) => boolean
  /** What has to go wrong first. `failed-install`: an install before this one. `failed-upgrade`: the run itself, which then goes back. */
  readonly follows?: 'failed-install' | 'failed-upgrade'
}

export interface KillPoint {
  readonly id: string
  readonly title: string
  /** A text says why the verb has no such moment. */
  readonly at: { readonly [verb in Verb]: Moment | string }
}

const amidFirstGroup: Moment = { side: 'after', of: change(/\/first\?/) }
const beforeHookIsDeleted: Moment = { side: 'after', of: deletion(/\/jobs\/before/) }
const pruned: Moment = { side: 'after', of: deletion(/\/configmaps\//) }

/** The kill points K1 to K14. An uninstall goes from the last group to the first, and deletes. */
export const killPoints: readonly KillPoint[] = [
  {
    id: 'K1',
    title: 'lock acquired',
    at: always({ side: 'after', of: (request) => isChange(request) && isLease(request) }),
  },
  {
    id: 'K2',
    title: 'record created as pending',
    at: {
      ...always({ side: 'after', of: (request) => request.method === 'POST' && isRecord(request) }),
      uninstall: {
        side: 'after',
        of: (request) =>
          request.method === 'PUT' && isRecord(request) && request.body.includes('"status":"uninstalling"'),
      },
    },
  },
  {
    id: 'K3',
    title: 'CRD applied, not established',
    at: {
      ...always({ side: 'after', of: change(/\/customresourcedefinitions\//) }),
      rollback: 'a record holds no CRDs of crds/, so that a rollback applies none',
      uninstall: 'CRDs of crds/ outlive their release',
    },
  },
  {
    id: 'K4',
    title: 'pre hook deleted, not created',
    at: { ...always(beforeHookIsDeleted), install: { ...beforeHookIsDeleted, follows: 'failed-install' } },
  },
  {
    id: 'K5',
    title: 'pre hook runs',
    at: always({ side: 'after', of: change(/^PATCH .*\/jobs\/before/) }),
  },
  {
    id: 'K6',
    title: 'pre hook done, nothing of group 1',
    at: {
      ...always({ side: 'before', of: change(/\/first\?/) }),
      uninstall: { side: 'before', of: deletion(/\/second(\?|$)/) },
    },
  },
  {
    id: 'K7',
    title: 'amid group 1',
    at: { ...always(amidFirstGroup), uninstall: { side: 'after', of: deletion(/\/second(\?|$)/) } },
  },
  {
    id: 'K8',
    title: 'group 1 ready, nothing of group 2',
    at: {
      ...always({ side: 'before', of: change(/\/second\?/) }),
      uninstall: { side: 'before', of: deletion(/\/first(\?|$)/) },
    },
  },
  {
    id: 'K9',
    title: 'amid group 2',
    at: {
      ...always({ side: 'after', of: change(/\/second\?/) }),
      uninstall: { side: 'after', of: deletion(/\/first(\?|$)/) },
    },
  },
  {
    id: 'K10',
    title: 'half of what is pruned is deleted',
    at: {
      ...always(pruned),
      install: { ...pruned, follows: 'failed-install' },
      uninstall: 'it deletes all there is: K7 and K9',
    },
  },
  {
    id: 'K11',
    title: 'post hook runs',
    at: always({ side: 'after', of: change(/^PATCH .*\/jobs\/afterwards/) }),
  },
  {
    id: 'K12',
    title: 'new revision deployed, old one not superseded; one of two records removed',
    at: {
      ...always({ side: 'after', of: isFinalRecord }),
      uninstall: { side: 'after', of: (request) => request.method === 'DELETE' && isRecord(request) },
    },
  },
  { id: 'K13', title: 'record done, lock not released', at: always({ side: 'before', of: isReleaseOfLock }) },
  {
    id: 'K14',
    title: 'rollback of a failed run half done',
    at: {
      install: 'nothing was ever deployed that it could go back to',
      upgrade: { ...amidFirstGroup, follows: 'failed-upgrade' },
      rollback: 'a failed rollback is not rolled back',
      uninstall: 'a failed uninstall is not rolled back: the next one goes on with it',
    },
  },
]

/**
 * Right after the n-th request of a run was carried out, counted from 1; where a run gets by with a few less, after that
 * which frees the lock. Of one run only: it counts.
 */
export function afterRequest(n: number): Moment {
  let count = 0
  return {
    side: 'after',
    of(request) {
      count += 1
      return count === n || isReleaseOfLock(request)
    },
  }
}

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

function always(moment: Moment): { readonly [verb in Verb]: Moment } {
  return { install: moment, upgrade: moment, rollback: moment, uninstall: moment }
}

/** Matches the method and the path of a change: `PATCH /api/v1/...`. */
function change(line: RegExp): Moment['of'] {
  return (request) => isChange(request) && line.test(`${request.method} ${request.path}`)
}

function deletion(path: RegExp): Moment['of'] {
  return (request) => request.method === 'DELETE' && isChange(request) && path.test(request.path)
}
