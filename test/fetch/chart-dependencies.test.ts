import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FetchError } from '../../src/model/errors.ts'
import { noValues } from '../../src/model/release.ts'
import type { ChartRequirement, ChartRequirements, ChartSources } from '../../src/ports.ts'
import { hintText } from '../../src/report/words/hint-text.ts'
import { startChartServer } from '../doubles/chart-server.ts'
import { fakeChartRules } from '../doubles/fake-chart-rules.ts'
import { tls } from './given-http.ts'
import { registryPages } from './given-registry.ts'
import { type GivenSources, givenSources, type Pages, serving, temporaryFolder } from './given-sources.ts'
import { digestOf, packedChart } from './packed-chart.ts'

const archives = new Map(
  await Promise.all(
    ['cache 1.2.0', 'cache 1.4.0', 'cache 2.0.0', 'db 1.0.0'].map(async (chart) => {
      const [name = '', version = ''] = chart.split(' ')
      return [chart, await packedChart(name, version)] as const
    }),
  ),
)
const archive = (chart: string) => archives.get(chart) ?? Buffer.alloc(0)

const CHARTS: Pages = {
  '/index.yaml': JSON.stringify({
    apiVersion: 'v1',
    entries: {
      cache: ['1.2.0', '1.4.0', '2.0.0'].map((version) => ({ version, urls: [`cache-${version}.tgz`] })),
      db: [{ version: '1.0.0', urls: ['db-1.0.0.tgz'] }],
    },
  }),
  ...Object.fromEntries([...archives].map(([chart, bytes]) => [`/${chart.replace(' ', '-')}.tgz`, bytes])),
  ...registryPages('charts/cache', {
    '1.2.0': { archive: archive('cache 1.2.0') },
    '1.4.0': { archive: archive('cache 1.4.0') },
  }),
}

type Requirement = Partial<ChartRequirement> & { readonly name: string }

/** What the rules say of the chart `shop`; `URL` and `HOST` stand for those of the server. */
interface Given extends GivenSources {
  readonly required?: readonly Requirement[]
  readonly lock?: ChartRequirements['lock']
  /** In place of the two above: what the rules say first, then, and from then on. */
  readonly rounds?: readonly (readonly (Partial<Omit<ChartRequirements, 'required'>> & {
    readonly required: readonly Requirement[]
  })[])[]
  readonly files?: Readonly<Record<string, string>>
  readonly isRemote?: boolean
}

async function complete({ required = [], lock, rounds, files = {}, isRemote = false, repositories, ...more }: Given) {
  const server = await startChartServer(
    serving(() => CHARTS),
    { tls },
  )
  const root = await temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  await mkdir(join(root, 'shop'), { recursive: true })
  const inPlace = (text: string) => text.replace('URL', server.url).replace('HOST', server.host)
  const chartOf = (chart: NonNullable<Given['rounds']>[number][number]): ChartRequirements => ({
    name: 'shop',
    ...chart,
    path: join(root, chart.path ?? 'shop'),
    required: chart.required.map(({ repository = 'URL', ...requirement }) => ({
      version: '^1.2',
      isEnabled: true,
      ...requirement,
      repository: inPlace(repository),
    })),
    ...(chart.lock && {
      lock: {
        ...chart.lock,
        entries: chart.lock.entries.map((entry) => ({ ...entry, repository: inPlace(entry.repository) })),
      },
    }),
  })
  const first = [{ required, ...(lock === undefined ? {} : { lock }) }]
  const requirements = (rounds ?? [first, [{ required: [] }]]).map((charts) => charts.map(chartOf))
  const known = Object.fromEntries(Object.entries(repositories ?? {}).map(([name, url]) => [name, inPlace(url)]))
  const sources = await givenSources([server], {
    rules: fakeChartRules({ requirements }),
    repositories: known,
    ...more,
  })
  const got = sources.dependencies({ chartPath: join(root, 'shop'), values: noValues, ...(isRemote ? {} : { root }) })
  const told = (text: string) =>
    text.replaceAll(server.url, 'URL').replaceAll(server.host, 'HOST').replaceAll(root, 'ROOT')
  return { got, server, told, sources }
}

