import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type ChartHostFault, type ChartHostOptions, startChartHost } from '../doubles/chart-host.ts'
import { startHostProxy } from '../doubles/host-proxy.ts'
import { type RegistryLogin, startRegistry } from '../doubles/registry.ts'
import { createTestAuthority, type TestAuthority } from '../doubles/test-authority.ts'
import { tellingChart, writeChart } from './chart-files.ts'
import { createHelmHome, type HelmHome, type HelmHomeOptions } from './helm-home.ts'

/** What the servers of the tests of fetching are like, told by the real `helm`. */
describe.each(['helm4', 'helm3'] as const)('%s', (version) => {
  let authority: TestAuthority
  let folder: string
  let archive: string

  beforeAll(async () => {
    authority = await createTestAuthority(['registry.example', 'tokens.example', 'charts.example'])
    folder = await mkdtemp(join(tmpdir(), 'test-servers-'))
    const helm = await createHelmHome({ version })
    await writeChart(join(folder, 'shop'), tellingChart({ name: 'shop', version: '1.2.0+build.5' }))
    await helm.run(['package', join(folder, 'shop'), '--destination', join(folder, 'charts')])
    await helm.run(['repo', 'index', join(folder, 'charts'), '--url', 'https://charts.example'])
    await helm.close()
    archive = join(folder, 'charts', 'shop-1.2.0+build.5.tgz')
  })

  afterAll(async () => {
    await authority.close()
    await rm(folder, { recursive: true, force: true })
  })

  const user = { username: 'ada', password: 'engine no 1' }

  test.each<[string, RegistryLogin | undefined]>([
    ['without a login', undefined],
    ['with a password', { kind: 'basic', ...user }],
    ['with a token from another port', { kind: 'token', ...user }],
    ['with a token from another host', { kind: 'token', ...user, realm: 'https://tokens.example' }],
  ])('pushes a chart to the registry and pulls it back, %s', async (_, login) => {
    const { helm, registry } = await registryFor(login)
    if (login !== undefined) {
      await expect(helm.run(['registry', 'login', 'registry.example', ...flagsOf('wrong')])).rejects.toThrow(/401/)
      await expect(helm.push(archive, 'oci://registry.example/team')).rejects.toThrow(/401|basic credential/)
      await helm.run(['registry', 'login', 'registry.example', ...flagsOf(user.password)])
    }
    const digest = await helm.push(archive, 'oci://registry.example/team')
    await helm.run(['pull', 'oci://registry.example/team/shop', '--version', '^1.0'])
    const asked = await registry.requests()
    expect(asked.map(({ path }) => path)).toContain('/v2/team/shop/manifests/1.2.0_build.5')
    expect(await helm.run(['show', 'chart', `oci://registry.example/team/shop@${digest}`])).toContain('name: shop')
  })

  test('takes a chart of the repository with a login, from no other one', async () => {
    const { helm, server } = await repositoryFor({ login: user })
    await expect(helm.run(['repo', 'add', 'shelf', 'https://charts.example'])).rejects.toThrow(/401/)
    await helm.run(['repo', 'add', 'shelf', 'https://charts.example', ...flagsOf(user.password)])
    expect(await helm.run(['template', 'shelf/shop'])).toContain('shop 1.2.0+build.5')
    expect(server.requests.map(({ path, status }) => `${status} ${path}`)).toEqual([
      '401 /index.yaml',
      '200 /index.yaml',
      '200 /shop-1.2.0+build.5.tgz',
    ])
  })

  test.each<[string, ChartHostFault, RegExp]>([
    ['a refusal', { kind: 'answer', status: 403 }, /403/],
    ['a page', { kind: 'answer', status: 200, body: '<html>Log in</html>' }, /gzip|chart/],
    ['a body that is cut off', { kind: 'truncated' }, /unexpected EOF/],
    ['no answer', { kind: 'cut-off' }, /EOF/],
  ])('notices %s', async (_, fault, message) => {
    const { helm, server } = await repositoryFor({})
    server.fail(/\.tgz$/, fault)
    const url = 'https://charts.example/shop-1.2.0+build.5.tgz'
    await expect(helm.run(['template', url])).rejects.toThrow(message)
    server.calm()
    expect(await helm.run(['template', url])).toContain('shop 1.2.0+build.5')
  })

  function flagsOf(password: string): readonly string[] {
    return ['--username', user.username, '--password', password]
  }

  async function registryFor(login: RegistryLogin | undefined) {
    const registry = await startRegistry({ tls: authority.folder, ...(login === undefined ? {} : { login }) })
    onTestFinished(() => registry.close())
    const tokens = registry.tokenPort === undefined ? {} : { 'tokens.example': registry.tokenPort }
    const helm = await homeFor({ 'registry.example': registry.port, ...tokens })
    return { helm, registry }
  }

  async function repositoryFor(options: Partial<ChartHostOptions>) {
    const serves = { kind: 'folder', path: join(folder, 'charts') } as const
    const server = await startChartHost({ serves, tls: authority, ...options })
    onTestFinished(() => server.close())
    return { server, helm: await homeFor({ 'charts.example': server.port }) }
  }

  async function homeFor(ports: Readonly<Record<string, number>>): Promise<HelmHome> {
    const proxy = await startHostProxy(ports)
    onTestFinished(() => proxy.close())
    const options: HelmHomeOptions = { version, authorityFile: authority.authorityFile, proxy: proxy.url }
    const helm = await createHelmHome(options)
    onTestFinished(() => helm.close())
    return helm
  }
})
