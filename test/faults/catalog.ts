import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultProxy } from '../doubles/fault-proxy.ts'
import type { ProxyAnswer, ProxyFault, ProxyRequest } from '../doubles/proxy-fault.ts'
import { isChange } from '../oracle/write-findings.ts'
import { apiStatus, GONE_EVENT } from './api-status.ts'
import type { Stage } from './stages.ts'

/** What a fault has to work with when it begins. */
export interface FaultScene {
  readonly proxy: FaultProxy
  /** The request with which the stage began. */
  readonly trigger: ProxyRequest
  /** Length of a minute's fault in this run, in ms: 60,000 in full. */
  readonly minuteMs: number
  /** From 0 up to, not including, 1; the same for the same seed. */
  readonly random: () => number
  /** Replaces the client's token where its kubeconfig reads one from a file. */
  readonly renewToken: () => Promise<void>
  /** Ends with the cell. */
  readonly signal: AbortSignal
}

export interface Fault {
  readonly id: string
  readonly title: string
  /** In these stages the run must ride it through and succeed. */
  readonly rides: readonly Stage[]
  /** In these it must stop, and say one of these reasons. */
  readonly stops?: { readonly stages: readonly Stage[]; readonly reasons: readonly string[] }
  /** The kubeconfig reads its token from a file that is renewed. */
  readonly hasTokenFile?: true
  /** The run cannot release its lock, which then expires. */
  readonly leavesLock?: true
  /** How long it lasts, in minutes, where it ends before the run. */
  readonly minutes?: number
  begin(scene: FaultScene): void | Promise<void>
}

const TO_FINAL: readonly Stage[] = ['start', 'plan', 'record', 'crds', 'pre', 'group', 'wait', 'prune', 'post', 'final']
const ALL: readonly Stage[] = [...TO_FINAL, 'report']
const WRITING = TO_FINAL.filter((stage) => stage !== 'plan' && stage !== 'wait')
const WATCHING: readonly Stage[] = ['crds', 'pre', 'wait', 'prune', 'post']

