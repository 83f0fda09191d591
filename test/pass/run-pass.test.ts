import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import type { StopReason } from '../../src/model/outcome.ts'
import type { PassResult } from '../../src/model/pass.ts'
import type { Plan } from '../../src/model/plan.ts'
import { noValues, type ReleaseSpec } from '../../src/model/release.ts'
import type { ServedKind } from '../../src/model/served.ts'
import { clusterWorld } from '../../src/pass/cluster-world.ts'
import { nothingProvided } from '../../src/pass/provided.ts'
import { type PassRequest, runPass } from '../../src/pass/run-pass.ts'
import type { Secrets } from '../../src/ports.ts'
import { fromSecret } from '../../src/record/secret.ts'
import { planText } from '../../src/report/words/plan-text.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import { type FakeClock, fakeClock } from '../doubles/fake-clock.ts'
import { apiError, type FakeCluster, fakeCluster } from '../doubles/fake-cluster.ts'
import { type FakeRenderer, fakeRenderer } from '../doubles/fake-renderer.ts'
import { releaseOptions } from '../doubles/release-options.ts'
import { servedKind } from '../doubles/served-kind.ts'
import { neverStopped } from '../doubles/stops.ts'

const HOLDER = 'https://github.example/acme/shop/actions/runs/1/attempts/1'
const CONFIG = `apiVersion: v1
kind: ConfigMap
metadata: { name: web }
data: { a: "1" }`
const HOOK = `apiVersion: batch/v1
kind: Job
metadata: { name: migrate, annotations: { helm.sh/hook: "pre-install,pre-upgrade" } }
spec: {}`
/** Nothing in the cluster of these tests ends a Pod. */
const ENDLESS_HOOK = HOOK.replace('batch/v1', 'v1').replace('Job', 'Pod')

let clock: FakeClock
let cluster: FakeCluster
let renderer: FakeRenderer
let plans: Plan[]
let held: unknown[]
let freed: unknown[]
/** What the newest pass has learned. */
let secrets: Secrets

beforeEach(() => {
  clock = fakeClock()
  cluster = fakeCluster(clock)
  renderer = fakeRenderer()
  plans = []
  held = []
  freed = []
  cluster.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'web' } })
  cluster.setDiscovery({ kinds: served, failed: [] })
  cluster.statusWhenApplied({ kind: 'Job' }, 2_000, { conditions: [{ type: 'Complete', status: 'True' }] })
  renderer.chart(CONFIG)
})

async function pass(given: Partial<PassRequest> = {}): Promise<PassResult> {
  const request: PassRequest = {
    task: { kind: 'deploy' },
    isPlanOnly: false,
    prune: true,
    leftOut: [],
    approvalIgnore: [],
    isUnderApproval: false,
    approval: undefined,
    mayLackRights: false,
    providedEarlier: nothingProvided,
    spec: {
      release: 'shop',
      namespace: 'web',
      weight: 0,
      source: {
        kind: 'chart',
        path: 'charts/shop',
        values: noValues,
      },
    },
    options: releaseOptions,
    holder: HOLDER,
    stop: neverStopped(),
    lockWaitMs: 0,
    onPlan: (plan) => plans.push(plan),
    onEvent: () => {},
    onHeld: (one) => held.push(one),
    onFreed: (one) => freed.push(one),
    ...given,
  }
  secrets = createSecrets()
  const { result } = await clock.runUntil(runPass(request, clusterWorld(cluster), { renderer, clock, secrets }))
  return result
}

const records = () =>
  [1, 2, 3].flatMap((revision) => {
    const name = `sh.helm.release.v1.shop.v${revision}`
    const secret = cluster.object({ apiVersion: 'v1', kind: 'Secret', namespace: 'web', name })
    return secret === undefined ? [] : [`${revision} ${secret.metadata.labels?.status}`]
  })

const statusesOf = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === 'record' ? [`${event.revision} ${event.status}`] : []))

const recorded: ReleaseSpec = { release: 'shop', namespace: 'web', weight: 0, source: { kind: 'record' } }
const web = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'web', name: 'web' }