/** `name version source`, with what is not as usual; and the notices. */
async function taken(given: Given) {
  const { got, told } = await complete(given)
  const { dependencies, notices } = await got
  return {
    taken: dependencies.map(({ name, version, source, parent, isLocked }) =>
      told([...parent, `${name} ${version}${isLocked ? ' locked' : ''} ${source}`].join(' > ')),
    ),
    notices: notices.map(told),
  }
}

/** Each failure with its advice. */
async function failures(given: Given) {
  const { got, told, sources } = await complete(given)
  const error = await got.then(
    (answer: Awaited<ReturnType<ChartSources['dependencies']>>) => new Error(JSON.stringify(answer)),
    (failure: unknown) => failure,
  )
  if (!(error instanceof FetchError)) throw error
  const all = [error, ...(error.details.others ?? [])]
  return {
    failures: all.map(({ details }) => told(`${details.what}; ${hintText(details.hint)}`)),
    kept: await sources.kept(),
  }
}

const LOCKED = { fits: true, entries: [{ name: 'cache', version: '1.2.0', repository: 'URL' }] }
const OUTDATED = { ...LOCKED, fits: false }

describe('a dependency that charts/ lacks', () => {
  test('is taken by its range, with a notice', async () => {
    expect(await taken({ required: [{ name: 'cache' }] })).toEqual({
      taken: ['cache 1.4.0 URL/cache-1.4.0.tgz'],
      notices: ['dependency cache ^1.2 of chart shop: took 1.4.0 (no Chart.lock)'],
    })
  })

  test('is taken by Chart.lock where that fits, without a notice', async () => {
    expect(await taken({ required: [{ name: 'cache' }], lock: LOCKED })).toEqual({
      taken: ['cache 1.2.0 locked URL/cache-1.2.0.tgz'],
      notices: [],
    })
  })

  test('is taken by its range where Chart.lock is of other requirements', async () => {
    expect(await taken({ required: [{ name: 'cache' }], lock: OUTDATED })).toEqual({
      taken: ['cache 1.4.0 URL/cache-1.4.0.tgz'],
      notices: ['dependency cache ^1.2 of chart shop: took 1.4.0 (Chart.lock is outdated)'],
    })
  })

  test('an exact version is no range: another run takes the same', async () => {
    expect(await taken({ required: [{ name: 'cache', version: '1.2.0' }] })).toEqual({
      taken: ['cache 1.2.0 locked URL/cache-1.2.0.tgz'],
      notices: [],
    })
  })

  test('comes from a registry below its repository', async () => {
    expect(await taken({ required: [{ name: 'cache', repository: 'oci://HOST/charts/' }], lock: undefined })).toEqual({
      taken: ['cache 1.4.0 oci://HOST/charts/cache'],
      notices: ['dependency cache ^1.2 of chart shop: took 1.4.0 (no Chart.lock)'],
    })
  })

  test.each(['@ours', 'alias:ours'])('comes from a repository of helm repo add: %s', async (repository) => {
    const required = [{ name: 'db', version: '1.0.0', repository }]
    expect((await taken({ required, repositories: { ours: 'URL' } })).taken).toEqual([
      'db 1.0.0 locked URL/db-1.0.0.tgz',
    ])
  })

  test('is taken from where Chart.lock says, which knows the address of an alias', async () => {
    const required = [{ name: 'cache', repository: '@ours' }]
    expect((await taken({ required, lock: LOCKED })).taken).toEqual(['cache 1.2.0 locked URL/cache-1.2.0.tgz'])
  })

  test('is not fetched where it is switched off, or there', async () => {
    const required = [
      { name: 'cache', isEnabled: false },
      { name: 'db', presentVersion: '1.3.0' },
    ]
    expect(await taken({ required })).toEqual({ taken: [], notices: [] })
  })

  test('of a version outside of the range that is there is left to Helm, with a notice', async () => {
    expect(await taken({ required: [{ name: 'cache', presentVersion: '0.9.0' }] })).toEqual({
      taken: [],
      notices: ['dependency cache ^1.2 of chart shop: charts/ holds 0.9.0, and Helm uses that'],
    })
  })

  test('two versions under two aliases are both there in the end', async () => {
    const required = [
      { name: 'cache', version: '^2.0' },
      { name: 'cache', version: '~1.2' },
    ]
    expect((await taken({ required })).taken).toEqual([
      'cache 1.2.0 URL/cache-1.2.0.tgz',
      'cache 2.0.0 URL/cache-2.0.0.tgz',
    ])
    const oneIsThere = required.map((requirement) => ({ ...requirement, presentVersion: '2.0.0' }))
    expect(await taken({ required: oneIsThere })).toMatchObject({ taken: ['cache 1.2.0 URL/cache-1.2.0.tgz'] })
  })

  test('two aliases of one version are one chart', async () => {
    const required = [{ name: 'cache' }, { name: 'cache', version: '~1.4' }]
    expect((await taken({ required })).taken).toEqual(['cache 1.4.0 URL/cache-1.4.0.tgz'])
  })

  test('that is switched on by what was fetched is fetched next', async () => {
    const rounds = [
      [{ required: [{ name: 'cache' }, { name: 'db', isEnabled: false, version: '^1.0' }] }],
      [
        {
          required: [
            { name: 'cache', presentVersion: '1.4.0' },
            { name: 'db', version: '^1.0' },
          ],
        },
      ],
      [{ required: [] }],
    ]
    expect((await taken({ rounds })).taken).toEqual(['cache 1.4.0 URL/cache-1.4.0.tgz', 'db 1.0.0 URL/db-1.0.0.tgz'])
  })

  test('of a fetched chart is fetched by its own lock', async () => {
    expect((await taken({ required: [{ name: 'cache' }], lock: LOCKED, isRemote: true })).taken).toEqual([
      'cache 1.2.0 locked URL/cache-1.2.0.tgz',
    ])
  })

  test('is verified as the chart is', async () => {
    const keyring = '/keys.gpg'
    const { failures: found } = await failures({ required: [{ name: 'cache' }], verify: 'always', keyring })
    expect(found).toEqual([expect.stringContaining('URL/cache-1.4.0.tgz is not signed, and verify is always')])
  })
})

