import { readFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, test } from 'vitest'
import { startChartServer } from '../doubles/chart-server.ts'
import { fakeChartRules } from '../doubles/fake-chart-rules.ts'
import { refusal, tls } from './given-http.ts'
import { type GivenSources, givenSources, type Page, type Pages, serving } from './given-sources.ts'
import { digestOf, packedChart } from './packed-chart.ts'

const shop = await packedChart('shop', '1.2.3')
const nameless = await packedChart('shop', '1.0.0', { 'Chart.yaml': 'some: thing\n' })
const leadingOut = await packedChart('shop', '1.0.0', { 'Chart.yaml': 'name: ../../etc\nversion: 1.0.0\n' })
const unreadable = await packedChart('shop', '1.0.0', { 'Chart.yaml': 'a: [' })

async function given(pages: Pages, more: GivenSources = {}) {
  let served = pages
  const server = await startChartServer(
    serving(() => served),
    { tls },
  )
  const sources = await givenSources([server], more)
  const fetch = (path = '/shop-1.2.3.tgz') => sources.fetch({ kind: 'archive', url: `${server.url}${path}` })
  const serve = (others: Pages) => {
    served = others
  }
  return { server, sources, fetch, serve }
}

test('a chart that Helm would not load is refused, and nothing of it stays in the cache', async () => {
  const rules = fakeChartRules({ unloadable: 'chart illegally contains content outside the base directory' })
  const { sources, fetch } = await given({ '/shop-1.2.3.tgz': shop }, { rules })
  expect(await refusal(fetch())).toMatch(/shop-1\.2\.3\.tgz cannot be loaded: chart illegally contains content/)
  expect(await sources.kept()).toEqual([])
})

describe('a chart at an address of its own', () => {
  test('has name and version of its Chart.yaml, and the SHA-256 of the archive', async () => {
    const { server, fetch } = await given({ '/any.tgz': shop })
    const { path, ...chart } = await fetch('/any.tgz')
    expect(chart).toEqual({
      name: 'shop',
      version: '1.2.3',
      source: `${server.url}/any.tgz`,
      digest: digestOf(shop),
    })
    expect(digestOf(await readFile(path))).toBe(digestOf(shop))
  })

  test('shows nothing of the question in its address: it may hold a signature', async () => {
    const { server, fetch } = await given({ '/shop-1.2.3.tgz': shop })
    expect((await fetch('/shop-1.2.3.tgz?X-Amz-Signature=f00f00')).source).toBe(`${server.url}/shop-1.2.3.tgz`)
    expect(server.seen).toEqual(['GET /shop-1.2.3.tgz?X-Amz-Signature=f00f00'])
  })

  test('is asked for once in a run', async () => {
    const { server, fetch } = await given({ '/shop-1.2.3.tgz': shop })
    await Promise.all([fetch(), fetch()])
    expect(server.seen).toEqual(['GET /shop-1.2.3.tgz'])
  })

  test('comes again in the next run only where it has changed', async () => {
    const { server, fetch, sources, serve } = await given({ '/shop-1.2.3.tgz': shop })
    const first = await fetch()
    const next = await givenSources([server], { cacheFolder: sources.cacheFolder })
    const url = `${server.url}/shop-1.2.3.tgz`
    expect(await next.fetch({ kind: 'archive', url })).toEqual(first)
    expect(server.requests[1]?.headers['if-none-match']).toBe(`"${digestOf(shop)}"`)

    const other = await packedChart('shop', '1.2.4')
    serve({ '/shop-1.2.3.tgz': other })
    const last = await givenSources([server], { cacheFolder: sources.cacheFolder })
    expect(await last.fetch({ kind: 'archive', url })).toMatchObject({ version: '1.2.4', digest: digestOf(other) })
  })

  test('that is for one login only is not remembered for others', async () => {
    const needsLogin = ({ headers }: { readonly headers: IncomingHttpHeaders }): Page =>
      headers.authorization === undefined ? { status: 401 } : { body: shop, headers: { etag: '"1"' } }
    const { server, sources } = await given({})
    const pages: Pages = { '/shop-1.2.3.tgz': needsLogin }
    const guarded = await startChartServer(
      serving(() => pages),
      { tls },
    )
    const chart = { kind: 'archive', url: `${guarded.url}/shop-1.2.3.tgz` } as const
    const logins = { [guarded.host]: { kind: 'basic', username: 'robot', password: 's3cret' } } as const
    const cacheFolder = sources.cacheFolder
    await (await givenSources([guarded], { logins, cacheFolder })).fetch(chart)
    const stranger = await givenSources([guarded], { cacheFolder })
    expect(await refusal(stranger.fetch(chart))).toContain('asks for a login (401)')
    expect(guarded.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined])
    expect(server.seen).toEqual([])
  })
})