describe('a record that no Secret holds', () => {
  /** Does not pack. */
  const noise = Array.from({ length: 60_000 }, (_, index) =>
    createHash('sha256').update(`${index}`).digest('hex'),
  ).join('')

  test.each([true, false])('is refused by the plan, before any write (plan only: %s)', async (isPlanOnly) => {
    renderer.chart(CONFIG, { template: noise })
    const { outcome } = await pass({ isPlanOnly })
    expect(outcome.failure).toMatchObject({ reason: 'rejected', hint: { kind: 'shrink-chart' } })
    expect(cluster.writes().filter((write) => !write.includes('Lease'))).toEqual([])
  })

  test('is refused by the plan of an upgrade, too', async () => {
    await pass()
    const before = cluster.writes().length
    renderer.chart(CONFIG, { template: noise })
    const { outcome } = await pass({ isPlanOnly: true })
    expect(outcome.failure?.reason).toBe('rejected')
    expect(cluster.writes().length).toBe(before)
  })
})

describe('a first deploy', () => {
  test('locks, writes a pending revision, applies, marks it deployed and unlocks, in this order', async () => {
    const { outcome } = await pass()
    expect(outcome).toEqual({ status: 'deployed' })
    expect(cluster.writes()).toEqual([
      'create Lease/web/staged-helm-deploy.shop',
      'create Secret/web/sh.helm.release.v1.shop.v1',
      'apply ConfigMap/web/web',
      'replace Secret/web/sh.helm.release.v1.shop.v1',
      'replace Lease/web/staged-helm-deploy.shop',
    ])
    expect(records()).toEqual(['1 deployed'])
  })

  test('tells the post step what it holds', async () => {
    await pass()
    expect(held).toEqual([{ release: 'shop', namespace: 'web', claim: expect.any(String) }])
  })

  test('shows the plan before anything but the lock is written', async () => {
    let writes: readonly string[] = []
    await pass({ onPlan: () => (writes = cluster.writes()) })
    expect(writes).toEqual(['create Lease/web/staged-helm-deploy.shop'])
  })

  test('creates the namespace after the plan was accepted, then locks', async () => {
    cluster.remove({ apiVersion: 'v1', kind: 'Namespace', name: 'web' })
    const serviceAccount = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'web' } }
    cluster.whenApplied({ kind: 'Namespace' }, 100, () => cluster.put(serviceAccount))
    await pass({ options: { ...releaseOptions, createNamespace: true } })
    expect(cluster.writes().slice(0, 3)).toEqual([
      'create Namespace/web',
      'create Lease/web/staged-helm-deploy.shop',
      'create Secret/web/sh.helm.release.v1.shop.v1',
    ])
  })

  test('writes description and labels of the user into the record', async () => {
    await pass({ options: { ...releaseOptions, description: 'build 42', labels: { team: 'shop' } } })
    const secret = { apiVersion: 'v1', kind: 'Secret', namespace: 'web', name: 'sh.helm.release.v1.shop.v1' }
    const stored = cluster.object(secret)
    if (stored === undefined) throw new Error('there is no record')
    expect(stored.metadata.labels).toMatchObject({ team: 'shop', owner: 'helm', status: 'deployed' })
    expect(fromSecret(stored, 'shop').stored.record.info.description).toBe('build 42')
  })

  test('refuses a namespace that does not exist, and writes nothing', async () => {
    cluster.remove({ apiVersion: 'v1', kind: 'Namespace', name: 'web' })
    const { outcome } = await pass()
    expect(outcome.failure).toMatchObject({
      reason: 'invalid-input',
      message: expect.stringContaining('namespace web'),
    })
    expect(cluster.writes()).toEqual([])
  })
})