describe('what keeps dependencies from being fetched', () => {
  test('is told of all of them at once', async () => {
    const required = [
      { name: 'cache', version: '^7' },
      { name: 'dbb' },
      { name: 'here', repository: '' },
      { name: 'named', repository: '@theirs' },
      { name: 'stable', repository: 'stable' },
      { name: 'image', repository: 'oci://HOST/Charts' },
      { name: 'empty', version: '' },
    ]
    const { failures: found } = await failures({ required })
    expect(found).toEqual([
      'dependency cache ^7 of chart shop: chart cache of URL/ has no version ^7; choose one of 2.0.0, 1.4.0, 1.2.0',
      'dependency dbb ^1.2 of chart shop: URL/ has no chart dbb; did you mean db?',
      'dependency empty of chart shop: it has no version; write the version in Chart.yaml',
      'dependency here ^1.2 of chart shop: it has no repository, so Helm assumes it in charts/, where it is not; write its repository in Chart.yaml, or put the chart into charts/',
      'dependency image ^1.2 of chart shop: "oci://HOST/Charts/image" is no address of a registry: oci://host/path, in lower case; check the address and the name',
      'dependency named ^1.2 of chart shop: there is no repository "theirs" on this machine; run helm repo add in a step before, or write the address of the repository in Chart.yaml',
      'dependency stable ^1.2 of chart shop: its repository "stable" is neither an address nor an alias such as @name; write its repository in Chart.yaml, or put the chart into charts/',
    ])
  })

  test('a chart may not need hundreds of others', async () => {
    const required = Array.from({ length: 501 }, (_, index) => ({ name: `c${index}` }))
    expect((await failures({ required })).failures).toEqual([
      'the chart needs more than 500 others; take one of them out of the dependencies in Chart.yaml',
    ])
  })
})

