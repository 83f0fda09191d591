import { describe, expect, test } from 'vitest'
import type { Http } from '../../src/fetch/http.ts'
import { createRegistry } from '../../src/fetch/registry.ts'
import { startChartServer } from '../doubles/chart-server.ts'
import { refusal, tls } from './given-http.ts'
import { guarded, manifestOf, registryPages } from './given-registry.ts'
import { type GivenSources, givenSources, type Page, type Pages, serving } from './given-sources.ts'
import { digestOf, packedChart } from './packed-chart.ts'

const [older, newer, built] = await Promise.all(
  ['1.2.0', '1.10.1', '2.0.0+build.1'].map((version) => packedChart('shop', version)),
)
const charts = {
  '1.2.0': { archive: older ?? Buffer.alloc(0) },
  '1.10.1': { archive: newer ?? Buffer.alloc(0) },
  '2.0.0_build.1': { archive: built ?? Buffer.alloc(0) },
}
const PAGES = registryPages('charts/shop', charts)
const NEWEST = digestOf(manifestOf(charts['2.0.0_build.1']))
const OWNER = 'do not deploy it before its owner has said why; another version may be in order'

async function given(pages: Pages | ((url: string) => Pages) = PAGES, more: GivenSources = {}) {
  let served: Pages = {}
  const server = await startChartServer(
    serving(() => served),
    { tls },
  )
  served = typeof pages === 'function' ? pages(server.url) : pages
  const sources = await givenSources([server], more)
  const fetch = (version?: string, digest?: string) =>
    sources.fetch({
      kind: 'registry',
      host: server.host,
      repository: 'charts/shop',
      ...(version === undefined ? {} : { version }),
      ...(digest === undefined ? {} : { digest }),
    })
  /** What a refusal says, without the port of the test. */
  const refused = async (got: Promise<unknown>) => (await refusal(got)).replaceAll(server.host, 'HOST')
  return { server, sources, fetch, refused }
}

