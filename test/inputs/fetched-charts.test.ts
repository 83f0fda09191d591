import { describe, expect, test } from 'vitest'
import { readChartReference } from '../../src/inputs/chart-reference.ts'
import { FetchError } from '../../src/model/errors.ts'
import { hintText } from '../../src/report/words/hint-text.ts'
import { fakeSources, fetched, type Offered } from '../doubles/fake-sources.ts'
import { type Inputs, readGiven } from './given.ts'

const DIGEST = `sha256:${'a'.repeat(64)}`
const WEB = { 'charts/web/Chart.yaml': 'name: web\nversion: 1.0.0\n' }

function reference(chart: string, version = '', repository = '') {
  const found = readChartReference({ chart, 'chart-version': version, repository })
  return 'fault' in found ? `${found.field} ${found.fault}` : found
}

describe('where a chart is', () => {
  test.each([
    ['oci://registry.example/charts/shop', { host: 'registry.example', repository: 'charts/shop' }],
    ['oci://Registry.Example:5000/shop:1.2.3', { host: 'registry.example:5000', repository: 'shop', version: '1.2.3' }],
    [`oci://r.example/shop@${DIGEST}`, { host: 'r.example', repository: 'shop', digest: DIGEST }],
    [
      `oci://r.example/shop:1.0.0@${DIGEST}`,
      { host: 'r.example', repository: 'shop', version: '1.0.0', digest: DIGEST },
    ],
  ])('%s is in a registry', (chart, expected) => {
    expect(reference(chart)).toEqual({ kind: 'registry', ...expected })
  })

  test.each([
    ['https://charts.example/shop-1.2.3.tgz', { kind: 'archive', url: 'https://charts.example/shop-1.2.3.tgz' }],
    ['./charts/shop', { kind: 'path', path: './charts/shop' }],
    ['shop-1.0.0.tgz', { kind: 'path', path: 'shop-1.0.0.tgz' }],
    ['C:\\charts\\shop', { kind: 'path', path: 'C:\\charts\\shop' }],
  ])('%s', (chart, expected) => {
    expect(reference(chart)).toEqual(expected)
  })

  test('chart-version is a version or a range, in a registry and in a repository', () => {
    expect(reference('oci://r.example/shop', '^1.2')).toMatchObject({ version: '^1.2' })
    expect(reference('shop', '>=1.0.0 <2.0.0', 'https://charts.example')).toEqual({
      kind: 'repository',
      url: 'https://charts.example/',
      name: 'shop',
      version: '>=1.0.0 <2.0.0',
    })
  })

  test('repository may be a registry', () => {
    expect(reference('shop', '1.2.3', 'oci://r.example/charts/')).toEqual({
      kind: 'registry',
      host: 'r.example',
      repository: 'charts/shop',
      version: '1.2.3',
    })
  })

  test.each([
    ['oci:///shop', '', '', 'chart names no registry'],
    ['oci://r.example/', '', '', 'chart has a path that no registry takes'],
    ['oci://r.example/Shop', '', '', 'chart has a path that no registry takes'],
    ['oci://r.example/a/../b', '', '', 'chart has a path that no registry takes'],
    ['oci://user:secret@r.example/shop', '', '', 'chart names no registry'],
    ['oci://r.example/shop:', '', '', 'chart ends with an empty version'],
    ['oci://r.example/shop@sha256:abc', '', '', 'chart has a digest that is not sha256: and 64 hex digits'],
    ['oci://r.example/shop:1.0.0', '1.1.0', '', 'chart-version is not the version in the address, 1.0.0'],
    [
      'oci://r.example/shop',
      '',
      'https://charts.example',
      'repository is given beside a chart that is an address itself',
    ],
    ['https://u:p@charts.example/a.tgz', '', '', 'chart holds a login'],
    [
      'https://charts.example/a.tgz',
      '1.0.0',
      '',
      'chart-version belongs to a name or a registry: this address has its version',
    ],
    ['ftp://charts.example/a.tgz', '', '', 'chart has an address of an unknown kind'],
    ['./shop', '', 'https://charts.example', 'chart is no name of a chart, which repository asks for'],
    ['shop', '', 'charts.example', 'repository is no address'],
    ['shop', '', 'file:///charts', 'repository is no address'],
    ['shop', '', 'https://u:p@charts.example', 'repository holds a login'],
    ['./charts/shop', '1.0.0', '', 'chart-version belongs to a chart that is fetched, and this one is a path'],
    [`oci://r.example/${'a'.repeat(3000)}`, '', '', 'chart is longer than 2048 characters'],
  ])('%s %s %s is a mistake', (chart, version, repository, fault) => {
    expect(reference(chart, version, repository)).toBe(fault)
  })
})

