import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { noValues } from '../../src/model/release.ts'
import type { ChartRules, FetchSettings, Renderer } from '../../src/ports.ts'
import { startRenderer } from '../../src/render/renderer.ts'
import { buildEngine } from '../../src/tools/builds/engine-build.ts'
import { volume } from '../volume.ts'
import { type ChartWorld, startChartWorld } from './chart-world.ts'
import type { DependencySet } from './dependency-set.ts'
import { startFetchingJob } from './fetching-job.ts'
import {
  GENERATED_REGISTRIES,
  GENERATED_REPOSITORIES,
  generatedCharts,
  generatedSets,
} from './generated-dependency-sets.ts'
import { fillCharts, helmAnswer, lockOf, writeSet } from './helm-dependencies.ts'
import { PUBLIC_REGISTRIES, PUBLIC_REPOSITORIES, publicCharts, publicSets } from './public-dependency-sets.ts'

const SEED = 20_261_122
/** The usual sets are the first ones of all. */
const ALL = generatedSets(40, SEED)
const GENERATED = ALL.slice(0, volume(ALL.length, 12))
const PUBLIC = publicSets()

let folder: string
let renderer: Renderer & ChartRules
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dependency-sets-'))
  renderer = startRenderer({ folder: await buildEngine(), timeZone: 'UTC' })
})
afterAll(async () => {
  await renderer.close()
  await rm(folder, { recursive: true, force: true })
})

describe(`dependencies of ${GENERATED.length} generated charts are those that helm takes`, () => {
  let world: ChartWorld
  const locks = new Map<DependencySet, string | undefined>()
  beforeAll(async () => {
    world = await startChartWorld(GENERATED_REPOSITORIES, GENERATED_REGISTRIES)
    await world.publish(generatedCharts('before'))
    for (const set of GENERATED) locks.set(set, await lockOf(set, world.helm, await mkdtemp(join(folder, 'lock-'))))
    await world.publish(generatedCharts('after'))
  })
  afterAll(() => world.close())

  test.each(GENERATED.map((set) => [set.name, set] as const))('%s', async (_, set) => {
    await expectWhatHelmDoes(set, world, locks.get(set))
  })

  test('of each kind there are some', () => {
    const count = (is: (set: DependencySet) => boolean) => ALL.filter(is).length
    const required = (is: (requirement: DependencySet['requirements'][number]) => boolean) =>
      count(({ requirements }) => requirements.some(is))
    expect({
      absent: count(({ lock }) => lock === 'absent'),
      fitting: count(({ lock }) => lock === 'fitting'),
      outdated: count(({ lock }) => lock === 'outdated'),
      present: count(({ presentCount }) => presentCount > 0),
      inner: count(({ inner }) => inner.length > 1),
    }).toEqual({ absent: 14, fitting: 13, outdated: 13, present: 10, inner: 5 })
    const kinds = [
      required(({ alias }) => alias !== undefined),
      required(({ condition }) => condition !== undefined),
      required(({ tags }) => tags !== undefined),
      required((requirement) => requirement['import-values'] !== undefined),
      required(({ repository }) => repository.startsWith('@')),
      required(({ repository }) => repository.startsWith('alias:')),
      required(({ repository }) => repository.startsWith('https://')),
      required(({ repository }) => repository.startsWith('oci://')),
      required(({ repository }) => repository.startsWith('file://')),
      count(({ requirements }) => new Set(requirements.map(({ name }) => name)).size < requirements.length),
    ]
    expect(Math.min(...kinds), kinds.join(' ')).toBeGreaterThanOrEqual(6)
  })
})

describe('dependencies of 13 public charts are those that helm takes', () => {
  let world: ChartWorld
  const locks = new Map<DependencySet, string | undefined>()
  beforeAll(async () => {
    world = await startChartWorld(PUBLIC_REPOSITORIES, PUBLIC_REGISTRIES)
    await world.publish(publicCharts())
    for (const set of PUBLIC) locks.set(set, await lockOf(set, world.helm, ''))
  })
  afterAll(() => world.close())

  test.each(PUBLIC.map((set) => [set.name, set] as const))('%s', async (_, set) => {
    await expectWhatHelmDoes(set, world, locks.get(set))
  })
})

/** Same versions, same digests, same render; and nothing is written next to the chart. */
async function expectWhatHelmDoes(set: DependencySet, world: ChartWorld, lock: string | undefined): Promise<void> {
  const byHelm = await mkdtemp(join(folder, 'helm-'))
  const helm = await helmAnswer(set, { helm: world.helm, folder: byHelm, lock })
  const workspace = await mkdtemp(join(folder, 'ours-'))
  const chart = await writeSet(set, workspace, lock)
  await fillCharts(chart, join(byHelm, 'app'), set.presentCount)
  const before = await filesIn(workspace)

  const { dependencies, text } = await fetched(world, { workspace, chart, set })

  expect(await filesIn(workspace)).toEqual(before)
  expect(text).toBe(helm.text.trim())
  const ofChart = dependencies.filter(({ parent, digest }) => parent.length === 0 && digest !== undefined)
  for (const { name, version, path, digest, isLocked } of ofChart) {
    const archive = `${name}-${version}.tgz`
    expect([archive, await sha256(path)]).toEqual([archive, helm.archives.get(archive)])
    expect(world.digestsOf(name, version)).toContain(digest)
    const requirements = set.requirements.filter((one) => one.name === name)
    const isFixed = set.lock === 'fitting' || requirements.some((one) => one.version === version)
    expect([archive, isLocked]).toEqual([archive, isFixed])
    // What helm has fetched and switches off is not fetched.
    const names = requirements.map(({ alias }) => alias ?? name)
    expect(
      names.filter((one) => helm.text.includes(`chart: "${one} ${version}"`)),
      archive,
    ).not.toEqual([])
  }
}

async function fetched(
  world: ChartWorld,
  { workspace, chart, set }: { readonly workspace: string; readonly chart: string; readonly set: DependencySet },
  settings: Partial<FetchSettings> = {},
) {
  const cache = await mkdtemp(join(folder, 'cache-'))
  const job = startFetchingJob({
    rules: renderer,
    env: world.helm.env,
    workspace,
    cache,
    settings: { registries: world.trusted, ...settings },
  })
  onTestFinished(() => job.close())
  const values = { ...noValues, set: [set.set.join(',')] }
  const { dependencies } = await job.dependencies({ chartPath: chart, values, root: workspace })
  const rendered = await renderer.render({
    chartPath: chart,
    release: 'web',
    namespace: 'shop',
    revision: 1,
    isUpgrade: false,
    values,
    apiVersions: [],
    dependencies,
  })
  return { dependencies, text: rendered.record.manifest.trim() }
}

async function filesIn(path: string): Promise<readonly string[]> {
  return (await readdir(path, { recursive: true })).sort()
}

async function sha256(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
}
