import { describe, expect, test } from 'vitest'
import type { ApiError } from '../../src/model/errors.ts'
import type { PassResult } from '../../src/model/pass.ts'
import { noValues } from '../../src/model/release.ts'
import { clusterWorld } from '../../src/pass/cluster-world.ts'
import { nothingProvided } from '../../src/pass/provided.ts'
import { runPass } from '../../src/pass/run-pass.ts'
import type { Clock, Cluster } from '../../src/ports.ts'
import { leaseRef, readLease } from '../../src/record/lease.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import { type FakeClock, fakeClock } from '../doubles/fake-clock.ts'
import { apiError, type FakeCluster, fakeCluster } from '../doubles/fake-cluster.ts'
import { type FakeRenderer, fakeRenderer } from '../doubles/fake-renderer.ts'
import { underTerms } from '../doubles/fake-terms.ts'
import { releaseOptions } from '../doubles/release-options.ts'
import { servedKind } from '../doubles/served-kind.ts'
import { neverStopped } from '../doubles/stops.ts'
import { seededRandom } from '../seeded-random.ts'

/** How many random fault schedules are played; `FAULT_SEEDS=1000` for more, `FAULT_FROM_SEED=1001` for others. */
const SEEDS = Number(process.env.FAULT_SEEDS ?? '60')
const FROM_SEED = Number(process.env.FAULT_FROM_SEED ?? '1')
/** On a busy machine. */
const TIMEOUT_MS = 60_000 + SEEDS * 500
const chart = (version: number, pruned: string) => `apiVersion: v1
kind: ConfigMap
metadata: { name: first }
data: { version: "${version}" }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: second, annotations: { werf.io/weight: "10" } }
data: { version: "${version}" }
---
apiVersion: batch/v1
kind: Job
metadata: { name: before, annotations: { helm.sh/hook: "pre-install,pre-upgrade" } }
spec: {}
---
apiVersion: batch/v1
kind: Job
metadata: { name: afterwards, annotations: { helm.sh/hook: "post-install,post-upgrade" } }
spec: {}
${pruned}`
const OLD = `---
apiVersion: v1
kind: ConfigMap
metadata: { name: old }
`

/**
 * An upgrade whose requests are refused, answered late, carried out without an answer, or cut off for good, each at random;
 * then a deploy without any. The client's own retries are over when these errors appear, so that most runs fail.
 */
describe('a random schedule of faults', () => {
  test(`leaves nothing that the next run cannot finish, in ${SEEDS} seeds`, { timeout: TIMEOUT_MS }, async () => {
    const findings: string[] = []
    const statuses = new Set<string>()
    for (let seed = FROM_SEED; seed < FROM_SEED + SEEDS; seed += 1) {
      const { met, found } = await play(seed)
      statuses.add(met)
      findings.push(...found.map((finding) => `seed ${seed}: ${finding}`))
    }
    expect(findings).toEqual([])
    // Else the schedules would be too mild, or too hard, to prove anything.
    expect(statuses).toEqual(new Set(['deployed', 'failed']))
  })
})

interface World {
  readonly clock: FakeClock
  readonly cluster: FakeCluster
  readonly renderer: FakeRenderer
}

async function play(seed: number): Promise<{ readonly met: string; readonly found: readonly string[] }> {
  const world = createWorld()
  const { clock, cluster, renderer } = world
  renderer.chart(chart(1, OLD))
  await clock.runUntil(deploy(world, cluster, 1))

  renderer.chart(chart(2, ''))
  const faulty = withFaults(cluster, clock, seededRandom(seed))
  // A process that was killed rejects: nothing of it is told.
  const met = await clock.runUntil(deploy(world, faulty, 2)).catch((error: Error) => error)
  const status = met instanceof Error ? 'failed' : met.outcome.status
  const found = status === 'deployed' ? stateFindings(cluster, 'after its success', 2) : []

  const next = await clock.runUntil(deploy(world, cluster, 3))
  const told = next.outcome.failure === undefined ? [] : [`the next run fails: ${next.outcome.failure.message}`]
  return {
    met: status,
    found: [...found, ...told, ...stateFindings(cluster, 'after the next run', 1), ...lockFound(cluster)],
  }
}

function createWorld(): World {
  const clock = fakeClock()
  const cluster = fakeCluster(clock)
  cluster.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'web' } })
  const kinds = [
    servedKind('', 'v1', 'ConfigMap'),
    servedKind('', 'v1', 'Secret'),
    servedKind('', 'v1', 'Namespace'),
    servedKind('', 'v1', 'Pod'),
    servedKind('batch', 'v1', 'Job'),
    servedKind('coordination.k8s.io', 'v1', 'Lease'),
  ]
  cluster.setDiscovery({ kinds, failed: [] })
  cluster.statusWhenApplied({ kind: 'Job' }, 2_000, { conditions: [{ type: 'Complete', status: 'True' }] })
  return { clock, cluster, renderer: fakeRenderer() }
}