async function read(inputs: Inputs, offered: Offered = {}, texts: Readonly<Record<string, string>> = WEB) {
  const sources = fakeSources(offered)
  const { settings, problems, notices } = await readGiven(inputs, texts, { sources })
  return {
    asked: sources.asked,
    notices,
    problems: problems.map(
      ({ place, reason, what, hint }) => `${place.input}: ${what}: ${hint && hintText(hint)} (${reason})`,
    ),
    sources: settings?.releases.map(({ release, source }) => ({ release, ...(source.kind === 'chart' && source) })),
  }
}

const shop = fetched('shop', '1.4.2', 'oci://registry.example/shop')

describe('a chart that is fetched', () => {
  test('becomes a chart on this machine with its origin', async () => {
    const { sources, asked } = await read(
      { chart: 'oci://registry.example/shop', 'chart-version': '^1.2', release: 'shop' },
      { charts: { 'oci://registry.example/shop ^1.2': shop }, dependencies: { [shop.path]: [] } },
    )
    const { path, ...origin } = shop
    expect(sources).toMatchObject([{ kind: 'chart', path, origin }])
    expect(asked).toEqual(['oci://registry.example/shop ^1.2', `dependencies of ${path} (fetched)`])
  })

  test('that cannot be fetched is a problem with the reason fetch-failed, told with all others', async () => {
    const { problems } = await read({ chart: 'oci://registry.example/none', release: 'Shop', wait: 'maybe' })
    expect(problems).toEqual([
      'wait: "maybe" is not valid: write true or false (invalid-input)',
      expect.stringContaining('release: "Shop" is not valid'),
      'chart: oci://registry.example/none does not exist (404): check the address and the name (fetch-failed)',
    ])
  })

  test('of a repository that helm repo add has named', async () => {
    const offered = {
      repositories: { bitnami: 'https://charts.example/bitnami' },
      charts: { 'https://charts.example/bitnami redis ~17.0': fetched('redis', '17.0.4') },
      dependencies: { '/cache/redis-17.0.4.tgz': [] },
    }
    const inputs = { chart: 'bitnami/redis', 'chart-version': '~17.0', release: 'cache' }
    expect((await read(inputs, offered)).sources).toMatchObject([{ origin: { version: '17.0.4' } }])
  })

  test('a path comes before the name of a repository', async () => {
    const texts = { 'bitnami/redis/Chart.yaml': 'name: redis\nversion: 1.0.0\n' }
    const offered = { repositories: { bitnami: 'https://charts.example/bitnami' } }
    const { sources } = await read({ chart: 'bitnami/redis', release: 'cache' }, offered, texts)
    expect(sources).toEqual([
      { release: 'cache', kind: 'chart', path: '/workspace/bitnami/redis', values: expect.anything() },
    ])
    const { problems } = await read({ chart: 'bitnami/redis', 'chart-version': '1', release: 'cache' }, offered, texts)
    expect(problems).toEqual([
      'chart-version: belongs to a chart that is fetched, and this one is a path: leave it out (invalid-input)',
    ])
  })

  test('nothing is fetched for a command that works from the record', async () => {
    const { asked, problems } = await read({
      command: 'uninstall',
      chart: 'oci://registry.example/shop',
      release: 'shop',
    })
    expect([asked, problems]).toEqual([[], []])
  })
})

describe('charts that are fetched in a list', () => {
  test('have the same keys, and the name of the chart as their release', async () => {
    const charts = [
      '- chart: oci://registry.example/shop',
      '  chart-version: ^1.2',
      '- { chart: redis, repository: https://charts.example, release: cache }',
      '- { chart: charts/web }',
    ].join('\n')
    const { sources } = await read(
      { charts },
      {
        charts: {
          'oci://registry.example/shop ^1.2': shop,
          'https://charts.example/ redis': fetched('redis', '17.0.4'),
        },
        dependencies: { [shop.path]: [], '/cache/redis-17.0.4.tgz': [] },
      },
    )
    expect(sources?.map(({ release }) => release)).toEqual(['shop', 'cache', 'web'])
  })

  test('one address per line works, too', async () => {
    const offered = { charts: { 'oci://registry.example/shop': shop }, dependencies: { [shop.path]: [] } }
    expect((await read({ charts: 'charts/web\noci://registry.example/shop' }, offered)).sources).toMatchObject([
      { release: 'web' },
      { release: 'shop', origin: { version: '1.4.2' } },
    ])
  })

  test('all that cannot be fetched is told at once', async () => {
    const { problems } = await read({
      charts: ['oci://r.example/a', 'oci://r.example/b', 'https://charts.example/c-1.0.0.tgz'].join('\n'),
    })
    expect(problems).toEqual([
      'charts: line 1: chart oci://r.example/a does not exist (404): check the address and the name (fetch-failed)',
      'charts: line 2: chart oci://r.example/b does not exist (404): check the address and the name (fetch-failed)',
      'charts: line 3: release is missing, and the address of an archive does not tell the name: write release, which needs no chart (invalid-input)',
    ])
  })
})