describe('a chart of a registry', () => {
  test('an exact version is asked for as a tag, with _ for +', async () => {
    const { server, fetch } = await given()
    const { path: _, ...chart } = await fetch('2.0.0+build.1')
    expect(chart).toEqual({
      name: 'shop',
      version: '2.0.0+build.1',
      source: `oci://${server.host}/charts/shop`,
      digest: NEWEST,
    })
    expect(server.seen).toEqual([
      'GET /v2/charts/shop/manifests/2.0.0_build.1',
      `GET /v2/charts/shop/blobs/${digestOf(charts['2.0.0_build.1'].archive)}`,
    ])
  })

  test.each([
    ['^1.2', '1.10.1'],
    [undefined, '2.0.0+build.1'],
  ])('%s is %s of its tags', async (wanted, version) => {
    const { server, fetch } = await given()
    expect(await fetch(wanted)).toMatchObject({ version })
    expect(server.seen[0]).toBe('GET /v2/charts/shop/tags/list?n=1000')
  })

  test('by digest no tag is asked for', async () => {
    const { server, fetch } = await given()
    expect(await fetch(undefined, NEWEST)).toMatchObject({ version: '2.0.0+build.1', digest: NEWEST })
    expect(server.seen[0]).toBe(`GET /v2/charts/shop/manifests/${encodeURIComponent(NEWEST)}`)
  })

  test('by digest a version or a range must be that of the chart', async () => {
    const { fetch, refused, sources } = await given()
    const digest = digestOf(manifestOf(charts['1.2.0']))
    expect(await refused(fetch('^2', digest))).toBe('oci://HOST/charts/shop has no version ^2; choose one of 1.2.0')
    expect(await refused(fetch('1.10.1', digest))).toBe(`oci://HOST/charts/shop holds shop 1.2.0, not 1.10.1; ${OWNER}`)
    expect(await sources.kept()).toEqual([])
    expect(await fetch('^1', digest)).toMatchObject({ version: '1.2.0' })
  })

  test('of Docker Hub is on another server than its name says, and its login goes there', async () => {
    const asked: string[] = []
    const http: Http = {
      get: async ({ url, login }) => {
        asked.push(`${url}${login === undefined ? '' : ` ${login.kind}`}`)
        const isRegistry = url.startsWith('https://registry-1.docker.io/')
        const challenge = 'Bearer realm="https://auth.docker.io/token",service="registry.docker.io"'
        return {
          status: isRegistry ? (login === undefined ? 401 : 404) : 200,
          body: new TextEncoder().encode('{"token":"g1ven"}'),
          url: new URL(url),
          header: () => challenge,
        }
      },
      postForm: () => Promise.reject(new Error('no form is needed')),
      close: async () => undefined,
    }
    const login = { kind: 'basic', username: 'robot', password: 'word' } as const
    const ofRegistry = async (host: string) => (host === 'docker.io' ? login : undefined)
    const registry = createRegistry({ http, credentials: { ofRegistry }, registries: [] })
    expect(await registry.manifest({ host: 'docker.io', repository: 'acme/shop' }, '1.0.0')).toBeUndefined()
    expect(asked).toEqual([
      'https://registry-1.docker.io/v2/acme/shop/manifests/1.0.0',
      'https://auth.docker.io/token?service=registry.docker.io&scope=repository%3Aacme%2Fshop%3Apull basic',
      'https://registry-1.docker.io/v2/acme/shop/manifests/1.0.0 bearer',
    ])
  })

  test('only its manifest is fetched again in the next run', async () => {
    const { server, sources, fetch } = await given()
    const first = await fetch('1.2.0')
    const next = await givenSources([server], { cacheFolder: sources.cacheFolder })
    const chart = { kind: 'registry', host: server.host, repository: 'charts/shop', version: '1.2.0' } as const
    expect(await next.fetch(chart)).toEqual(first)
    expect(server.seen.slice(2)).toEqual(['GET /v2/charts/shop/manifests/1.2.0'])
  })

  test('all pages of tags are read', async () => {
    const pages: Pages = {
      ...PAGES,
      '/v2/charts/shop/tags/list?n=1000': () => ({
        headers: { link: '</v2/charts/shop/tags/list?last=1.2.0&n=1000>; rel="next"' },
        body: '{"tags":["1.2.0"]}',
      }),
      '/v2/charts/shop/tags/list?last=1.2.0&n=1000': '{"tags":["1.10.1"]}',
    }
    const { fetch } = await given(pages)
    expect(await fetch('^1')).toMatchObject({ version: '1.10.1' })
  })

  test('over plain HTTP where the host is listed so', async () => {
    const server = await startChartServer(serving(() => PAGES))
    const sources = await givenSources([server], { plainHttp: [server.host] })
    const chart = { kind: 'registry', host: server.host, repository: 'charts/shop', version: '1.2.0' } as const
    expect(await sources.fetch(chart)).toMatchObject({ version: '1.2.0' })
  })

  test('that an index of a repository names', async () => {
    const { server, sources } = await given((url) => ({
      ...PAGES,
      '/index.yaml': JSON.stringify({
        apiVersion: 'v1',
        entries: {
          shop: [
            {
              version: '1.2.0',
              urls: [`${url.replace('https', 'oci')}/charts/shop:1.2.0`],
              digest: digestOf(charts['1.2.0'].archive),
            },
          ],
        },
      }),
    }))
    expect(await sources.fetch({ kind: 'repository', url: server.url, name: 'shop' })).toMatchObject({
      version: '1.2.0',
      source: `oci://${server.host}/charts/shop`,
      digest: digestOf(manifestOf(charts['1.2.0'])),
    })
  })
})