async function deploy({ clock, renderer }: World, cluster: Cluster, run: number): Promise<PassResult> {
  const { result } = await runPass(
    {
      task: { kind: 'deploy' },
      isPlanOnly: false,
      prune: true,
      leftOut: [],
      approvalIgnore: [],
      approval: undefined,
      isUnderApproval: false,
      mayLackRights: false,
      providedEarlier: nothingProvided,
      spec: {
        release: 'shop',
        namespace: 'web',
        weight: 0,
        source: { kind: 'chart', path: 'charts/shop', values: noValues },
      },
      options: releaseOptions,
      holder: `https://github.example/acme/shop/actions/runs/${run}`,
      stop: neverStopped(),
      lockWaitMs: 0,
      onPlan: () => undefined,
      onEvent: () => undefined,
      onHeld: () => undefined,
      onFreed: () => undefined,
    },
    clusterWorld(cluster),
    { renderer, clock, secrets: createSecrets() },
  )
  return result
}

/** Each request meets a fault with a chance of its own for this seed; from a random request on none may get through. */
function withFaults(cluster: Cluster, clock: Clock, random: () => number): Cluster {
  const chance = random() * 0.08
  let left = random() < 0.4 ? Math.floor(random() * 60) : Number.POSITIVE_INFINITY
  async function meet<T>(act: () => Promise<T>): Promise<T> {
    left -= 1
    if (left < 0) throw new Error('killed')
    if (random() >= chance) return act()
    const kind = Math.floor(random() * 5)
    if (kind === 0) throw unreachable()
    if (kind === 1) throw apiError('InternalError', { status: 500 })
    if (kind === 2) throw apiError('TooManyRequests', { status: 429 })
    // Late enough for renewals of the lock to pass by, too early for another run to take it over.
    if (kind === 3) await clock.sleep(random() * 25_000)
    const result = await act()
    if (kind === 4) throw unreachable()
    return result
  }
  const faulty: Cluster = {
    ...cluster,
    under: (terms) => underTerms(faulty, terms),
    version: (signal) => meet(() => cluster.version(signal)),
    discovery: (options) => meet(() => cluster.discovery(options)),
    get: (ref, signal) => meet(() => cluster.get(ref, signal)),
    list: (query, signal) => meet(() => cluster.list(query, signal)),
    dryRunApply: (object, options, signal) => meet(() => cluster.dryRunApply(object, options, signal)),
    dryRunPatch: (ref, operations, signal) => meet(() => cluster.dryRunPatch(ref, operations, signal)),
    mayI: (asked, signal) => meet(() => cluster.mayI(asked, signal)),
    apply: (object, options, signal) => meet(() => cluster.apply(object, options, signal)),
    create: (object, signal) => meet(() => cluster.create(object, signal)),
    replace: (object, signal) => meet(() => cluster.replace(object, signal)),
    patch: (ref, operations, signal) => meet(() => cluster.patch(ref, operations, signal)),
    delete: (ref, options, signal) => meet(() => cluster.delete(ref, options, signal)),
  }
  return faulty
}

function unreachable(): ApiError {
  return apiError('Unreachable', { status: 0, message: 'connection reset' })
}

/**
 * The newest revision is deployed, beside it at most an older one that could not be marked (docs/decisions/0007); none is
 * pending; the objects are those of the newest.
 */
function stateFindings(cluster: FakeCluster, when: string, mostDeployed: number): readonly string[] {
  const statuses = Array.from({ length: 9 }, (_, index) => {
    const ref = { apiVersion: 'v1', kind: 'Secret', namespace: 'web', name: `sh.helm.release.v1.shop.v${index + 1}` }
    return cluster.object(ref)?.metadata.labels?.status
  }).filter((status) => status !== undefined)
  const deployed = statuses.filter((status) => status === 'deployed').length
  const isWell =
    deployed <= mostDeployed && statuses.at(-1) === 'deployed' && !statuses.some((one) => one.startsWith('pending'))
  const map = (name: string) => cluster.object({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'web', name })
  const versions = ['first', 'second'].map((name) => (map(name)?.data as { version?: string } | undefined)?.version)
  return [
    ...(isWell ? [] : [`${when} the revisions are ${statuses.join(', ')}`]),
    ...(versions.every((version) => version === '2') ? [] : [`${when} the objects are of versions ${versions}`]),
    ...(map('old') === undefined ? [] : [`${when} the pruned object is there`]),
  ]
}

function lockFound(cluster: FakeCluster): readonly string[] {
  const lease = cluster.object(leaseRef('shop', 'web'))
  const holder = lease === undefined ? '' : readLease(lease).holder
  return holder === '' ? [] : [`the lock is still held by ${holder}`]
}
