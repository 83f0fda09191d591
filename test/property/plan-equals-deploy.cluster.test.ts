import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { mapLimited } from '../../src/concurrency/map-limited.ts'
import type { OpenCluster } from '../../src/kube/cluster-adapter.ts'
import type { KubeObject } from '../../src/model/object.ts'
import { openApi } from '../../src/tools/local/cluster/cluster-api.ts'
import { type AuditEvent, readAudit } from '../cluster/audit.ts'
import { drift } from './drift.ts'
import { mismatches, type Story } from './mismatches.ts'
import { objectsOf } from './objects.ts'
import { type Pair, samplePairs } from './pairs.ts'
import { openFor, PHASES, type Phase, pass, userAgent } from './passes.ts'

/** Another seed tells of other pairs: `PROPERTY_SEED=7 npx vitest run --project cluster test/property`. */
const SEED = Number(process.env.PROPERTY_SEED ?? 20_260_301)
const PAIRS = 200
/** Pairs at a time: enough to fill the times in which one of them waits for a controller. */
const AT_ONCE = 12

/** The set of objects written by deploy equals the set announced by plan, and a second deploy writes nothing. */
describe.skipIf(inject('cluster').local === undefined)('of random pairs of releases', () => {
  let clusters: ReadonlyMap<Phase, OpenCluster>
  const { kubeconfig, local } = inject('cluster')
  const api = openApi(kubeconfig)

  beforeAll(async () => {
    clusters = new Map(
      await Promise.all(PHASES.map(async (phase) => [phase, await openFor(userAgent(phase), kubeconfig)] as const)),
    )
  })
  afterAll(async () => {
    for (const cluster of clusters.values()) await cluster.close()
  })

  test(`the plan announces what the deploy does (${PAIRS} pairs of seed ${SEED})`, { timeout: 600_000 }, async () => {
    const startedAt = Date.now()
    const stories = await mapLimited(samplePairs(SEED, PAIRS), AT_ONCE, (pair, index) => tell(pair, index))
    const audit = await auditOf(local?.auditLog ?? '', startedAt)

    const found = stories
      .map((story) => ({ story, faults: mismatches(story, audit.get(story.place.namespace) ?? []) }))
      .filter(({ faults }) => faults.length > 0)
      .toSorted((a, b) => sizeOf(a.story.pair) - sizeOf(b.story.pair))
    const text = found.map(({ story, faults }) => [titleOf(story), ...faults].join('\n    '))
    expect(text).toEqual([])
    // Pairs of one kind only would prove little.
    const outcomes = Map.groupBy(
      stories,
      ({ deploy }) => deploy.result.outcome.failure?.reason ?? deploy.result.outcome.status,
    )
    expect(outcomes.size, [...outcomes.keys()].join()).toBeGreaterThan(3)
    expect(outcomes.get('deployed')?.length).toBeGreaterThan(PAIRS / 2)
  })

  async function tell(pair: Pair, index: number): Promise<Story> {
    const namespace = `pair-${index}-${RUN}`
    const place = { namespace, group: `${namespace}.example.com` }
    // Every other namespace is made by the install, so that all it brings is unknown until it is applied.
    if (index % 2 === 0) {
      await api.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
    }
    const objects = { before: releaseOf(pair.before, place), after: releaseOf(pair.after, place) }
    const go = (phase: Phase, which: readonly KubeObject[]) =>
      withClient(phase, hasOwnKind(pair), (client) =>
        pass(client, { objects: which, namespace, isPlanOnly: phase === 'plan' }),
      )
    const install = await go('install', objects.before)
    for (const one of pair.drift) await drift(one, place, api)
    const plan = await go('plan', objects.after)
    const deploy = await go('deploy', objects.after)
    const again = await go('again', objects.after)
    return { index, pair, place, install, plan, deploy, again }
  }

  /** A client remembers which kinds are served, as long as a run; where the pair brings a kind, each pass is a run. */
  async function withClient<T>(phase: Phase, isNew: boolean, action: (client: OpenCluster) => Promise<T>): Promise<T> {
    const known = isNew ? undefined : clusters.get(phase)
    if (known !== undefined) return action(known)
    const fresh = await openFor(userAgent(phase), kubeconfig)
    try {
      return await action(fresh)
    } finally {
      await fresh.close()
    }
  }
})

/** Runs leave their namespaces behind: to delete 200 of them would cost the tests after this one more than they do. */
const RUN = `${process.pid}-${Date.now().toString(36)}`

function hasOwnKind({ before, after }: Pair): boolean {
  return [...before, ...after].some(({ kind }) => kind === 'Widget')
}

function releaseOf(things: Pair['before'], place: Story['place']) {
  const objects = things.flatMap((thing) => objectsOf(thing, place))
  const byName = Map.groupBy(objects, ({ kind, metadata }) => `${kind}/${metadata.name}`)
  return [...byName.values()].flatMap((same) => same.slice(0, 1))
}

function titleOf({ index, pair }: Story): string {
  return `pair ${index}: ${JSON.stringify(pair)}`
}

/** The smallest pair tells most. */
function sizeOf({ before, after, drift }: Pair): number {
  return before.length + after.length + drift.length
}

/** By namespace; CRDs count to the namespace that their group is named after by the caller. */
async function auditOf(file: string, since: number): Promise<ReadonlyMap<string, readonly AuditEvent[]>> {
  const ours = new Set(PHASES.map(userAgent))
  const events = (await readAudit(file, { since })).filter((event) => ours.has(event.userAgent))
  return Map.groupBy(
    events,
    ({ ref }) => ref.namespace ?? ref.name?.replace(/^widgets\.(.+)\.example\.com$/, '$1') ?? '',
  )
}