describe('a further deploy', () => {
  test('tells all rights that are missing at once, the lock among them, and writes nothing', async () => {
    cluster.failWhen({ kind: 'Lease' }, apiError('Forbidden'))
    cluster.setAccess(({ resource }) => resource !== 'leases' && resource !== 'configmaps')
    const before = cluster.writes().length
    const { outcome, plan } = await pass()
    expect(outcome.failure).toMatchObject({ reason: 'forbidden' })
    expect(plan?.problems.map(({ what }) => what)).toEqual([
      'this account may not create, get, update leases.coordination.k8s.io in web; create, patch configmaps in web',
    ])
    expect(cluster.writes().slice(before)).toEqual([])
  })

  test('fails for the lock alone where the account may not even ask what it may do', async () => {
    cluster.failWhen({ kind: 'Lease' }, apiError('Forbidden'))
    const { outcome } = await pass()
    expect(outcome.failure).toMatchObject({ reason: 'forbidden', doing: expect.stringContaining('request') })
  })

  test('writes nothing but its lock where nothing changed: no-changes, no revision', async () => {
    await pass()
    const before = cluster.writes().length
    const { outcome, plan } = await pass()
    expect(outcome).toEqual({ status: 'no-changes' })
    expect(plan?.writesRevision).toBe(false)
    expect(cluster.writes().slice(before)).toEqual([
      'replace Lease/web/staged-helm-deploy.shop',
      'replace Lease/web/staged-helm-deploy.shop',
    ])
  })

  test('warns of a record that cannot be read, with the cause, and goes on without it', async () => {
    await pass()
    const name = 'sh.helm.release.v1.shop.v1'
    const secret = cluster.object({ apiVersion: 'v1', kind: 'Secret', namespace: 'web', name })
    if (secret === undefined) throw new Error('the first deploy wrote a record')
    cluster.put({ ...secret, data: {} })
    const { outcome, problems } = await pass()
    expect(outcome.status).toBe('deployed')
    expect(problems.map(({ severity, what }) => `${severity}: ${what}`)).toEqual([
      'warning: the record of revision 1 cannot be read and is left out of the history: it has no data.release',
    ])
  })

  test('makes a revision where only a hook runs', async () => {
    renderer.chart(`${CONFIG}\n---\n${HOOK}`)
    await pass()
    const { outcome } = await pass()
    expect(outcome.status).toBe('deployed')
    expect(records()).toEqual(['1 superseded', '2 deployed'])
  })

  test('tells what the chart changed in a hook since the revision before, also where it is gone', async () => {
    renderer.chart(`${CONFIG}\n---\n${HOOK}`)
    await pass()
    cluster.remove({ apiVersion: 'batch/v1', kind: 'Job', namespace: 'web', name: 'migrate' })
    renderer.chart(`${CONFIG}\n---\n${HOOK.replace('spec: {}', 'spec: { parallelism: 2 }')}`)
    const { plan } = await pass({ isPlanOnly: true })
    expect(plan?.stages[0]?.groups[0]?.ranks[0]?.[0]).toMatchObject({
      change: 'create',
      reason: { code: 'chart-changed', paths: ['/spec/parallelism'] },
      before: { spec: {} },
      after: { spec: { parallelism: 2 } },
    })
  })

  test('makes a revision where only the notes changed', async () => {
    await pass()
    renderer.chart(CONFIG, { notes: 'new' })
    expect((await pass()).outcome.status).toBe('deployed')
  })

  test('marks the new revision deployed first, the old one superseded after', async () => {
    await pass()
    renderer.chart(CONFIG.replace('"1"', '"2"'))
    const { events } = await pass()
    expect(statusesOf(events)).toEqual(['2 pending-upgrade', '2 deployed', '1 superseded'])
  })

  test('prunes what left the chart', async () => {
    renderer.chart(`${CONFIG}\n---\n${CONFIG.replace('name: web', 'name: old')}`)
    await pass()
    renderer.chart(CONFIG)
    await pass()
    expect(cluster.writes()).toContain('delete ConfigMap/web/old')
  })

  test('prunes what only a failed revision had made', async () => {
    await pass()
    renderer.chart(
      `${CONFIG}\n---\n${CONFIG.replace('name: web', 'name: half')}\n---\n${HOOK.replace('pre-install,pre-upgrade', 'post-upgrade')}`,
    )
    cluster.statusWhenApplied({ kind: 'Job' }, 1_000, {
      conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' }],
    })
    expect((await pass()).outcome.failure?.reason).toBe('hook-failed')
    renderer.chart(CONFIG)
    await pass()
    expect(cluster.writes()).toContain('delete ConfigMap/web/half')
  })

  test('is an install again until one revision was deployed', async () => {
    renderer.chart(HOOK)
    cluster.statusWhenApplied({ kind: 'Job' }, 1_000, { conditions: [{ type: 'Failed', status: 'True' }] })
    await pass()
    renderer.chart(CONFIG)
    const { plan } = await pass()
    expect([plan?.verb, plan?.revision]).toEqual(['install', 2])
    expect(renderer.requests.map(({ isUpgrade }) => isUpgrade)).toEqual([false, false])
  })
})