describe('dependencies', () => {
  const texts = { 'charts/web/Chart.yaml': 'name: web\nversion: 1.0.0\ndependencies: [{ name: cache, version: ^1 }]\n' }
  const cache = { ...fetched('cache', '1.4.0'), parent: [], isLocked: false }

  test('of a chart of the workspace are fetched, and what was taken is told', async () => {
    const { sources, notices } = await read(
      { chart: 'charts/web', release: 'web' },
      { dependencies: { '/workspace/charts/web': [cache] }, notices: ['took cache 1.4.0'] },
      texts,
    )
    expect(sources).toMatchObject([{ path: '/workspace/charts/web', dependencies: [cache] }])
    expect(notices).toEqual(['took cache 1.4.0'])
  })

  test('of a chart of Helm 2 stand in requirements.yaml', async () => {
    const old = {
      'charts/web/Chart.yaml': 'apiVersion: v1\nname: web\nversion: 1.0.0\n',
      'charts/web/requirements.yaml': 'dependencies: [{ name: cache, version: ^1 }]\n',
    }
    const { asked } = await read(
      { chart: 'charts/web', release: 'web' },
      { dependencies: { '/workspace/charts/web': [] } },
      old,
    )
    expect(asked).toEqual(['dependencies of /workspace/charts/web'])
  })

  test.each([
    ['a folder', { 'charts/web/charts/cache/Chart.yaml': 'name: cache\n' }],
    ['an archive', { 'charts/web/charts/cache-1.4.0.tgz': 'name: cache\n' }],
  ])('nobody is asked where charts/ holds all of them, as %s', async (_, there) => {
    expect((await read({ chart: 'charts/web', release: 'web' }, {}, { ...texts, ...there })).asked).toEqual([])
  })

  test('of two versions of one chart the engine says which is missing', async () => {
    const two = {
      'charts/web/Chart.yaml':
        'name: web\nversion: 1.0.0\ndependencies: [{ name: cache, version: ^1 }, { name: cache, alias: old, version: ^0 }]\n',
      'charts/web/charts/cache-1.4.0.tgz': 'name: cache\n',
    }
    const offered = { dependencies: { '/workspace/charts/web': [] } }
    expect((await read({ chart: 'charts/web', release: 'web' }, offered, two)).asked).toHaveLength(1)
  })

  test('another chart whose name begins alike is not the one', async () => {
    const other = { ...texts, 'charts/web/charts/cache-proxy-1.4.0.tgz': 'name: cache-proxy\n' }
    const offered = { dependencies: { '/workspace/charts/web': [] } }
    expect((await read({ chart: 'charts/web', release: 'web' }, offered, other)).asked).toHaveLength(1)
  })

  test('where a lock is required, one that is complete is looked at, too', async () => {
    const there = { ...texts, 'charts/web/charts/cache-1.4.0.tgz': 'name: cache\n' }
    const offered = { dependencies: { '/workspace/charts/web': [] }, isLockRequired: true }
    expect((await read({ chart: 'charts/web', release: 'web' }, offered, there)).asked).toHaveLength(1)
  })

  test('nobody is asked where a chart declares none', async () => {
    expect((await read({ chart: 'charts/web', release: 'web' })).asked).toEqual([])
  })

  test('that cannot be fetched are a problem each', async () => {
    const missing = (what: string, others?: readonly FetchError[]) =>
      new FetchError({ what: `${what} does not exist`, hint: { kind: 'check-address' }, ...(others && { others }) })
    const failure = missing('dependency cache ^1 of chart web', [missing('dependency db ^2 of chart web')])
    const { problems } = await read({ chart: 'charts/web', release: 'web' }, { failure }, texts)
    expect(problems).toEqual([
      'chart: dependency cache ^1 of chart web does not exist: check the address and the name (fetch-failed)',
      'chart: dependency db ^2 of chart web does not exist: check the address and the name (fetch-failed)',
    ])
    const listed = await read({ charts: '- chart: charts/web\n' }, { failure }, texts)
    expect(listed.problems).toEqual([
      expect.stringContaining('dependency cache ^1 of chart web does not exist'),
      expect.stringContaining('dependency db ^2 of chart web does not exist'),
    ])
  })

  test('that cannot be fetched are a problem', async () => {
    const { problems } = await read({ chart: 'charts/web', release: 'web' }, {}, texts)
    expect(problems).toEqual([
      'chart: a dependency of /workspace/charts/web does not exist (404): check the address and the name (fetch-failed)',
    ])
  })
})

test('chart-version and repository belong to the input chart', async () => {
  const { problems } = await read({ charts: 'charts/web', 'chart-version': '^1', repository: 'https://charts.example' })
  expect(problems).toEqual([
    'chart-version: belongs to the input chart, which is not given: write chart-version in an item of charts (invalid-input)',
    'repository: belongs to the input chart, which is not given: write repository in an item of charts (invalid-input)',
  ])
})
