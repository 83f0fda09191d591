import { describe, expect, test } from 'vitest'
import { readBaseReleases } from '../../src/inputs/base-releases.ts'
import { fakeFiles } from '../doubles/fake-files.ts'
import { fakeRenderer } from '../doubles/fake-renderer.ts'
import { fakeSources, fetched, type Offered } from '../doubles/fake-sources.ts'
import { defaults, type Inputs } from './defaults.ts'

async function baseOf(inputs: Inputs, texts: Readonly<Record<string, string>>, offered: Offered = {}) {
  const files = { ...fakeFiles(texts), locate: (path: string) => `/base/${path}` }
  const ports = { files, renderer: fakeRenderer(), sources: fakeSources(offered) }
  return readBaseReleases((name) => ({ ...defaults, ...inputs })[name] ?? '', ports)
}

const CHART = { 'charts/web/Chart.yaml': 'name: web\nversion: 1.0.0\n' }
const web: Inputs = { command: 'plan', chart: ' charts/web ', release: 'web' }

describe('the releases of the base', () => {
  test('are rendered from the copy, with the values files of the copy', async () => {
    const { releases, problems } = await baseOf({ ...web, 'values-files': 'a.yaml' }, { ...CHART, 'a.yaml': 'a: base' })
    expect(problems).toEqual([])
    expect(releases).toMatchObject([
      {
        release: 'web',
        source: { path: '/base/charts/web', values: { files: [{ label: 'a.yaml', text: 'a: base' }] } },
      },
    ])
  })

  test('take files of set-file from the copy', async () => {
    const setFile = ['a=files/a.txt', 'b.c=files/b.txt,d[0]=files/d.txt', 'e=files/with\\,comma.txt'].join('\n')
    const { releases } = await baseOf({ ...web, 'set-file': setFile }, CHART)
    expect(releases.flatMap(({ source }) => (source.kind === 'chart' ? source.values.setFile : []))).toEqual([
      'a=/base/files/a.txt',
      'b.c=/base/files/b.txt,d[0]=/base/files/d.txt',
      'e=/base/files/with\\,comma.txt',
    ])
  })

  test('do without a values file that is new', async () => {
    const { releases, problems } = await baseOf(
      { ...web, 'values-files': 'a.yaml\nnew.yaml' },
      { ...CHART, 'a.yaml': 'a: 1' },
    )
    expect(releases).toMatchObject([{ source: { values: { files: [{ label: 'a.yaml' }] } } }])
    expect(problems.map(({ what }) => what)).toEqual(['"new.yaml" does not exist or is not a file'])
  })

  test('hold no chart that is new', async () => {
    expect((await baseOf(web, {})).releases).toEqual([])
  })

  test('hold the other charts of a list beside one that is new', async () => {
    const { releases } = await baseOf({ command: 'plan', charts: 'charts/web\ncharts/new' }, CHART)
    expect(releases.map(({ release }) => release)).toEqual(['web'])
  })

  test('hold plain manifests as the copy has them', async () => {
    const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: base }'
    const { releases } = await baseOf(
      { command: 'plan', manifests: 'k8s', release: 'plain' },
      { 'k8s/a.yaml': manifest },
    )
    expect(releases).toMatchObject([
      { source: { kind: 'manifests', documents: [{ object: { metadata: { name: 'base' } }, file: 'k8s/a.yaml' }] } },
    ])
  })

  test('hold no manifests where the copy has none', async () => {
    expect((await baseOf({ command: 'plan', manifests: 'k8s', release: 'plain' }, {})).releases).toEqual([])
  })
})

describe('charts of the base that are fetched', () => {
  const shop = fetched('shop', '1.0.0', 'oci://registry.example/shop')
  const url = 'oci://registry.example/shop'

  test('keep their place on this machine', async () => {
    const { releases, problems } = await baseOf(
      { command: 'plan', chart: url, release: 'shop' },
      {},
      { charts: { [url]: shop }, dependencies: { [shop.path]: [] } },
    )
    expect(problems).toEqual([])
    expect(releases).toMatchObject([{ source: { path: shop.path, origin: { version: '1.0.0' } } }])
  })

  test('dependencies are those of the chart as it was at the base', async () => {
    const texts = { 'charts/web/Chart.yaml': 'name: web\nversion: 1.0.0\ndependencies: [{ name: cache }]\n' }
    const cache = { ...fetched('cache', '2.0.0'), parent: [], isLocked: true }
    const { releases } = await baseOf(web, texts, { dependencies: { '/base/charts/web': [cache] } })
    expect(releases).toMatchObject([{ source: { path: '/base/charts/web', dependencies: [{ name: 'cache' }] } }])
  })
})