describe('command plan', () => {
  test('reads and writes nothing at all', async () => {
    const { outcome } = await pass({ isPlanOnly: true })
    expect(outcome).toEqual({ status: 'planned' })
    expect(cluster.writes()).toEqual([])
  })

  test('announces what the deploy then does', async () => {
    await pass()
    renderer.chart(`${CONFIG.replace('"1"', '"2"')}\n---\n${HOOK}`)
    await pass({ isPlanOnly: true })
    await pass()
    expect(planText(plans[2] as Plan)).toBe(planText(plans[1] as Plan))
  })
})

describe('a pass that cannot go on', () => {
  test('writes nothing but its lock where the plan has problems, and names all of them', async () => {
    const foreign = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'web' } })
    cluster.put(foreign('web'))
    cluster.put(foreign('other'))
    renderer.chart(`${CONFIG}\n---\n${CONFIG.replace('name: web', 'name: other')}`)
    const { outcome, problems } = await pass()
    expect(outcome.failure?.reason).toBe('not-owned')
    expect(problems.map(({ place, what }) => `${place.ref?.name} ${what}`)).toEqual([
      'other exists and belongs to no release',
      'web exists and belongs to no release',
    ])
    expect(cluster.writes()).toEqual([
      'create Lease/web/staged-helm-deploy.shop',
      'replace Lease/web/staged-helm-deploy.shop',
    ])
  })

  test('names malformed annotations and what the cluster refuses in one run', async () => {
    cluster.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other', namespace: 'web' } })
    const malformed = CONFIG.replace('name: web', 'name: web, annotations: { werf.io/weight: "one" }')
    renderer.chart(`${malformed}\n---\n${CONFIG.replace('name: web', 'name: other')}`)
    const { problems } = await pass()
    expect(problems.map(({ place, reason }) => `${place.ref?.name} ${reason}`)).toEqual([
      'web invalid-input',
      'other not-owned',
    ])
  })

  test('is locked by a live run, which it names', async () => {
    const lease = (renewed: string) => ({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'staged-helm-deploy.shop', namespace: 'web' },
      spec: {
        holderIdentity: 'https://github.example/other',
        leaseDurationSeconds: 30,
        renewTime: renewed,
        acquireTime: renewed,
      },
    })
    cluster.put(lease('2026-01-01T00:00:00.000000Z'))
    for (let beat = 1; beat < 10; beat += 1) {
      clock.schedule(beat * 5_000, () => cluster.put(lease(`2026-01-01T00:00:${beat * 5}.000000Z`)))
    }
    const { outcome } = await pass()
    expect(outcome.failure).toMatchObject({
      reason: 'locked',
      message: expect.stringContaining('https://github.example/other'),
    })
  })

  test('says that the cluster is unreachable, and where', async () => {
    cluster.failWhen({ verb: 'version' }, apiError('Unreachable', { status: 0, message: 'connect ECONNREFUSED' }))
    const { outcome } = await pass()
    expect(outcome.failure).toMatchObject({ reason: 'cluster-unreachable', message: 'connect ECONNREFUSED' })
  })

  test('a failed hook marks the revision failed, keeps the old one deployed and frees the lock', async () => {
    await pass()
    renderer.chart(`${CONFIG}\n---\n${HOOK}`)
    cluster.statusWhenApplied({ kind: 'Job' }, 1_000, {
      conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' }],
    })
    const { outcome } = await pass()
    expect(outcome.failure).toMatchObject({ reason: 'hook-failed', stage: 'pre' })
    expect(records()).toEqual(['1 deployed', '2 failed'])
    expect(cluster.writes().at(-1)).toBe('replace Lease/web/staged-helm-deploy.shop')
  })

  test.each<[StopReason, string]>([
    ['cancelled', 'cancelled'],
    ['timeout', 'failed'],
  ])('%s in the middle of a hook: %s, revision failed, lock free', async (reason, status) => {
    renderer.chart(HOOK)
    cluster.statusWhenApplied({ kind: 'Job' }, 60_000, {})
    const stop = new AbortController()
    clock.schedule(1_000, () => stop.abort(reason))
    const { outcome } = await pass({ stop: { signal: stop.signal, cancelled: stop.signal } })
    expect([outcome.status, outcome.failure?.reason]).toEqual([status, reason])
    expect(records()).toEqual(['1 failed'])
    expect(cluster.writes().at(-1)).toBe('replace Lease/web/staged-helm-deploy.shop')
    expect(freed).toEqual(held)
  })

  /** Stops a pass that waits for a hook; after `silentAfterMs` the API server answers nothing any more. */
  async function stoppedPass(given: {
    readonly timeoutMs?: number
    readonly cancelMs?: number
    readonly silentAfterMs?: number
    readonly unreachableAfterMs?: number
  }): Promise<{ readonly result: PassResult; readonly tookMs: number }> {
    const { timeoutMs = 3_600_000, cancelMs = 3_600_000, silentAfterMs, unreachableAfterMs } = given
    renderer.chart(ENDLESS_HOOK)
    const stop = new AbortController()
    const cancelled = new AbortController()
    clock.schedule(timeoutMs, () => stop.abort('timeout'))
    clock.schedule(cancelMs, () => {
      stop.abort('cancelled')
      cancelled.abort('cancelled')
    })
    if (silentAfterMs !== undefined) clock.schedule(silentAfterMs, () => cluster.slowWhen({}, 86_400_000))
    if (unreachableAfterMs !== undefined) {
      clock.schedule(unreachableAfterMs, () => cluster.failWhen({}, apiError('Unreachable', { status: 0 })))
    }
    const startMs = clock.now()
    const result = await pass({ stop: { signal: stop.signal, cancelled: cancelled.signal } })
    return { result, tookMs: clock.now() - startMs }
  }

  test('a run that is cancelled in an outage ends within 7.5 s: then the runner kills it', async () => {
    const { result, tookMs } = await stoppedPass({ unreachableAfterMs: 5_000, cancelMs: 60_000 })
    expect([result.outcome.status, tookMs <= 67_500]).toEqual(['cancelled', true])
  })

  test('a run that is cancelled while the API server is silent ends within 7.5 s', async () => {
    const { result, tookMs } = await stoppedPass({ silentAfterMs: 5_000, cancelMs: 60_000 })
    expect([result.outcome.status, tookMs <= 67_500]).toEqual(['cancelled', true])
  })

  test('a silent API server does not keep a run alive: it ends within 16 s after its time', async () => {
    const { result, tookMs } = await stoppedPass({ silentAfterMs: 5_000, timeoutMs: 20_000 })
    expect([result.outcome.failure?.reason, tookMs <= 36_000]).toEqual(['timeout', true])
  })

  test('a run that is cancelled after its time was over hurries', async () => {
    const { tookMs } = await stoppedPass({ silentAfterMs: 5_000, timeoutMs: 20_000, cancelMs: 21_000 })
    expect(tookMs).toBeLessThanOrEqual(21_000 + 7_500)
  })

  test('what could not be cleaned up is left to the post step', async () => {
    await stoppedPass({ silentAfterMs: 5_000, cancelMs: 60_000 })
    expect([held.length, freed]).toEqual([1, []])
  })
})