/** Faults of the network and the API server, as far as a proxy can play them. */
export const faults: readonly Fault[] = [
  {
    id: 'short-outage',
    title: 'API server restarts, 5 s',
    rides: TO_FINAL,
    minutes: 1 / 12,
    begin: (scene) => outage(scene, scene.minuteMs / 12),
  },
  {
    id: 'long-outage',
    title: 'API server restarts, 60 s',
    rides: TO_FINAL,
    minutes: 1,
    begin: (scene) => outage(scene, scene.minuteMs),
  },
  {
    id: 'flapping-server',
    title: 'one of three API servers flaps every 10 s',
    rides: TO_FINAL,
    begin: (scene) => flap(scene),
  },
  {
    id: 'resets',
    title: 'every 20th response is a reset',
    rides: TO_FINAL,
    begin: (scene) => scene.proxy.play(everyNth(20, { kind: 'reset' })),
  },
  {
    id: 'lost-replies',
    title: 'first reply to each write is lost',
    rides: WRITING,
    begin({ proxy }) {
      const seen = new Set<string>()
      proxy.play((request) => {
        const key = `${request.method} ${request.path}`
        if (request.method === 'GET' || seen.has(key)) return undefined
        seen.add(key)
        return { kind: 'lost-reply' }
      })
    },
  },
  {
    id: 'throttled-with-time',
    title: '429 with Retry-After, 30 s',
    rides: TO_FINAL,
    minutes: 0.5,
    begin: (scene) => during(scene, scene.minuteMs / 2, () => ({ kind: 'answer', ...tooMany({ 'retry-after': '1' }) })),
  },
  {
    id: 'throttled',
    title: '429 without Retry-After, 30 s',
    rides: TO_FINAL,
    minutes: 0.5,
    begin: (scene) => during(scene, scene.minuteMs / 2, () => ({ kind: 'answer', ...tooMany({}) })),
  },
  {
    id: 'leader-changes',
    title: '500 leader changed, one request in 20',
    rides: TO_FINAL,
    begin: ({ proxy }) => {
      const changed = apiStatus(500, 'InternalError', 'etcdserver: leader changed')
      proxy.play(everyNth(20, { kind: 'answer', ...changed }))
    },
  },
  {
    id: 'gateway-errors',
    title: '502, 503, 504, 30 s; half of the writes are carried out',
    rides: TO_FINAL,
    minutes: 0.5,
    begin(scene) {
      let count = 0
      during(scene, scene.minuteMs / 2, () => {
        count += 1
        const answer: ProxyAnswer = { status: 502 + (count % 3), body: '<html>Bad gateway</html>' }
        return count % 2 === 0 ? { kind: 'replaced', answer } : { kind: 'answer', ...answer }
      })
    },
  },
  {
    id: 'latency',
    title: 'latency of 2 s with jitter, 30 s',
    rides: ALL,
    minutes: 0.5,
    begin: (scene) =>
      during(scene, scene.minuteMs / 2, () => ({ kind: 'late', ms: (scene.minuteMs / 30) * (0.5 + scene.random()) })),
  },
  {
    id: 'slow-bodies',
    title: 'bodies in 5 pieces, each after 500 ms, 30 s',
    rides: ALL,
    minutes: 0.5,
    begin: slowBodies,
  },
  { id: 'black-hole', title: 'black hole, 90 s', rides: TO_FINAL, minutes: 1.5, begin: blackHole },
  {
    id: 'watch-gone',
    title: '410 on open watches and on the next one of each',
    rides: WATCHING,
    begin({ proxy }) {
      proxy.endWatches(GONE_EVENT)
      proxy.play(onceEach(isWatch, { kind: 'answer', ...apiStatus(410, 'Expired', 'too old resource version') }))
    },
  },
  {
    id: 'watch-garbage',
    title: 'torn and garbage watches, three of each',
    rides: WATCHING,
    begin({ proxy, minuteMs }) {
      proxy.endWatches('{"type":"ADDED","object":{"metadata":')
      const torn: ProxyFault = { kind: 'closing', ms: minuteMs / 60, lastWords: '{"type":"MODIFIED","obj' }
      const garbage: ProxyFault = { kind: 'answer', status: 200, body: '<html>\n\0\n{"type":"ADDED"}\n' }
      proxy.play(onceEach(isWatch, torn, garbage, garbage))
    },
  },
  {
    id: 'watch-closes',
    title: 'watches close every second',
    rides: WATCHING,
    begin({ proxy }) {
      proxy.endWatches('')
      proxy.play((request) => (isWatch(request) ? { kind: 'closing', ms: 1_000, lastWords: '' } : undefined))
    },
  },
  {
    id: 'watch-lags',
    title: 'watches and lists from a cache lag by 3 s',
    rides: TO_FINAL.filter((stage) => stage !== 'record'),
    begin: ({ proxy, minuteMs }) =>
      proxy.play((request) => {
        if (!isWatch(request) && !request.path.includes('resourceVersion=0')) return undefined
        return { kind: 'lagging', ms: minuteMs / 20 }
      }),
  },
  {
    id: 'token-expires',
    title: '401: the token expires, its file has a new one',
    rides: TO_FINAL,
    hasTokenFile: true,
    async begin({ proxy, trigger, renewToken }) {
      await renewToken()
      refuseToken(proxy, trigger.authorization)
    },
  },
  {
    id: 'token-refused',
    title: '401: the token expires and is the only one',
    rides: [],
    stops: { stages: TO_FINAL, reasons: ['forbidden', 'cluster-unreachable'] },
    leavesLock: true,
    begin: ({ proxy, trigger }) => refuseToken(proxy, trigger.authorization),
  },
  {
    id: 'writes-forbidden',
    title: '403 on the kind that the stage deals with',
    rides: [],
    stops: { stages: WRITING.filter((stage) => stage !== 'start'), reasons: ['forbidden', 'rejected'] },
    begin({ proxy, trigger }) {
      const kind = kindDealtWith(trigger)
      proxy.endWatches('')
      proxy.play((request) => {
        if (request.method === 'GET' || resourceOf(request.path) !== kind) return undefined
        return { kind: 'answer', ...forbidden(request) }
      })
    },
  },
  {
    id: 'watch-forbidden',
    title: '403 on watches: reads still work',
    rides: WATCHING,
    begin({ proxy }) {
      proxy.endWatches('')
      proxy.play((request) => (isWatch(request) ? { kind: 'answer', ...forbidden(request) } : undefined))
    },
  },
  {
    id: 'reads-forbidden',
    title: '403 on all reads of the kind that is waited for',
    rides: [],
    stops: { stages: ['pre', 'wait', 'post'], reasons: ['forbidden'] },
    begin({ proxy, trigger }) {
      const kind = kindDealtWith(trigger)
      proxy.endWatches('')
      proxy.play((request) => {
        if (isChange(request) || resourceOf(request.path) !== kind) return undefined
        return { kind: 'answer', ...forbidden(request) }
      })
    },
  },
  {
    id: 'foreign-group-fails',
    title: 'a foreign API group answers 503',
    rides: TO_FINAL,
    begin: foreignGroup('answers'),
  },
  {
    id: 'foreign-group-hangs',
    title: 'a foreign API group hangs, on a server without aggregated discovery',
    rides: TO_FINAL,
    begin: foreignGroup('hangs'),
  },
  {
    id: 'webhook-starts',
    title: 'a webhook is not ready, 20 s',
    rides: WRITING.filter((stage) => stage !== 'start' && stage !== 'record' && stage !== 'final'),
    minutes: 1 / 3,
    begin(scene) {
      const kind = kindDealtWith(scene.trigger)
      const notReady = apiStatus(
        500,
        'InternalError',
        'Internal error occurred: failed calling webhook "hook.example.com": failed to call webhook: ' +
          'Post "https://hook.system.svc:443/?timeout=10s": no endpoints available for service "hook"',
      )
      during(scene, scene.minuteMs / 3, (request) =>
        isChange(request) && resourceOf(request.path) === kind ? { kind: 'answer', ...notReady } : undefined,
      )
    },
  },
  {
    id: 'webhook-denies',
    title: 'a webhook denies the kind that the stage deals with',
    rides: [],
    stops: { stages: ['crds', 'pre', 'group', 'prune', 'post'], reasons: ['rejected'] },
    begin({ proxy, trigger }) {
      const kind = kindDealtWith(trigger)
      const denied = apiStatus(403, 'Forbidden', 'admission webhook "policy.example.com" denied the request: not here')
      proxy.play((request) =>
        request.method !== 'GET' && resourceOf(request.path) === kind ? { kind: 'answer', ...denied } : undefined,
      )
    },
  },
  {
    id: 'quota-race',
    title: '409 of a quota: each write loses the race three times',
    rides: WRITING,
    begin({ proxy }) {
      const raced = apiStatus(
        409,
        'Conflict',
        'Operation cannot be fulfilled on resourcequotas "all": the object has been modified',
      )
      const lost: ProxyFault = { kind: 'answer', ...raced }
      proxy.play(onceEach(isChange, lost, lost, lost))
    },
  },
  {
    id: 'quota-exceeded',
    title: 'the quota of the kind is exceeded',
    rides: [],
    stops: { stages: ['record', 'pre', 'group', 'post'], reasons: ['rejected', 'forbidden'] },
    begin({ proxy, trigger }) {
      const kind = kindDealtWith(trigger)
      const exceeded = apiStatus(
        403,
        'Forbidden',
        `${kind} "x" is forbidden: exceeded quota: all, requested: count/${kind}=1, used: count/${kind}=9, limited: count/${kind}=9`,
      )
      proxy.play((request) =>
        (request.method === 'POST' || request.method === 'PATCH') &&
        isChange(request) &&
        resourceOf(request.path) === kind
          ? { kind: 'answer', ...exceeded }
          : undefined,
      )
    },
  },
]