describe('what a registry has not', () => {
  test.each([
    ['1.2.1', 'oci://HOST/charts/shop has no version 1.2.1; choose one of 1.2.0'],
    ['^3', 'oci://HOST/charts/shop has no version ^3; choose one of 2.0.0+build.1, 1.10.1, 1.2.0'],
    ['newest', 'oci://HOST/charts/shop: "newest" is neither a version nor a range of versions'],
  ])('%s is told with what is nearest', async (version, told) => {
    const { fetch, refused } = await given()
    expect(await refused(fetch(version))).toContain(told)
  })

  test('a digest', async () => {
    const { fetch, refused } = await given()
    expect(await refused(fetch(undefined, `sha256:${'e'.repeat(64)}`))).toContain(
      'oci://HOST/charts/shop has no manifest sha256:eee',
    )
  })

  test.each(['1.2.0', '^1'])('a repository, asked for %s', async (version) => {
    const { fetch, refused } = await given({})
    expect(await refused(fetch(version))).toBe(
      'oci://HOST/charts/shop does not exist (404); check the address and the name, and the login where not everybody may read it',
    )
  })
})

describe('a hostile registry gets nothing into the cache:', () => {
  const good = manifestOf(charts['1.2.0'])
  const at = (answer: Page): Pages => ({ ...PAGES, '/v2/charts/shop/manifests/1.2.0': () => answer })
  const blob = `/v2/charts/shop/blobs/${digestOf(charts['1.2.0'].archive)}`
  const huge = good.replace(/"size":\d+\}\]/, '"size":1000000000}]')

  test.each<[string, Pages, string]>([
    [
      'another manifest than its header promises',
      at({ headers: { 'docker-content-digest': NEWEST }, body: good }),
      `the manifest of oci://HOST/charts/shop has the digest ${digestOf(good)}, where ${NEWEST} was promised; ${OWNER}`,
    ],
    [
      'another layer than its manifest names',
      { ...PAGES, [blob]: charts['1.10.1'].archive },
      `a layer of oci://HOST/charts/shop has the digest ${digestOf(charts['1.10.1'].archive)}, where ${digestOf(charts['1.2.0'].archive)} was promised; ${OWNER}`,
    ],
    [
      'another version than its tag says',
      at({ body: manifestOf(charts['1.10.1']) }),
      `oci://HOST/charts/shop holds shop 1.10.1, not 1.2.0; ${OWNER}`,
    ],
    ['a manifest without end', at({ body: 'x'.repeat(5 * 1024 * 1024) }), 'is larger than 4 MiB'],
    ['a layer that is too large', at({ body: huge }), 'has a layer of 1000000000 bytes, and a chart may have 100 MiB'],
    [
      'a page',
      at({ body: '<html>' }),
      'oci://HOST/charts/shop 1.2.0: the registry answers with something that is no manifest',
    ],
  ])('%s', async (_name, pages, told) => {
    const { sources, fetch, refused } = await given(pages)
    expect(await refused(fetch('1.2.0'))).toContain(told)
    expect(await sources.kept()).toEqual([])
  })

  test('another manifest than the digest that was asked for', async () => {
    const { fetch, refused } = await given({
      [`/v2/charts/shop/manifests/${encodeURIComponent(NEWEST)}`]: good,
    })
    expect(await refused(fetch(undefined, NEWEST))).toContain(`where ${NEWEST} was promised`)
  })

  test.each<[string, Page]>([
    [
      'pages of tags without end',
      { headers: { link: '</v2/charts/shop/tags/list?n=1000>; rel="next"' }, body: '{"tags":["1.2.0"]}' },
    ],
    [
      'tags without end',
      {
        body: JSON.stringify({ tags: Array.from({ length: 10_001 }, (_, patch) => `1.0.${patch}`) }),
        headers: { link: '<?n=1>; rel="next"' },
      },
    ],
  ])('%s', async (_name, page) => {
    const { fetch, refused, server } = await given({ '/v2/charts/shop/tags/list': () => page })
    expect(await refused(fetch('^1'))).toBe(
      'oci://HOST/charts/shop has more than 10000 tags; write one version instead of a range',
    )
    expect(server.seen.length).toBeLessThan(102)
  })

  test('the next page of tags is of the same list, wherever the header points', async () => {
    const { fetch, server } = await given({
      ...PAGES,
      '/v2/charts/shop/tags/list?n=1000': () => ({
        headers: { link: '<https://other.example/steal?last=1.2.0>; rel="next"' },
        body: '{"tags":["1.2.0"]}',
      }),
      '/v2/charts/shop/tags/list?last=1.2.0': '{"tags":["1.10.1"]}',
    })
    expect(await fetch('^1')).toMatchObject({ version: '1.10.1' })
    expect(server.seen[1]).toBe('GET /v2/charts/shop/tags/list?last=1.2.0')
  })
})