const served: readonly ServedKind[] = [
  servedKind('', 'v1', 'ConfigMap'),
  servedKind('', 'v1', 'Secret'),
  servedKind('', 'v1', 'Namespace'),
  servedKind('', 'v1', 'Pod'),
  servedKind('', 'v1', 'ServiceAccount'),
  servedKind('batch', 'v1', 'Job'),
  servedKind('coordination.k8s.io', 'v1', 'Lease'),
]

describe('command rollback', () => {
  const first = CONFIG
  const second = `${CONFIG.replace('"1"', '"2"')}\n---\n${CONFIG.replace('name: web', 'name: extra')}`

  test('works from the record alone: an old revision becomes a new one, what it had not is pruned', async () => {
    renderer.chart(first)
    await pass()
    renderer.chart(second)
    await pass()
    const rendered = renderer.requests.length
    const { outcome, plan } = await pass({ task: { kind: 'rollback' }, spec: recorded })
    expect([outcome.status, plan?.verb, plan?.revision]).toEqual(['rolled-back', 'rollback', 3])
    expect(renderer.requests.length).toBe(rendered)
    expect(records()).toEqual(['1 superseded', '2 superseded', '3 deployed'])
    expect(cluster.object(web)?.data).toEqual({ a: '1' })
    expect(cluster.writes()).toContain('delete ConfigMap/web/extra')
  })

  test('runs the rollback hooks of the revision that it goes back to', async () => {
    renderer.chart(`${first}\n---\n${HOOK.replace('pre-install,pre-upgrade', 'pre-rollback')}`)
    await pass()
    renderer.chart(second)
    await pass()
    await pass({ task: { kind: 'rollback' }, spec: recorded })
    expect(cluster.writes()).toContain('apply Job/web/migrate')
  })

  test('names the revisions there are where the wanted one is missing', async () => {
    await pass()
    const { outcome } = await pass({ task: { kind: 'rollback', revision: 7 }, spec: recorded })
    expect(outcome.failure).toMatchObject({ reason: 'invalid-input', message: 'there is no revision 7' })
  })
})

