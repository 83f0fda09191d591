import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RegistryAccess } from '../../src/ports.ts'
import { type ChartHost, startChartHost } from '../doubles/chart-host.ts'
import { type HostProxy, startHostProxy } from '../doubles/host-proxy.ts'
import { type Registry, startRegistry } from '../doubles/registry.ts'
import { createTestAuthority, type TestAuthority } from '../doubles/test-authority.ts'
import { type ChartFiles, writeChart } from './chart-files.ts'
import { createHelmHome, type HelmHome } from './helm-home.ts'

/** Repositories and registries under the names that charts know them by; the real `helm` fills them and reads them. */
export interface ChartWorld {
  readonly authority: TestAuthority
  readonly proxy: HostProxy
  /** Serves all repositories. */
  readonly repositories: ChartHost
  /** Serves all registries. It asks for a token, which everybody gets who wants to pull. */
  readonly registry: Registry
  /** Knows the repositories by the names of `named`. */
  readonly helm: HelmHome
  /** Packs these charts and adds them to what is there. */
  publish(charts: readonly PublishedChart[]): Promise<void>
  /** Of what was published under this name: SHA-256 of the archive; in a registry, of the manifest. */
  digestsOf(name: string, version: string): readonly string[]
  /** All of its hosts, with the authority that they are trusted by. */
  readonly trusted: readonly RegistryAccess[]
  close(): Promise<void>
}

export interface PublishedChart {
  /** `https://charts.example/stable` or `oci://registry.example/charts`. */
  readonly repository: string
  readonly name: string
  readonly version: string
  readonly files: ChartFiles
}

/** Of the one who pushes. */
const LOGIN = ['--username', 'ada', '--password', 'engine no 1'] as const
const TOKENS = 'tokens.example'

/** `named`: addresses of repositories, by the names under which helm knows them. `registries`: hosts. */
export async function startChartWorld(
  named: Readonly<Record<string, string>>,
  registries: readonly string[],
): Promise<ChartWorld> {
  const hosts = [...new Set(Object.values(named).map((url) => new URL(url).host))]
  const authority = await createTestAuthority([...hosts, ...registries, TOKENS])
  const folder = await mkdtemp(join(tmpdir(), 'chart-world-'))
  const shelves = join(folder, 'hosts')
  const [, username = '', , password = ''] = LOGIN
  const login = { kind: 'token', username, password, isPublic: true, realm: `https://${TOKENS}` } as const
  const registry = await startRegistry({ tls: authority.folder, login })
  const repositories = await startChartHost({ serves: { kind: 'hosts', path: shelves }, tls: authority })
  const proxy = await startHostProxy({
    ...Object.fromEntries(hosts.map((host) => [host, repositories.port])),
    ...Object.fromEntries(registries.map((host) => [host, registry.port])),
    [TOKENS]: registry.tokenPort ?? 0,
  })
  const helm = await createHelmHome({ authorityFile: authority.authorityFile, proxy: proxy.url })
  const pusher = await createHelmHome({ authorityFile: authority.authorityFile, proxy: proxy.url })
  const published: (PublishedChart & { readonly digest: string })[] = []

  async function publish(charts: readonly PublishedChart[]): Promise<void> {
    for (const [repository, own] of Map.groupBy(charts, (chart) => chart.repository)) {
      const isRegistry = repository.startsWith('oci://')
      const { host, pathname } = new URL(repository)
      const shelf = join(isRegistry ? join(folder, 'pushed') : shelves, host, pathname)
      await pack(own, shelf)
      if (!isRegistry) await helm.run(['repo', 'index', shelf, '--url', repository])
      const archiveOf = ({ name, version }: PublishedChart) => join(shelf, `${name}-${version}.tgz`)
      for (const chart of own) {
        const digest = isRegistry
          ? await pusher.push(archiveOf(chart), repository)
          : `sha256:${createHash('sha256')
              .update(await readFile(archiveOf(chart)))
              .digest('hex')}`
        published.push({ ...chart, digest })
      }
    }
  }

  async function pack(charts: readonly PublishedChart[], shelf: string): Promise<void> {
    const sources = await mkdtemp(join(folder, 'sources-'))
    const written = charts.map(({ name, version, files }) => writeChart(join(sources, `${name}-${version}`), files))
    await mkdir(shelf, { recursive: true })
    await helm.run(['package', ...(await Promise.all(written)), '--destination', shelf])
  }

  for (const [name, url] of Object.entries(named)) {
    const { host, pathname } = new URL(url)
    const shelf = join(shelves, host, pathname)
    await mkdir(shelf, { recursive: true })
    await helm.run(['repo', 'index', shelf])
    await helm.run(['repo', 'add', name, url])
  }
  for (const host of registries) await pusher.run(['registry', 'login', host, ...LOGIN])

  return {
    authority,
    proxy,
    repositories,
    registry,
    helm,
    publish,
    trusted: [...hosts, ...registries, TOKENS].map((host) => {
      return { host, authorities: authority.authority, isPlainHttp: false }
    }),
    digestsOf: (name, version) =>
      published.filter((chart) => chart.name === name && chart.version === version).map(({ digest }) => digest),
    close: async () => {
      await Promise.all([helm.close(), pusher.close(), proxy.close(), repositories.close(), registry.close()])
      await Promise.all([authority.close(), rm(folder, { recursive: true, force: true })])
    },
  }
}