function tooMany(headers: { readonly [name: string]: string }): ProxyAnswer {
  const answer = apiStatus(429, 'TooManyRequests', 'too many requests, please try again later')
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

async function outage({ proxy, signal }: FaultScene, ms: number): Promise<void> {
  // Not waited for: the request that began the stage is the first to be cut.
  const goneDown = proxy.goDown()
  void goneDown
    .then(() => sleep(ms, undefined, { signal }))
    .then(
      () => proxy.comeBack(),
      () => undefined,
    )
}

async function flap({ proxy, minuteMs, signal }: FaultScene): Promise<void> {
  const periodMs = minuteMs / 6
  const isThird = (index: number) => index % 3 === 0
  const down = { isSo: true }
  proxy.play((request) => (down.isSo && isThird(request.connection) ? { kind: 'reset' } : undefined))
  const turn = async () => {
    for (;;) {
      if (down.isSo) proxy.resetConnections(isThird)
      await sleep(periodMs, undefined, { signal })
      down.isSo = !down.isSo
    }
  }
  turn().catch(() => undefined)
}

function blackHole({ proxy, minuteMs, signal }: FaultScene): void {
  proxy.freeze()
  sleep(minuteMs * 1.5, undefined, { signal }).then(
    () => proxy.thaw(),
    () => undefined,
  )
}

function slowBodies(scene: FaultScene): void {
  const ms = scene.minuteMs / 120
  during(scene, scene.minuteMs / 2, (request) => (isWatch(request) ? undefined : { kind: 'slow-body', pieces: 5, ms }))
}

/** `answers`: 503, behind a server that tells all groups at once. `hangs`: behind one that is asked group by group. */
function foreignGroup(how: 'answers' | 'hangs'): Fault['begin'] {
  const unavailable: ProxyFault =
    how === 'hangs' ? { kind: 'black-hole' } : { kind: 'answer', ...apiStatus(503, 'ServiceUnavailable', 'no backend') }
  const asked = how === 'hangs' ? { accept: 'application/json' } : {}
  const groups: ProxyFault = { kind: 'rewritten', rewrite: withForeignGroup, ...asked }
  const core: ProxyFault = { kind: 'rewritten', rewrite: (body) => body, ...asked }
  return ({ proxy }) => {
    proxy.play(({ path }) => {
      if (path.startsWith(`/apis/${FOREIGN_GROUP}`)) return unavailable
      if (/^\/apis(\?|$)/.test(path)) return groups
      return /^\/api(\?|$)/.test(path) ? core : undefined
    })
  }
}

const FOREIGN_GROUP = 'metrics.foreign.example.com'

/** The list of groups as an API server gives it that could not ask the group's own server. */
function withForeignGroup(body: string): string {
  const list = JSON.parse(body) as { kind: string; items?: object[]; groups?: object[] }
  const version = { groupVersion: `${FOREIGN_GROUP}/v1`, version: 'v1' }
  list.items?.push({ metadata: { name: FOREIGN_GROUP }, versions: [{ version: 'v1', freshness: 'Stale' }] })
  list.groups?.push({ name: FOREIGN_GROUP, versions: [version], preferredVersion: version })
  return JSON.stringify(list)
}

function refuseToken(proxy: FaultProxy, authorization: string): void {
  const unauthorized = apiStatus(401, 'Unauthorized', 'Unauthorized')
  proxy.endWatches('')
  proxy.play((request) => (request.authorization === authorization ? { kind: 'answer', ...unauthorized } : undefined))
}

function during({ proxy }: FaultScene, ms: number, faultOf: (request: ProxyRequest) => ProxyFault | undefined): void {
  const endMs = Date.now() + ms
  proxy.play((request) => (request.arrivedAtMs < endMs ? faultOf(request) : undefined))
}

function everyNth(n: number, fault: ProxyFault): (request: ProxyRequest) => ProxyFault | undefined {
  let count = 0
  return () => (count++ % n === 0 ? fault : undefined)
}

/** The first tries of each such request end in these faults. */
function onceEach(
  match: (request: ProxyRequest) => boolean,
  ...row: readonly ProxyFault[]
): (request: ProxyRequest) => ProxyFault | undefined {
  const seen = new Map<string, number>()
  return (request) => {
    if (!match(request)) return undefined
    // The version and the time limit of a watch change from try to try.
    const key = `${request.method} ${request.path.split('?')[0]}`
    const tries = seen.get(key) ?? 0
    seen.set(key, tries + 1)
    return row[tries]
  }
}

function isWatch({ path }: ProxyRequest): boolean {
  return path.includes('watch=true')
}

function forbidden({ path }: ProxyRequest): ProxyAnswer {
  const resource = resourceOf(path)
  return apiStatus(403, 'Forbidden', `${resource} is forbidden: User "deployer" cannot use resource "${resource}"`)
}

/** Replica sets are followed for the sake of their Deployment. */
function kindDealtWith({ path }: ProxyRequest): string {
  const resource = resourceOf(path)
  return resource === 'replicasets' ? 'deployments' : resource
}

/** `deployments` of `/apis/apps/v1/namespaces/shop/deployments/web?...`. */
export function resourceOf(path: string): string {
  const [plain = ''] = path.split('?')
  const found = /^\/(?:api|apis\/[^/]+)\/[^/]+(?:\/namespaces\/[^/]+)?\/([^/]+)/.exec(plain)
  return found?.[1] ?? ''
}