describe('values that an annotation calls sensitive', () => {
  const config = (token: string, annotation = '') =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web, annotations: { ${annotation} } }\ndata: { token: ${token} }`
  const atToken = 'werf.io/sensitive-paths: data.token'

  test('are in no refusal of the API server', async () => {
    renderer.chart(config('tok-4711-xyz', atToken))
    cluster.failWhen({ kind: 'ConfigMap' }, apiError('Invalid', { message: 'denied: tok-4711-xyz' }))
    const { outcome } = await pass()
    expect(outcome.failure?.message).toContain('tok-4711-xyz')
    expect(secrets.redact(outcome.failure?.message ?? '')).toContain('denied: ***')
  })

  test('are known of the live object and of the revision before', async () => {
    renderer.chart(config('first-token'))
    await pass()
    const metadata = { name: 'web', namespace: 'web' }
    cluster.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { token: 'live-token' } })
    renderer.chart(config('second-token', atToken))
    await pass({ isPlanOnly: true })
    expect(secrets.redact('first-token, live-token, second-token')).toBe('***, ***, ***')
  })

  test('of a Secret are shown by "false", from the second deploy on that says so', async () => {
    const secret = (annotations: string) =>
      `apiVersion: v1\nkind: Secret\nmetadata: { name: web, annotations: { ${annotations} } }\nstringData: { a: not-so-secret }`
    renderer.chart(secret(''))
    await pass()
    renderer.chart(secret('werf.io/sensitive: "false"'))
    await pass()
    expect(secrets.redact('not-so-secret')).toBe('***')
    await pass()
    expect(secrets.redact('not-so-secret')).toBe('not-so-secret')
  })
})

describe('values of Secrets', () => {
  const secret = (password: string) =>
    `apiVersion: v1\nkind: Secret\nmetadata: { name: web }\nstringData: { password: ${password} }`

  test('of the revision before are known: other live objects may still hold them', async () => {
    renderer.chart(secret('first-password'))
    await pass()
    cluster.put({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'web', namespace: 'web' } })
    renderer.chart(secret('second-password'))
    await pass({ isPlanOnly: true })
    expect(secrets.redact('first-password, second-password')).toBe('***, ***')
  })

  test('of the revision that a rollback goes back to are known', async () => {
    renderer.chart(secret('first-password'))
    await pass()
    renderer.chart(secret('second-password'))
    await pass()
    await pass({ task: { kind: 'rollback' }, spec: recorded, isPlanOnly: true })
    expect(secrets.redact('first-password')).toBe('***')
  })
})

describe('command uninstall', () => {
  test('deletes what the release owns, runs its delete hooks and removes all records', async () => {
    renderer.chart(`${CONFIG}\n---\n${HOOK.replace('pre-install,pre-upgrade', 'pre-delete')}`)
    await pass()
    const before = cluster.writes().length
    const { outcome } = await pass({ task: { kind: 'uninstall', keepHistory: false }, spec: recorded })
    expect(outcome).toEqual({ status: 'uninstalled' })
    expect(cluster.writes().slice(before)).toEqual([
      'replace Lease/web/staged-helm-deploy.shop',
      'replace Secret/web/sh.helm.release.v1.shop.v1',
      'apply Job/web/migrate',
      'delete ConfigMap/web/web',
      'delete Secret/web/sh.helm.release.v1.shop.v1',
      'replace Lease/web/staged-helm-deploy.shop',
    ])
  })

  test('keeps the history where asked, and a later deploy is an install', async () => {
    await pass()
    await pass({ task: { kind: 'uninstall', keepHistory: true }, spec: recorded })
    expect(records()).toEqual(['1 uninstalled'])
    expect((await pass()).plan?.verb).toBe('install')
  })

  test('of a release that is not there changes nothing and is no failure', async () => {
    const { outcome } = await pass({ task: { kind: 'uninstall', keepHistory: false }, spec: recorded })
    expect(outcome).toEqual({ status: 'no-changes' })
  })
})

describe('command test', () => {
  const TEST = HOOK.replace('pre-install,pre-upgrade', 'test')
  const withTests = `${CONFIG}\n---\n${TEST}\n---\n${TEST.replace('name: migrate', 'name: other')}`

  test('runs the test hooks of the deployed revision and notes their runs in the record', async () => {
    renderer.chart(withTests)
    await pass()
    const { outcome } = await pass({ task: { kind: 'test', filter: [] }, spec: recorded })
    expect(outcome).toEqual({ status: 'tested' })
    expect(cluster.writes().filter((write) => write.startsWith('apply Job'))).toEqual([
      'apply Job/web/migrate',
      'apply Job/web/other',
    ])
    expect(records()).toEqual(['1 deployed'])
  })

  test.each([
    [['other'], ['apply Job/web/other']],
    [['!other'], ['apply Job/web/migrate']],
  ])('with the filter %j runs %j only', async (filter, expected) => {
    renderer.chart(withTests)
    await pass()
    await pass({ task: { kind: 'test', filter }, spec: recorded })
    expect(cluster.writes().filter((write) => write.startsWith('apply Job'))).toEqual(expected)
  })

  test('Helm 2, test-failure: such a hook is stored with the release and runs from the record', async () => {
    renderer.chart(`${CONFIG}
---
${HOOK.replace('pre-install,pre-upgrade', 'test-failure').replace('migrate', 'refuses')}`)
    await pass()
    cluster.statusWhenApplied({ kind: 'Job' }, 1_000, { conditions: [{ type: 'Failed', status: 'True' }] })
    const { outcome } = await pass({ task: { kind: 'test', filter: [] }, spec: recorded })
    expect(outcome).toEqual({ status: 'tested' })
    expect(cluster.writes()).toContain('apply Job/web/refuses')
  })

  test('a failed test is a failure, and the revision stays deployed', async () => {
    renderer.chart(withTests)
    await pass()
    cluster.statusWhenApplied({ kind: 'Job' }, 1_000, { conditions: [{ type: 'Failed', status: 'True' }] })
    const { outcome } = await pass({ task: { kind: 'test', filter: [] }, spec: recorded })
    expect(outcome.failure).toMatchObject({ reason: 'test-failed', stage: 'test' })
    expect(records()).toEqual(['1 deployed'])
  })
})

describe('plain manifests', () => {
  test('are a release of their own, with a record that knows what they are', async () => {
    const [document] = await renderer.parse(
      CONFIG.replace('metadata: {', 'metadata: { annotations: { kots.io/creation-phase: "3" },'),
      'k8s/web.yaml',
    )
    if (document === undefined) throw new Error('no document')
    const spec: ReleaseSpec = {
      release: 'shop',
      namespace: 'web',
      weight: 0,
      source: { kind: 'manifests', documents: [document] },
    }
    const { plan } = await pass({ spec })
    expect(plan?.stages[0]?.groups[0]?.weight).toBe(3)
    const rolledBack = await pass({ task: { kind: 'rollback', revision: 1 }, spec: recorded })
    expect(rolledBack.plan?.stages[0]?.groups[0]?.weight).toBe(3)
  })
})