describe('dependencies: locked', () => {
  const dependencies = 'locked'
  const UPDATE = 'run helm dependency update and commit Chart.lock'

  test('takes what Chart.lock names', async () => {
    expect((await taken({ dependencies, required: [{ name: 'cache' }], lock: LOCKED })).taken).toHaveLength(1)
  })

  test('a missing Chart.lock is an error where something is fetched', async () => {
    expect(await failures({ dependencies, required: [{ name: 'cache' }] })).toEqual({
      failures: [`chart shop: there is no Chart.lock, and dependencies is locked; ${UPDATE}`],
      kept: [],
    })
  })

  test('a missing Chart.lock is fine where charts/ holds all, or the workspace', async () => {
    const required = [
      { name: 'cache', presentVersion: '1.4.0' },
      { name: 'common', version: '1.0.0', repository: 'file://../common' },
    ]
    const files = { 'common/Chart.yaml': 'name: common\nversion: 1.0.0\n' }
    expect((await taken({ dependencies, required, files })).taken).toEqual(['common 1.0.0 locked common'])
  })

  test('an outdated Chart.lock is an error, even if charts/ holds all', async () => {
    const required = [{ name: 'cache', presentVersion: '1.4.0' }]
    expect((await failures({ dependencies, required, lock: OUTDATED })).failures).toEqual([
      `chart shop: Chart.lock is not of the dependencies in Chart.yaml, and dependencies is locked; ${UPDATE}`,
    ])
  })

  test('an outdated one of a fetched chart that has all is for its owner', async () => {
    const required = [{ name: 'cache', presentVersion: '1.4.0' }]
    expect((await taken({ dependencies, required, lock: OUTDATED, isRemote: true })).taken).toEqual([])
  })

  test('another version in charts/ than Chart.lock names is an error', async () => {
    const required = [{ name: 'cache', presentVersion: '1.4.0' }]
    expect((await failures({ dependencies, required, lock: LOCKED })).failures).toEqual([
      `chart shop: dependency cache is 1.4.0, Chart.lock names 1.2.0, and dependencies is locked; ${UPDATE}`,
    ])
  })
})

test('dependencies: never asks for nothing', async () => {
  const { got, server } = await complete({ dependencies: 'never', required: [{ name: 'cache' }] })
  expect(await got).toEqual({ dependencies: [], notices: [] })
  expect(server.seen).toEqual([])
})

