import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { RemoteChart } from '../../src/model/chart-source.ts'
import { noValues } from '../../src/model/release.ts'
import type { ChartRules, Renderer } from '../../src/ports.ts'
import { startRenderer } from '../../src/render/renderer.ts'
import { buildEngine } from '../../src/tools/builds/engine-build.ts'
import { tellingChart, writeChart } from './chart-files.ts'
import { type ChartWorld, startChartWorld } from './chart-world.ts'
import { type FetchingJob, startFetchingJob } from './fetching-job.ts'

const REPOSITORY = 'https://charts.example/stable'
const REGISTRY = 'oci://registry.example/team'
const VERSIONS = ['1.1.0', '1.2.0', '1.3.0-rc.1', '2.0.0']

describe('the same chart from every source', () => {
  let folder: string
  let world: ChartWorld
  let renderer: Renderer & ChartRules

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'same-chart-'))
    renderer = startRenderer({ folder: await buildEngine(), timeZone: 'UTC' })
    world = await startChartWorld({ stable: REPOSITORY }, ['registry.example'])
    for (const repository of [REPOSITORY, REGISTRY]) {
      await world.publish(VERSIONS.map((version) => ({ repository, name: 'shop', version, files: shop(version) })))
    }
  })
  afterAll(async () => {
    await renderer.close()
    await world.close()
    await rm(folder, { recursive: true, force: true })
  })

  test.each<[string, (manifest: string) => RemoteChart]>([
    ['an address', () => ({ kind: 'archive', url: `${REPOSITORY}/shop-1.2.0.tgz` })],
    ['a repository, by version', () => ({ kind: 'repository', url: REPOSITORY, name: 'shop', version: '1.2.0' })],
    ['a repository, by range', () => ({ kind: 'repository', url: REPOSITORY, name: 'shop', version: '^1.1' })],
    ['a registry, by tag', () => ({ ...inRegistry, version: '1.2.0' })],
    ['a registry, by range', () => ({ ...inRegistry, version: '~1.2.0' })],
    ['a registry, by digest', (digest) => ({ ...inRegistry, digest })],
  ])('renders as from a directory: %s', async (_, chartOf) => {
    const directory = await directoryOf('1.2.0')
    const job = await startJob(directory)
    const [ofRepository, ofRegistry = ''] = world.digestsOf('shop', '1.2.0')
    const chart = chartOf(ofRegistry)
    const { name, version, digest, source, path } = await job.fetch(chart)
    expect({ name, version, digest }).toEqual({
      name: 'shop',
      version: '1.2.0',
      digest: chart.kind === 'registry' ? ofRegistry : ofRepository,
    })
    expect(source).toMatch(
      chart.kind === 'registry' ? /^oci:\/\/registry\.example\/team\/shop/ : /^https:\/\/charts\.example\//,
    )
    expect(await render(path)).toBe(await render(directory))
    const byHelm = await world.helm.run(['template', 'web', directory, '--namespace', 'shop'])
    expect(await render(path)).toBe(byHelm.trim())
  })

  test('renders as from a directory: a packed chart', async () => {
    const directory = await directoryOf('1.2.0')
    await world.helm.run(['package', directory, '--destination', folder])
    expect(await render(join(folder, 'shop-1.2.0.tgz'))).toBe(await render(directory))
  })

  test.each([
    ['a directory', 'file://../shop'],
    ['a repository', REPOSITORY],
    ['a registry', REGISTRY],
  ])('renders below a parent as it lies in charts/: %s', async (_, repository) => {
    const workspace = await mkdtemp(join(folder, 'workspace-'))
    const dependencies = [{ name: 'shop', version: '~1.2', repository, alias: 'store' }]
    const parent = await writeChart(
      join(workspace, 'app'),
      tellingChart({ name: 'app', version: '1.0.0', dependencies }),
    )
    await writeChart(join(workspace, 'shop'), shop('1.2.0'))
    const job = await startJob(workspace)
    const fetched = await job.dependencies({ chartPath: parent, values: noValues, root: workspace })
    const rendered = await render(parent, fetched.dependencies)
    await world.helm.run(['dependency', 'update', parent])
    expect(rendered).toBe((await world.helm.run(['template', 'web', parent, '--namespace', 'shop'])).trim())
    expect(rendered).toContain('store 1.2.0')
  })

  test('is fetched again only where it may have moved', async () => {
    const cache = await mkdtemp(join(folder, 'cache-'))
    const charts: readonly RemoteChart[] = [
      { kind: 'repository', url: REPOSITORY, name: 'shop', version: '^1.1' },
      { ...inRegistry, version: '^1.1' },
      { ...inRegistry, digest: world.digestsOf('shop', '1.1.0')[1] ?? '' },
    ]
    const first = await requestsOf(charts, cache)
    const second = await requestsOf(charts, cache)
    expect(first.archives).toBeGreaterThan(0)
    expect(second.paths).toEqual(expect.arrayContaining(['304 /stable/index.yaml']))
    expect(second.archives).toBe(0)
  })

  const inRegistry = { kind: 'registry', host: 'registry.example', repository: 'team/shop' } as const

  async function requestsOf(charts: readonly RemoteChart[], cache: string) {
    world.repositories.calm()
    await world.registry.forget()
    const job = await startJob(folder, cache)
    for (const chart of charts) await job.fetch(chart)
    const all = [...world.repositories.requests, ...(await world.registry.requests())]
    const paths = all.map(({ path, status }) => `${status} ${path}`)
    return { paths, archives: paths.filter((line) => /^200 .*(?:\.tgz|\/blobs\/.*)$/.test(line)).length }
  }

  async function directoryOf(version: string): Promise<string> {
    return writeChart(join(await mkdtemp(join(folder, 'directory-')), 'shop'), shop(version))
  }

  async function startJob(workspace: string, cache?: string): Promise<FetchingJob> {
    const job = startFetchingJob({
      rules: renderer,
      env: world.helm.env,
      workspace,
      cache: cache ?? (await mkdtemp(join(folder, 'cache-'))),
      settings: { registries: world.trusted },
    })
    onTestFinished(() => job.close())
    return job
  }

  async function render(
    chartPath: string,
    dependencies: Awaited<ReturnType<FetchingJob['dependencies']>>['dependencies'] = [],
  ) {
    const release = { release: 'web', namespace: 'shop', revision: 1, isUpgrade: false }
    const { record } = await renderer.render({ chartPath, ...release, values: noValues, apiVersions: [], dependencies })
    return record.manifest.trim()
  }
})

function shop(version: string) {
  return tellingChart({ name: 'shop', version }, { color: 'blue', of: version })
}
