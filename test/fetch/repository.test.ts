import { describe, expect, test } from 'vitest'
import { startChartServer } from '../doubles/chart-server.ts'
import { refusal, tls } from './given-http.ts'
import { type GivenSources, givenSources, type Pages, serving } from './given-sources.ts'
import { digestOf, packedChart } from './packed-chart.ts'

const versions = ['1.2.0', '1.10.1', '2.0.0']
const archives = new Map(
  await Promise.all(versions.map(async (version) => [version, await packedChart('shop', version)] as const)),
)
const archive = (version: string) => archives.get(version) ?? Buffer.alloc(0)

interface Entry {
  readonly version: string
  readonly urls?: readonly string[]
  readonly digest?: string
}

function index(entries: readonly Entry[] = versions.map((version) => ({ version }))): string {
  const shop = entries.map(
    ({ version, urls = [`shop-${version}.tgz`], digest = digestOf(archive(version)).slice(7) }) => ({
      name: 'shop',
      version,
      urls,
      digest,
    }),
  )
  return JSON.stringify({ apiVersion: 'v1', entries: { shop, web: [], shopping: [] } })
}

const CHARTS: Pages = {
  '/index.yaml': index(),
  ...Object.fromEntries(versions.map((version) => [`/shop-${version}.tgz`, archive(version)])),
}

async function given(pages: Pages = CHARTS, more: GivenSources = {}) {
  const server = await startChartServer(
    serving(() => pages),
    { tls },
  )
  const sources = await givenSources([server], more)
  const fetch = (version?: string, name = 'shop') =>
    sources.fetch({ kind: 'repository', url: server.url, name, ...(version === undefined ? {} : { version }) })
  return { server, sources, fetch }
}

describe('a chart of a repository', () => {
  test.each([
    ['1.10.1', '1.10.1'],
    ['^1.2', '1.10.1'],
    [undefined, '2.0.0'],
  ])('version %s is %s', async (wanted, version) => {
    const { server, fetch } = await given()
    expect(await fetch(wanted)).toMatchObject({
      name: 'shop',
      version,
      source: `${server.url}/shop-${version}.tgz`,
      digest: digestOf(archive(version)),
    })
    expect(server.seen).toEqual(['GET /index.yaml', `GET /shop-${version}.tgz`])
  })

  test('an index is read once in a run, and an archive is not fetched again in the next one', async () => {
    const { server, sources, fetch } = await given()
    await Promise.all([fetch('1.2.0'), fetch('2.0.0'), fetch('2.0.0')])
    expect(server.seen.toSorted()).toEqual(['GET /index.yaml', 'GET /shop-1.2.0.tgz', 'GET /shop-2.0.0.tgz'])
    const next = await givenSources([server], { cacheFolder: sources.cacheFolder })
    await next.fetch({ kind: 'repository', url: server.url, name: 'shop' })
    expect(server.seen.slice(3)).toEqual(['GET /index.yaml'])
    expect(server.requests[3]?.headers['if-none-match']).toBe(`"${digestOf(index())}"`)
  })

  test('the question of its address stays with all of its files', async () => {
    const { server, sources } = await given()
    await sources.fetch({ kind: 'repository', url: `${server.url}/?token=a`, name: 'shop' })
    expect(server.seen).toEqual(['GET /index.yaml?token=a', 'GET /shop-2.0.0.tgz?token=a'])
  })

  test('an entry without a digest is taken as it comes', async () => {
    const { fetch } = await given({ ...CHARTS, '/index.yaml': index([{ version: '2.0.0', digest: '' }]) })
    expect(await fetch()).toMatchObject({ digest: digestOf(archive('2.0.0')) })
  })

  test('entries may name their digest with sha256:', async () => {
    const digest = digestOf(archive('2.0.0'))
    const { fetch } = await given({ ...CHARTS, '/index.yaml': index([{ version: '2.0.0', digest }]) })
    expect(await fetch()).toMatchObject({ digest })
  })
})

describe('what a repository has not', () => {
  test.each([
    ['3.0.0', 'shop', 'chart shop of URL/ has no version 3.0.0; choose one of 2.0.0, 1.10.1, 1.2.0'],
    ['~1.2.1', 'shop', 'chart shop of URL/ has no version ~1.2.1; choose one of 1.2.0'],
    [undefined, 'shpo', 'URL/ has no chart shpo; did you mean shop?'],
    [undefined, 'zookeeper', 'URL/ has no chart zookeeper; did you mean shop, shopping, web?'],
    [
      undefined,
      'web',
      'chart web of URL/ has no version to take by itself, but pre-releases at most; it has no versions',
    ],
    ['newest', 'shop', 'chart shop of URL/: "newest" is neither a version nor a range of versions'],
  ])('%s of %s is told with what is nearest', async (version, name, told) => {
    const { server, fetch } = await given()
    expect((await refusal(fetch(version, name))).replaceAll(server.url, 'URL')).toContain(told)
  })

  test('no repository is told', async () => {
    const { server, fetch } = await given({})
    expect(await refusal(fetch())).toContain(`${server.url}/index.yaml does not exist (404)`)
  })
})

