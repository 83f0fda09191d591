import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JsonValue, stringAt } from '../../src/model/object.ts'
import { noValues, type ReleaseSpec } from '../../src/model/release.ts'
import type { Renderer } from '../../src/ports.ts'
import { openApi } from '../../src/tools/local/cluster/cluster-api.ts'
import { createNamespaceNamed } from '../cluster/namespace.ts'
import { type Helm, helmIn } from '../e2e/helm.ts'
import { openFor, type Passed, watchedPass } from '../property/passes.ts'
import { isBlocked } from '../property/plan-and-deed.ts'
import type { Twins, Upgraded } from './equal-clusters.ts'
import { type HelmVersion, objectsIn, readTemplates } from './helm-templates.ts'
import { type ChartFiles, type ChartPair, writeCharts } from './pair-file.ts'
import { removeAll, type Scope, takeSnapshot } from './snapshot.ts'

/** Two control planes with nothing in common, so that objects without a namespace can have the same names in both. */
export interface Bench {
  readonly renderer: Renderer
  /** Kubeconfig of the cluster in which the action upgrades, and of the one in which Helm does. */
  readonly ours: string
  readonly helms: string
}

/** What happened to one pair with one Helm. */
export interface Story {
  readonly pair: ChartPair
  readonly helm: HelmVersion
  readonly plan: Passed
  readonly deploy: Passed
  /** Absent where the deploy did not succeed. */
  readonly again?: Passed
  readonly twins: Twins
  /** What Helm said, where its upgrade failed. */
  readonly helmFailure?: string
}

/** Installs the old chart twice by Helm, and upgrades one by Helm and the other by the action. */
export async function tell(pair: ChartPair, helm: HelmVersion, bench: Bench): Promise<Story> {
  const folder = await mkdtemp(join(tmpdir(), `pair-${pair.name}-`))
  const namespace = `${pair.name}-${helm}`
  const twins = await Promise.all(
    [bench.ours, bench.helms].map(async (kubeconfig) =>
      helmIn(await createNamespaceNamed(namespace, kubeconfig), helm),
    ),
  )
  const [, forHelms] = twins as [Helm, Helm]
  const charts = await writeCharts(pair, folder)
  const templates = await readTemplates(forHelms, charts)
  const scopes = [bench.ours, bench.helms].map(
    (kubeconfig): Scope => ({ ...templates, api: openApi(kubeconfig), namespace }),
  ) as [Scope, Scope]
  try {
    await Promise.all(twins.map((one) => one('install', 'shop', charts.old, ...WAIT)))
    const ours = (phase: Phase) => ourPass({ pair, helm, phase, namespace, chart: charts.new }, bench)
    const [us, them] = await Promise.all([
      upgraded(scopes[0], async () => ({ plan: await ours('plan'), deploy: await ours('deploy') })),
      upgraded(scopes[1], () => upgradeByHelm(() => forHelms('upgrade', 'shop', charts.new, ...WAIT))),
    ])
    const hasFailed = isBlocked(us.result.deploy) || us.result.deploy.result.outcome.failure !== undefined
    return {
      pair,
      helm,
      ...us.result,
      ...(hasFailed ? {} : { again: await ours('again') }),
      twins: { ...templates, helm, crdsFolder: crdsIn(pair.new), ours: us, helms: them },
      ...(them.result === undefined ? {} : { helmFailure: them.result }),
    }
  } finally {
    await Promise.all(scopes.map(removeAll))
    await rm(folder, { recursive: true })
  }
}

/** What Helm installs before it renders, and once. */
function crdsIn(files: ChartFiles): ReadonlySet<string> {
  const texts = [...files].flatMap(([path, text]) => (/(^|\/)crds\//.test(path) ? [text] : []))
  return new Set(texts.flatMap((text) => [...objectsIn(text).keys()]))
}

/** Enough for a busy machine. */
const WAIT = ['--wait', '--wait-for-jobs', '--timeout', '120s'] as const

async function upgraded<R>(scope: Scope, upgrade: () => Promise<R>): Promise<Upgraded & { readonly result: R }> {
  const before = await takeSnapshot(scope)
  const result = await upgrade()
  return { before, after: await takeSnapshot(scope), result }
}

/** Helm does not wait until the API server serves a schema that it has just changed: a second try finds it. */
async function upgradeByHelm(upgrade: () => Promise<string>): Promise<string | undefined> {
  const failure = await failureOf(upgrade())
  return failure?.includes('failed to create typed patch') === true ? failureOf(upgrade()) : failure
}

/** What Helm printed last, where it fails. */
async function failureOf(running: Promise<string>): Promise<string | undefined> {
  try {
    await running
    return undefined
  } catch (error) {
    const lines =
      stringAt(error as JsonValue, 'stderr')
        ?.trim()
        .split('\n') ?? []
    return lines.at(-1) ?? String(error)
  }
}

export const PHASES = ['plan', 'deploy', 'again'] as const
export type Phase = (typeof PHASES)[number]

/** By which the audit log knows one pass. */
export function agentOf(pair: string, helm: HelmVersion, phase: Phase): string {
  return `pairs/${pair}/${helm}/${phase}`
}

interface OurPass {
  readonly pair: ChartPair
  readonly helm: HelmVersion
  readonly phase: Phase
  readonly namespace: string
  readonly chart: string
}

/** Each with a client of its own, as each run has. */
async function ourPass({ pair, helm, phase, namespace, chart }: OurPass, bench: Bench): Promise<Passed> {
  const spec: ReleaseSpec = {
    release: 'shop',
    namespace,
    weight: 0,
    source: { kind: 'chart', path: chart, values: noValues },
  }
  const cluster = await openFor(agentOf(pair.name, helm, phase), bench.ours)
  try {
    return await watchedPass(cluster, { renderer: bench.renderer, spec, isPlanOnly: phase === 'plan' })
  } finally {
    await cluster.close()
  }
}