describe('logins of a registry', () => {
  const basic = { kind: 'basic', username: 'robot', password: 'word' } as const
  const BASIC = 'Basic cm9ib3Q6d29yZA=='

  test('nobody is asked for one that is not needed', async () => {
    const server = await startChartServer(
      serving(() => PAGES),
      { tls },
    )
    const sources = await givenSources([server], { logins: { [server.host]: basic } })
    await sources.fetch({ kind: 'registry', host: server.host, repository: 'charts/shop', version: '1.2.0' })
    expect(server.seen.filter((line) => line.includes('Basic'))).toEqual([])
  })

  test('Basic, and then for every request at once', async () => {
    const { server } = await given(guarded(PAGES, BASIC, 'Basic realm="r"'))
    const sources = await givenSources([server], { logins: { [server.host]: basic } })
    await sources.fetch({ kind: 'registry', host: server.host, repository: 'charts/shop', version: '1.2.0' })
    expect(server.seen.map((line) => line.replace(/sha256:\w+/, 'layer'))).toEqual([
      'GET /v2/charts/shop/manifests/1.2.0',
      `GET /v2/charts/shop/manifests/1.2.0 ${BASIC}`,
      `GET /v2/charts/shop/blobs/layer ${BASIC}`,
    ])
  })

  test('a token that was given is sent as it is', async () => {
    const { server } = await given(guarded(PAGES, 'Bearer t0ken', 'Bearer realm="https://never.example"'))
    const sources = await givenSources([server], { logins: { [server.host]: { kind: 'bearer', token: 't0ken' } } })
    const chart = { kind: 'registry', host: server.host, repository: 'charts/shop', version: '1.2.0' } as const
    expect(await sources.fetch(chart)).toMatchObject({ version: '1.2.0' })
  })

  async function withTokens(page: (authorization: string | undefined) => Page) {
    const tokens = await startChartServer(
      serving(() => ({ '/token': ({ headers }) => page(headers.authorization) })),
      { tls },
    )
    const challenge = `Bearer realm="${tokens.url}/token",service="r.example",scope="repository:charts/shop:pull,push"`
    const { server } = await given(guarded(PAGES, 'Bearer g1ven', challenge))
    const chart = { kind: 'registry', host: server.host, repository: 'charts/shop', version: '1.2.0' } as const
    return { tokens, server, chart }
  }

  test('a token comes from the server that the registry names, for reading one repository only', async () => {
    const { tokens, server, chart } = await withTokens((sent) =>
      sent === BASIC ? { body: '{"token":"g1ven"}' } : { status: 401 },
    )
    const sources = await givenSources([server, tokens], { logins: { [server.host]: basic } })
    expect(await sources.fetch(chart)).toMatchObject({ version: '1.2.0' })
    expect(tokens.seen).toEqual([`GET /token?service=r.example&scope=repository%3Acharts%2Fshop%3Apull ${BASIC}`])
    expect(server.seen.filter((line) => line.includes('Basic'))).toEqual([])
  })

  test('nobody gets a token, too, of a repository for all', async () => {
    const { tokens, server, chart } = await withTokens((sent) =>
      sent === undefined ? { body: '{"access_token":"g1ven"}' } : { status: 401 },
    )
    const sources = await givenSources([server, tokens])
    expect(await sources.fetch(chart)).toMatchObject({ version: '1.2.0' })
  })

  test('an identity token is exchanged by a form', async () => {
    const { tokens, server, chart } = await withTokens(() => ({ body: '{"access_token":"g1ven"}' }))
    const sources = await givenSources([server, tokens], {
      logins: { [server.host]: { kind: 'identity', token: 'refresh' } },
    })
    expect(await sources.fetch(chart)).toMatchObject({ version: '1.2.0' })
    expect(tokens.seen).toEqual(['POST /token'])
  })

  test('one token serves requests that need it at the same time', async () => {
    const { tokens, server } = await withTokens(() => ({ body: '{"token":"g1ven"}' }))
    const sources = await givenSources([server, tokens])
    await Promise.all(
      ['1.2.0', '1.10.1'].map((version) =>
        sources.fetch({ kind: 'registry', host: server.host, repository: 'charts/shop', version }),
      ),
    )
    expect(tokens.seen).toHaveLength(1)
  })

  test.each<[string, Page, string]>([
    [
      'refuses',
      { status: 401 },
      'TOKENS gives no token without a login for HOST/charts/shop (401); log in to HOST in a step before',
    ],
    [
      'forbids',
      { status: 403 },
      'TOKENS gives no token for HOST/charts/shop (403); give this account the right to read it',
    ],
    ['says nothing', { body: '{}' }, 'TOKENS answers without a token for HOST'],
    ['answers with a page', { body: '<html>' }, 'TOKENS answers with something that is no token'],
  ])('a server of tokens that %s is told apart', async (_name, page, told) => {
    const { tokens, server, chart } = await withTokens(() => page)
    const sources = await givenSources([server, tokens])
    const said = await refusal(sources.fetch(chart))
    expect(said.replaceAll(server.host, 'HOST').replaceAll(tokens.host, 'TOKENS')).toContain(told)
  })

  test('a token that is not taken is told', async () => {
    const { tokens, server, chart } = await withTokens(() => ({ body: '{"token":"other"}' }))
    const sources = await givenSources([server, tokens])
    expect(await refusal(sources.fetch(chart))).toContain('does not take the login (401')
  })

  test.each(['http://tokens.example/token', 'https://a:b@tokens.example/token', 'tokens', 'ftp://tokens.example'])(
    'no login goes to %s, whatever the registry names',
    async (realm) => {
      const { server } = await given(guarded(PAGES, 'none', `Bearer realm="${realm}"`))
      const sources = await givenSources([server], { logins: { [server.host]: basic } })
      const chart = { kind: 'registry', host: server.host, repository: 'charts/shop', version: '1.2.0' } as const
      expect(await refusal(sources.fetch(chart))).toContain('asks for a token of a server that is not reached by https')
      expect(server.seen).toEqual(['GET /v2/charts/shop/manifests/1.2.0'])
    },
  )

  test('who a registry redirects to may not ask for its login', async () => {
    const thief = await startChartServer(
      serving(() => ({
        '/blob': () => ({ status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } }),
      })),
      { tls },
    )
    const blob = `/v2/charts/shop/blobs/${digestOf(charts['1.2.0'].archive)}`
    const { server } = await given({
      ...PAGES,
      [blob]: () => ({ status: 307, headers: { location: `${thief.url}/blob` } }),
    })
    const sources = await givenSources([server, thief], { logins: { [server.host]: basic } })
    const chart = { kind: 'registry', host: server.host, repository: 'charts/shop', version: '1.2.0' } as const
    expect(await refusal(sources.fetch(chart))).toContain('asks for a login (401)')
    expect([...server.seen, ...thief.seen].filter((line) => line.includes('Basic'))).toEqual([])
  })
})