describe('logins', () => {
  test('go to the index and to archives on the same server', async () => {
    const { server } = await given()
    const logins = { [server.host]: { kind: 'basic', username: 'robot', password: 'word' } } as const
    await (await givenSources([server], { logins })).fetch({ kind: 'repository', url: server.url, name: 'shop' })
    expect(server.seen).toEqual([
      'GET /index.yaml Basic cm9ib3Q6d29yZA==',
      'GET /shop-2.0.0.tgz Basic cm9ib3Q6d29yZA==',
    ])
  })

  test('do not go where an index points, even if there is one for that server', async () => {
    const elsewhere = await startChartServer(
      serving(() => CHARTS),
      { tls },
    )
    const urls = [`${elsewhere.url}/shop-2.0.0.tgz`]
    const { server } = await given({ '/index.yaml': index([{ version: '2.0.0', urls }]) })
    const login = { kind: 'basic', username: 'robot', password: 'word' } as const
    const logins = { [server.host]: login, [elsewhere.host]: login }
    const sources = await givenSources([server, elsewhere], { logins })
    expect(await sources.fetch({ kind: 'repository', url: server.url, name: 'shop' })).toMatchObject({
      source: `${elsewhere.url}/shop-2.0.0.tgz`,
    })
    expect(elsewhere.seen).toEqual(['GET /shop-2.0.0.tgz'])
  })
})

describe('a hostile repository gets nothing into the cache:', () => {
  const listed = (entry: Partial<Entry>, pages: Pages = CHARTS): Pages => ({
    ...pages,
    '/index.yaml': index([{ version: '2.0.0', ...entry }]),
  })
  const OWNER = 'do not deploy it before its owner has said why; another version may be in order'
  const other = archive('1.2.0')

  test.each<[string, Pages, string]>([
    [
      'another archive than its index names',
      { ...CHARTS, '/shop-2.0.0.tgz': other },
      `URL/shop-2.0.0.tgz has the digest ${digestOf(other)}, and the index of its repository names ${digestOf(archive('2.0.0'))}; ${OWNER}`,
    ],
    [
      'another version than its index says',
      listed({ urls: ['shop-1.2.0.tgz'], digest: digestOf(other) }),
      `URL/shop-1.2.0.tgz holds shop 1.2.0, not shop 2.0.0; ${OWNER}`,
    ],
    [
      'a digest that is none',
      listed({ digest: 'md5:abc' }),
      `the index of URL/ names a digest of shop 2.0.0 that is none; ${OWNER}`,
    ],
    [
      'a file of the machine',
      listed({ urls: ['file:///etc/passwd'] }),
      '"file:///etc/passwd" is no address of a chart',
    ],
    ['an address that is none', listed({ urls: ['https://['] }), '"https://[" is no address of a chart'],
    ['plain HTTP', listed({ urls: ['http://other.example/a.tgz'] }), 'http://other.example/a.tgz is not encrypted'],
    [
      'a registry without a tag',
      listed({ urls: ['oci://r.example/shop'] }),
      'the index names "oci://r.example/shop" for shop 2.0.0, which is no address with a tag',
    ],
    [
      'a registry with a path that leads elsewhere',
      listed({ urls: ['oci://r.example/../v1:1.0.0'] }),
      '"oci://r.example/../v1" is no address of a registry',
    ],
    ['a page', { '/index.yaml': '<html>' }, 'URL/index.yaml is no index of a chart repository: it is a web page'],
  ])('%s', async (_name, pages, told) => {
    const { server, sources, fetch } = await given(pages)
    expect((await refusal(fetch())).replaceAll(server.url, 'URL')).toContain(told)
    expect(await sources.kept()).toEqual([])
  })
})

test('10,000 versions are chosen from in a second', async () => {
  const entries = Array.from({ length: 10_000 }, (_, patch) => ({ version: `1.0.${patch}`, digest: '' }))
  const { fetch } = await given({
    '/index.yaml': index([...entries, { version: '2.0.0' }]),
    '/shop-2.0.0.tgz': archive('2.0.0'),
  })
  const started = performance.now()
  expect(await fetch()).toMatchObject({ version: '2.0.0' })
  expect(performance.now() - started).toBeLessThan(10_000)
})
