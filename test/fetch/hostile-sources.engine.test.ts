import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { RemoteChart } from '../../src/model/chart-source.ts'
import { FetchError, RenderError } from '../../src/model/errors.ts'
import type { ChartRules, RegistryAccess, Renderer } from '../../src/ports.ts'
import { startRenderer } from '../../src/render/renderer.ts'
import { hintText } from '../../src/report/words/hint-text.ts'
import { buildEngine } from '../../src/tools/builds/engine-build.ts'
import { type ChartHost, type ChartHostFault, startChartHost } from '../doubles/chart-host.ts'
import { startHostProxy } from '../doubles/host-proxy.ts'
import { type Registry, startRegistry } from '../doubles/registry.ts'
import { createTestAuthority, type TestAuthority } from '../doubles/test-authority.ts'
import { archiveBombs } from '../host/archive-bombs.ts'
import { hostileArchives } from '../host/hostile-archives.ts'
import { renderRequest } from '../render/fixtures.ts'
import { tellingChart, writeChart } from './chart-files.ts'
import { startFetchingJob } from './fetching-job.ts'
import { createHelmHome, type HelmHome } from './helm-home.ts'

const HOSTS = ['charts.example', 'elsewhere.example', 'registry.example', 'tokens.example']
const LOGIN = { username: 'ada', password: 'engine no 1' }
const BASIC = `Basic ${Buffer.from(`${LOGIN.username}:${LOGIN.password}`).toString('base64')}`

const MIB = 1024 ** 2