describe('file://', () => {
  const common = { 'common/Chart.yaml': 'name: common\nversion: 1.5.0\n' }
  const required = [{ name: 'common', repository: 'file://../common' }]

  test('is a chart of the workspace, relative to the chart that names it', async () => {
    expect(await taken({ required, files: common })).toEqual({ taken: ['common 1.5.0 locked common'], notices: [] })
  })

  test('has dependencies of its own', async () => {
    const rounds = [
      [{ required }],
      [
        { required: [{ ...required[0], name: 'common', presentVersion: '1.5.0' }] },
        { name: 'common', path: 'common', parent: [], required: [{ name: 'cache' }] },
      ],
      [{ required: [] }],
    ]
    const all = await taken({ rounds, files: common })
    expect(all.taken).toEqual(['common 1.5.0 locked common', 'common > cache 1.4.0 URL/cache-1.4.0.tgz'])
    expect(all.notices).toEqual(['dependency cache ^1.2 of chart common: took 1.4.0 (no Chart.lock)'])
  })

  test('that leads in a circle is told', async () => {
    const back = { name: 'shop', repository: 'file://../shop', version: '1.0.0' }
    const rounds = [
      [{ required }],
      [{ required: [] }, { name: 'common', path: 'common', parent: [], required: [back] }],
    ]
    const files = { ...common, 'shop/Chart.yaml': 'name: shop\nversion: 1.0.0\n' }
    expect((await failures({ rounds, files })).failures).toEqual([
      'dependency shop 1.0.0 of chart common: file://../shop needs itself, by way of shop, common; take one of them out of the dependencies in Chart.yaml',
    ])
  })

  test('below ten other charts is refused', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `c${index}`)
    const chain = names.map((name, index) => ({
      name,
      path: name,
      parent: names.slice(0, index),
      required: index === 9 ? required : [],
    }))
    const folders = Object.fromEntries(names.map((name) => [`${name}/Chart.yaml`, `name: ${name}\nversion: 1.0.0\n`]))
    const rounds = [[{ required: [] }, ...chain]]
    expect((await failures({ rounds, files: { ...common, ...folders } })).failures).toEqual([
      'dependency common ^1.2 of chart c9: it stands below 10 other charts; take one of them out of the dependencies in Chart.yaml',
    ])
  })

  test.each([
    ['file://../../outside', {}, 'file://../../outside leads out of the workspace; put the chart into the workspace'],
    ['file:///etc', {}, 'file:///etc leads out of the workspace; put the chart into the workspace'],
    [
      'file:///no/such/folder',
      {},
      'file:///no/such/folder leads out of the workspace; put the chart into the workspace',
    ],
    ['file://../none', {}, 'file://../none does not exist; correct name and path of the dependency in Chart.yaml'],
    [
      'file://../folder',
      { 'folder/a': '' },
      'file://../folder is no chart: it has no Chart.yaml with name and version; correct name',
    ],
    [
      'file://../other',
      { 'other/Chart.yaml': 'name: other\nversion: 1.5.0\n' },
      'file://../other holds chart other; correct name and path',
    ],
    [
      'file://../common',
      { 'common/Chart.yaml': 'name: common\nversion: 0.1.0\n' },
      'file://../common has no version ^1.2; choose one of 0.1.0',
    ],
    [
      'file://../common',
      { 'common/Chart.yaml': 'name: common\n' },
      'file://../common is no chart: it has no Chart.yaml with name and version',
    ],
  ])('%s is refused where it must be (%j)', async (repository, files, told) => {
    const { failures: found } = await failures({ required: [{ name: 'common', repository }], files })
    expect(found).toEqual([expect.stringContaining(`dependency common ^1.2 of chart shop: ${told}`)])
  })

  test('of a fetched chart is refused', async () => {
    expect((await failures({ required, files: common, isRemote: true })).failures).toEqual([
      expect.stringContaining('file://../common lies where the chart was made, and that chart was fetched'),
    ])
  })

  test.each(['common', 'common/Chart.yaml'])('a link out of the workspace is refused: %s (S-01)', async (link) => {
    const outside = await temporaryFolder()
    await writeFile(join(outside, 'Chart.yaml'), 'name: common\nversion: 1.5.0\n')
    const root = await temporaryFolder()
    await mkdir(join(root, 'shop'))
    if (link === 'common') await symlink(outside, join(root, 'common'))
    else {
      await mkdir(join(root, 'common'))
      await symlink(join(outside, 'Chart.yaml'), join(root, link))
    }
    const chart = {
      name: 'shop',
      path: join(root, 'shop'),
      required: [{ ...required[0], name: 'common', version: '^1', repository: 'file://../common', isEnabled: true }],
    }
    const sources = await givenSources([], { rules: fakeChartRules({ requirements: [[chart]] }) })
    await expect(sources.dependencies({ chartPath: chart.path, values: noValues, root })).rejects.toThrow(
      'file://../common leads out of the workspace',
    )
  })
})

test('what was fetched counts by its digest', async () => {
  const { got } = await complete({ required: [{ name: 'cache' }] })
  expect((await got).dependencies).toMatchObject([
    { digest: digestOf(archive('cache 1.4.0')), path: expect.stringContaining('/') },
  ])
})
