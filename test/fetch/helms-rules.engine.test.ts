import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noValues } from '../../src/model/release.ts'
import type { ChartRules, Renderer } from '../../src/ports.ts'
import { startChartServer } from '../doubles/chart-server.ts'
import { rendererForTests } from '../render/fixtures.ts'
import { refusal, tls } from './given-http.ts'
import { registryPages } from './given-registry.ts'
import { givenSources, type Pages, serving, temporaryFolder } from './given-sources.ts'
import { packedChart } from './packed-chart.ts'

let renderer: Renderer & ChartRules
beforeAll(async () => {
  renderer = await rendererForTests()
})
afterAll(() => renderer.close())

/** Tells which chart it is, and of what version. */
const SEEN = {
  'templates/seen.yaml': `apiVersion: v1
kind: ConfigMap
metadata: { name: {{ .Chart.Name }}-{{ .Chart.Version | replace "." "-" }} }
`,
}
const packed = (name: string, version: string, more: Readonly<Record<string, string>> = {}) =>
  packedChart(name, version, { ...SEEN, ...more })

const [oldCache, newCache, nextCache, release, preRelease] = await Promise.all([
  packed('cache', '1.2.0'),
  packed('cache', '1.10.0'),
  packed('cache', '2.0.0'),
  packed('db', '3.0.0'),
  packed('db', '3.1.0-rc.1'),
])
const ARCHIVES = {
  'cache-1.2.0': oldCache,
  'cache-1.10.0': newCache,
  'cache-2.0.0': nextCache,
  'db-3.0.0': release,
  'db-3.1.0-rc.1': preRelease,
}
const entry = (name: string) => (version: string) => ({ name, version, urls: [`${name}-${version}.tgz`] })
const CHARTS: Pages = {
  '/index.yaml': JSON.stringify({
    apiVersion: 'v1',
    entries: {
      cache: ['1.2.0', '1.10.0', '2.0.0'].map(entry('cache')),
      db: ['3.0.0', '3.1.0-rc.1'].map(entry('db')),
    },
  }),
  ...Object.fromEntries(Object.entries(ARCHIVES).map(([name, bytes]) => [`/${name}.tgz`, bytes])),
  ...registryPages('charts/db', { '3.0.0': { archive: release }, '3.1.0-rc.1': { archive: preRelease } }),
}

/** Deploys `shop` of a workspace with these files, in which URL and HOST stand for those of the server. */
async function given(files: Readonly<Record<string, string>>) {
  const server = await startChartServer(
    serving(() => CHARTS),
    { tls },
  )
  const root = await temporaryFolder()
  const inPlace = (text: string) => text.replaceAll('URL', server.url).replaceAll('HOST', server.host)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), inPlace(text))
  }
  const sources = await givenSources([server], { rules: renderer })
  const chartPath = join(root, 'shop')
  const completed = sources.dependencies({ chartPath, values: noValues, root })
  /** Names of what the chart renders to. */
  const rendered = async () => {
    const { dependencies } = await completed
    const terms = { release: 'r', namespace: 'n', revision: 1, isUpgrade: false, values: noValues, apiVersions: [] }
    const { documents } = await renderer.render({ chartPath, dependencies, ...terms })
    return documents.map(({ object }) => object.metadata.name).toSorted()
  }
  return { server, sources, root, completed, rendered }
}

const chart = (name: string, dependencies: string) =>
  `apiVersion: v2\nname: ${name}\nversion: 1.0.0\ndependencies:\n${dependencies}`

describe('what Helm decides about dependencies', () => {
  test('ranges, aliases, conditions and file:// become the charts that are rendered', async () => {
    const { root, completed, rendered } = await given({
      'shop/Chart.yaml': chart(
        'shop',
        `- { name: cache, version: ^1.2, repository: URL }
- { name: cache, version: ^2.0, repository: URL, alias: sessions }
- { name: db, version: '>=3', repository: 'oci://HOST/charts' }
- { name: extra, version: 1.0.0, repository: URL, condition: extra.enabled }
- { name: common, version: 1.x, repository: 'file://../common' }
`,
      ),
      'shop/values.yaml': 'extra: { enabled: false }\n',
      'common/Chart.yaml': chart('common', `- { name: cache, version: 1.2.0, repository: URL, alias: own }\n`),
      'common/templates/seen.yaml': SEEN['templates/seen.yaml'],
    })
    expect(await rendered()).toEqual(['cache-1-10-0', 'common-1-0-0', 'db-3-0-0', 'own-1-2-0', 'sessions-2-0-0'])
    expect((await completed).notices).toEqual([
      'dependency cache ^1.2 of chart shop: took 1.10.0 (no Chart.lock)',
      'dependency cache ^2.0 of chart shop: took 2.0.0 (no Chart.lock)',
      'dependency db >=3 of chart shop: took 3.0.0 (no Chart.lock)',
    ])
    // Nothing is written into the workspace.
    expect(await readdir(join(root, 'shop'))).toEqual(['Chart.yaml', 'values.yaml'])
  })

  test('charts of the workspace that need each other are told', async () => {
    const { completed } = await given({
      'shop/Chart.yaml': chart('shop', `- { name: common, version: 1.0.0, repository: 'file://../common' }\n`),
      'common/Chart.yaml': chart('common', `- { name: shop, version: 1.0.0, repository: 'file://../shop' }\n`),
    })
    expect(await refusal(completed)).toBe(
      'dependency shop 1.0.0 of chart common: file://../shop needs itself, by way of shop, common; take one of them out of the dependencies in Chart.yaml',
    )
  })

  test('pre-releases are taken only where they are asked for', async () => {
    const { sources, server } = await given({ 'shop/Chart.yaml': chart('shop', '') })
    const db = { kind: 'repository', url: server.url, name: 'db' } as const
    expect(await sources.fetch(db)).toMatchObject({ version: '3.0.0' })
    expect(await sources.fetch({ ...db, version: '^3.0.0-0' })).toMatchObject({ version: '3.1.0-rc.1' })
    const tagged = { kind: 'registry', host: server.host, repository: 'charts/db' } as const
    expect(await sources.fetch(tagged)).toMatchObject({ version: '3.0.0' })
    expect(await sources.fetch({ ...tagged, version: '>3.0.0-0' })).toMatchObject({ version: '3.1.0-rc.1' })
  })

  test('a range that is none, and one that nothing fits, are told', async () => {
    const { sources, server } = await given({ 'shop/Chart.yaml': chart('shop', '') })
    const db = { kind: 'repository', url: server.url, name: 'db' } as const
    expect(await refusal(sources.fetch({ ...db, version: 'newest' }))).toContain(
      '"newest" is neither a version nor a range',
    )
    expect(await refusal(sources.fetch({ ...db, version: '^4' }))).toContain(
      'has no version ^4; choose one of 3.1.0-rc.1, 3.0.0',
    )
  })
})