describe('sources that are hostile or broken', () => {
  let folder: string
  let renderer: Renderer & ChartRules
  let authority: TestAuthority
  let helm: HelmHome
  let registry: Registry
  let charts: ChartHost
  let elsewhere: ChartHost
  let front: ChartHost
  let env: Readonly<Record<string, string>>
  let digest: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hostile-sources-'))
    renderer = startRenderer({ folder: await buildEngine(), timeZone: 'UTC' })
    authority = await createTestAuthority(HOSTS)
    const tls = authority
    registry = await startRegistry({
      tls: authority.folder,
      login: { kind: 'token', ...LOGIN, realm: 'https://tokens.example' },
    })
    const shelf = join(folder, 'shelf')
    charts = await startChartHost({ serves: { kind: 'folder', path: shelf }, tls, login: LOGIN })
    elsewhere = await startChartHost({ serves: { kind: 'folder', path: shelf }, tls })
    front = await startChartHost({
      serves: { kind: 'server', port: registry.port, authority: authority.authority },
      tls,
    })
    const proxy = await startHostProxy({
      'charts.example': charts.port,
      'elsewhere.example': elsewhere.port,
      'registry.example': front.port,
      'tokens.example': registry.tokenPort ?? 0,
    })
    helm = await createHelmHome({ authorityFile: authority.authorityFile, proxy: proxy.url })
    env = helm.env
    await mkdir(shelf)
    await writeChart(join(folder, 'shop'), tellingChart({ name: 'shop', version: '1.2.0' }))
    await helm.run(['package', join(folder, 'shop'), '--destination', shelf])
    await helm.run(['repo', 'index', shelf])
    digest = createHash('sha256')
      .update(await readFile(join(shelf, 'shop-1.2.0.tgz')))
      .digest('hex')
    await helm.run(['registry', 'login', 'registry.example', '-u', LOGIN.username, '-p', LOGIN.password])
    await helm.push(join(shelf, 'shop-1.2.0.tgz'), 'oci://registry.example/team')
    return async () => {
      await Promise.all([helm, proxy, front, elsewhere, charts, registry, authority].map((one) => one.close()))
    }
  })
  afterAll(async () => {
    await renderer.close()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(() => {
    for (const host of [charts, elsewhere, front]) host.calm()
  })

  const inRepository: RemoteChart = { kind: 'repository', url: 'https://charts.example', name: 'shop', version: '^1' }
  const inRegistry: RemoteChart = { kind: 'registry', host: 'registry.example', repository: 'team/shop', version: '^1' }
  const atAddress: RemoteChart = { kind: 'archive', url: 'https://charts.example/shop-1.2.0.tgz' }

  const page: ChartHostFault = { kind: 'answer', status: 200, body: '<!DOCTYPE html><title>Log in</title>' }
  const redirect = (location: string): ChartHostFault => ({ kind: 'answer', status: 302, headers: { location } })
  const faults: readonly (readonly [what: string, fault: ChartHostFault, message: RegExp, isWaitedOut?: boolean])[] = [
    ['other bytes', { kind: 'damaged' }, /has the digest sha256:\w{64}, .*sha256:\w{64}/],
    ['half of the bytes', { kind: 'truncated' }, /the answer breaks off/, true],
    ['half of the bytes and then nothing', { kind: 'stalled' }, /is not there after 2 s/, true],
    ['bytes without end', { kind: 'endless' }, /is larger than (?:4|64|100) MiB/],
    ['no answer', { kind: 'cut-off' }, /cannot be reached: /, true],
    ['a page to log in', page, /is a web page|is no list of tags|is no manifest|has the digest/],
    [
      'nothing at all',
      { kind: 'answer', status: 200 },
      /not a packed chart|is empty|is no list of tags|is no manifest|has the digest/,
    ],
    ['a redirect in a circle', redirect('?again'), /redirect/],
    [
      'a redirect to plain HTTP',
      redirect('http://elsewhere.example/x'),
      /leads from https to http:\/\/elsewhere\.example\/x/,
    ],
    ['a redirect to a file', redirect('file:///etc/passwd'), /file:\/\/\/etc\/passwd .* is not an address of https/],
    ['a refusal', { kind: 'answer', status: 403 }, /\(403\)/],
    ['a limit', { kind: 'answer', status: 429, headers: { 'retry-after': '3600' } }, /429/],
  ]
  const places: readonly (readonly [where: string, chart: RemoteChart, path: RegExp])[] = [
    ['the archive', atAddress, /\.tgz/],
    ['the archive of a repository', inRepository, /\.tgz/],
    ['the index of a repository', inRepository, /index\.yaml/],
    ['the tags of a registry', inRegistry, /tags\/list/],
    ['the manifest of a registry', inRegistry, /manifests/],
    ['the archive of a registry', inRegistry, /blobs/],
  ]
  /** Nobody knows a digest of these. */
  const WITHOUT_DIGEST = ['the archive', 'the index of a repository', 'the tags of a registry']
  /** What is tried again is tried in two places: it takes seconds. */
  const TRIED_AGAIN = ['the archive', 'the archive of a registry']
  const cases = faults.flatMap(([what, fault, message, isWaitedOut = false]) =>
    places
      .filter(([where]) => (isWaitedOut ? TRIED_AGAIN.includes(where) : true))
      .filter(([where]) => !(what === 'other bytes' && WITHOUT_DIGEST.includes(where)))
      .map(([where, chart, path]) => [what, where, { fault, message, chart, path, isWaitedOut }] as const),
  )

  test.each(cases)('%s instead of %s', async (_what, _where, { fault, message, chart, path, isWaitedOut }) => {
    for (const host of [charts, front]) host.fail(path, fault)
    const said = await refusal(chart, isWaitedOut ? 2 : undefined)
    expect(said).toMatch(message)
    expect(said).toMatch(/(?:charts|registry)\.example/)
    expect(Math.max(charts.sentBytes(), front.sentBytes())).toBeLessThan(200 * MIB)
  })

  test.each([
    ['the archive', atAddress, /\.tgz/],
    ['the archive of a repository', inRepository, /\.tgz/],
    ['the archive of a registry', inRegistry, /blobs/],
  ])('a redirect of %s to another host takes no login along', async (_where, chart, path) => {
    for (const host of [charts, front]) host.fail(path, redirect('https://elsewhere.example/shop-1.2.0.tgz'))
    const { job } = await startJob()
    expect((await job.fetch(chart)).version).toBe('1.2.0')
    const asked = [...charts.requests, ...front.requests].filter((request) => path.test(request.path))
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([expect.stringMatching(/^(?:Basic|Bearer) /)])
    expect(elsewhere.requests.map(({ headers }) => headers.authorization)).toEqual([undefined])
  })

  test.each([
    ['https://elsewhere.example/shop-1.2.0.tgz', 'fetched'],
    ['//elsewhere.example/shop-1.2.0.tgz', 'fetched'],
    ['https://ada:guessed@elsewhere.example/shop-1.2.0.tgz', 'fetched'],
    ['http://elsewhere.example/shop-1.2.0.tgz', /http:\/\/elsewhere\.example/],
    ['file:///etc/passwd', /file:/],
    ['../../../../etc/passwd', /404|not a packed chart/],
    ['gopher://elsewhere.example/shop-1.2.0.tgz', /gopher:/],
    ['https://elsewhere.example:1/shop-1.2.0.tgz', /elsewhere\.example:1/],
    ['https://[::1', /\[::1/],
    ['', /shop/],
  ])('an index whose entry is at %s gets no login there', async (url, outcome) => {
    const entry = `{name: shop, version: 1.2.0, apiVersion: v2, urls: [${JSON.stringify(url)}], digest: ${digest}}`
    charts.fail(/index\.yaml/, { kind: 'answer', status: 200, body: `apiVersion: v1\nentries: {shop: [${entry}]}\n` })
    if (outcome === 'fetched') {
      const { job } = await startJob()
      expect((await job.fetch(inRepository)).digest).toBe(`sha256:${digest}`)
    } else expect(await refusal(inRepository)).toMatch(outcome)
    const logins = elsewhere.requests.map(({ headers }) => headers.authorization)
    expect(logins).not.toContain(BASIC)
    expect(logins).toHaveLength(outcome === 'fetched' ? 1 : 0)
  })

  test('a registry that asks for the login over plain HTTP does not get it', async () => {
    const headers = { 'www-authenticate': 'Bearer realm="http://elsewhere.example/token",service="x"' }
    front.fail(/^\/v2\//, { kind: 'answer', status: 401, headers })
    expect(await refusal(inRegistry)).toMatch(/registry\.example asks for a token/)
    expect(elsewhere.requests).toEqual([])
  })

  test('a server that stumbles once is asked again', async () => {
    charts.fail(/\.tgz/, { kind: 'answer', status: 500 }, 1)
    const { job } = await startJob()
    expect((await job.fetch(inRepository)).version).toBe('1.2.0')
    expect(charts.requests.map(({ status }) => status)).toEqual([200, 500, 200])
  })

  test('of 66 archives that lead out none does', async () => {
    const archives = hostileArchives('/etc/hostname')
    expect(archives).toHaveLength(66)
    for (const { title, tar, holds } of archives) {
      charts.calm()
      charts.fail(/\.tgz/, { kind: 'answer', status: 200, body: gzipSync(tar) })
      const { job, cache } = await startJob()
      const fetched = await job.fetch(atAddress).catch((error: unknown) => error)
      if (fetched instanceof FetchError) expect([title, await archivesIn(cache)]).toEqual([title, []])
      const rendered =
        fetched instanceof Error
          ? fetched
          : await renderer.render(renderRequest((fetched as { readonly path: string }).path)).then(
              ({ documents }) => documents.map(({ text }) => text.trim()),
              (error: unknown) => error,
            )
      // Links are empty files, as in Helm: what is left is a template of an object without an apiVersion.
      const isRefused = rendered instanceof FetchError || rendered instanceof RenderError
      expect([title, isRefused]).toEqual([title, true])
      if (holds !== undefined) expect(String(rendered), title).toMatch(/demo\/templates\/a\.yaml/)
    }
  })

  test('an archive that unpacks to gigabytes is refused', async () => {
    const [bomb] = archiveBombs(['in one piece'])
    charts.fail(/\.tgz/, { kind: 'answer', status: 200, body: bomb?.bytes ?? '' })
    expect(await refusal(atAddress, 60)).toMatch(/charts\.example/)
  })

  test('an index of 10,000 versions is read, and names those that are near', async () => {
    const entries = Array.from({ length: 10_000 }, (_, index) => {
      return `- {name: shop, version: 3.${index}.0, apiVersion: v2, urls: [shop-1.2.0.tgz], digest: ${digest}}`
    })
    charts.fail(/index\.yaml/, {
      kind: 'answer',
      status: 200,
      body: `apiVersion: v1\nentries:\n  shop:\n  ${entries.join('\n  ')}\n`,
    })
    expect(await refusal({ ...inRepository, version: '^4' }, 60)).toMatch(/shop/)
  })

  test('a registry of 10,000 tags is read to its end', async () => {
    const tags = Array.from({ length: 10_000 }, (_, index) => `3.${index}.0`)
    const body = JSON.stringify({ name: 'team/shop', tags: [...tags, '1.2.0'] })
    front.fail(/tags\/list/, { kind: 'answer', status: 200, body })
    expect(await refusal({ ...inRegistry, version: '^4' }, 60)).toMatch(/shop/)
    const { job } = await startJob(60)
    expect((await job.fetch({ ...inRegistry, version: '^1' })).version).toBe('1.2.0')
  })

  /** What is said, and its hint; nothing is left in the cache. */
  async function refusal(chart: RemoteChart, timeoutSeconds?: number): Promise<string> {
    const { job, cache } = await startJob(timeoutSeconds)
    const error = await job.fetch(chart).then(
      ({ path }) => new Error(`${path} was fetched`),
      (failure: unknown) => failure,
    )
    if (!(error instanceof FetchError)) throw error
    expect(await archivesIn(cache)).toEqual([])
    expect(error.details.what).not.toContain(LOGIN.password)
    return `${error.details.what}; ${hintText(error.details.hint)}`
  }

  async function startJob(timeoutSeconds = 20) {
    const cache = await mkdtemp(join(folder, 'cache-'))
    const registries: readonly RegistryAccess[] = HOSTS.map((host) => ({
      host,
      authorities: authority.authority,
      isPlainHttp: false,
      ...(host === 'charts.example' ? LOGIN : {}),
    }))
    const settings = { registries }
    const job = startFetchingJob({ rules: renderer, env, workspace: folder, cache, settings, timeoutSeconds })
    onTestFinished(() => job.close())
    return { job, cache }
  }

  async function archivesIn(cache: string): Promise<readonly string[]> {
    const all = await readdir(cache, { recursive: true })
    return all.filter((name) => name.endsWith('.tgz'))
  }
})