describe('what is no chart is told, and not kept', () => {
  const html = { headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<!doctype html><html></html>' }
  const NOT_PACKED = 'give the address of a chart that helm package made'
  const page = (answer: Page) => () => answer

  test.each<[string, Pages, string]>([
    ['a web page', { '/a.tgz': page(html) }, `URL/a.tgz is a web page, not a packed chart; ${NOT_PACKED}`],
    [
      'a page to log in',
      { '/a.tgz': page({ status: 302, headers: { location: '/users/sign_in?to=a' } }), '/users/sign_in': page(html) },
      'URL/a.tgz leads to a page to log in (URL/users/sign_in); log in to HOST in a step before (docker/login-action), or write it in input registries',
    ],
    [
      'an unpacked file',
      { '/a.tgz': page({ headers: { 'content-type': 'application/yaml' }, body: 'apiVersion: v2' }) },
      `URL/a.tgz is something else (application/yaml), not a packed chart; ${NOT_PACKED}`,
    ],
    [
      'a zip archive',
      { '/a.tgz': page({ body: 'PK\u0003\u0004' }) },
      `URL/a.tgz is a zip archive, not a packed chart; ${NOT_PACKED}`,
    ],
    ['nothing', { '/a.tgz': page({}) }, `URL/a.tgz is something else, not a packed chart; ${NOT_PACKED}`],
    [
      'an archive that was cut off',
      { '/a.tgz': shop.subarray(0, shop.length - 9) },
      `URL/a.tgz is no whole chart: unexpected end of file; ${NOT_PACKED}`,
    ],
    [
      'an archive that was damaged',
      { '/a.tgz': Buffer.concat([shop.subarray(0, 40), Buffer.from('damage'), shop.subarray(46)]) },
      'URL/a.tgz is no whole chart: ',
    ],
    [
      'an archive of something else',
      { '/a.tgz': nameless },
      `URL/a.tgz has a Chart.yaml without a proper name and version; ${NOT_PACKED}`,
    ],
    [
      'a name that leads out of a folder',
      { '/a.tgz': leadingOut },
      `URL/a.tgz has a Chart.yaml without a proper name and version; ${NOT_PACKED}`,
    ],
    ['a Chart.yaml that cannot be read', { '/a.tgz': unreadable }, 'URL/a.tgz has a Chart.yaml that cannot be read: '],
  ])('%s', async (_name, pages, told) => {
    const { server, sources, fetch } = await given(pages)
    expect((await refusal(fetch('/a.tgz'))).replaceAll(server.url, 'URL').replaceAll(server.host, 'HOST')).toContain(
      told,
    )
    expect(await sources.kept()).toEqual([])
  })

  test('an archive that unpacks to more than Helm takes', async () => {
    const bomb = await packedChart('shop', '1.0.0', { big: 'x'.repeat(101 * 1024 * 1024) })
    const { sources, fetch } = await given({ '/a.tgz': bomb })
    expect(await refusal(fetch('/a.tgz'))).toContain('unpacks to more than 100 MiB')
    expect(await sources.kept()).toEqual([])
  })
})

describe('a run without secrets, for a fork or by Dependabot,', () => {
  const ADVICE =
    'runs for forks and by Dependabot get no secrets: make the chart public, or plan it in a run that has them'

  test.each([401, 403, 404])('that is answered %i is told so', async (status) => {
    const { fetch } = await given({ '/a.tgz': () => ({ status }) }, { isWithoutSecrets: true })
    expect(await refusal(fetch('/a.tgz'))).toContain(`(${status}); ${ADVICE}`)
  })

  test('is told of everything else as any other', async () => {
    const { fetch } = await given({ '/a.tgz': '<html>' }, { isWithoutSecrets: true })
    expect(await refusal(fetch('/a.tgz'))).toContain('; give the address of a chart that helm package made')
  })
})

describe('a values file at an address', () => {
  test('is its text', async () => {
    const { server, sources } = await given({ '/values.yaml': 'a: 1\n' })
    expect(await sources.text(`${server.url}/values.yaml`)).toBe('a: 1\n')
  })

  test('is no web page', async () => {
    const { server, sources } = await given({ '/values.yaml': '<html>' })
    expect(await refusal(sources.text(`${server.url}/values.yaml`))).toBe(
      `${server.url}/values.yaml is a web page, not a values file; check the address and the name`,
    )
  })
})
