import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createChartCache } from '../../src/fetch/chart-cache.ts'
import type { Credentials } from '../../src/fetch/chart-credentials.ts'
import type { RegistryLogin } from '../../src/fetch/registry-login.ts'
import { createChartSources } from '../../src/fetch/sources.ts'
import { systemClock } from '../../src/host/system-clock.ts'
import type { ChartRules, ChartSources, FetchSettings, RegistryAccess } from '../../src/ports.ts'
import type { ChartServer } from '../doubles/chart-server.ts'
import { fakeChartRules } from '../doubles/fake-chart-rules.ts'
import { givenHttp, trusted } from './given-http.ts'
import { digestOf } from './packed-chart.ts'

/** Paths with what is answered: a body, or a whole answer. */
export type Pages = Readonly<Record<string, string | Uint8Array | ((request: IncomingMessage) => Page)>>

export interface Page {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** Answers with what `pages` has for the path, with its query or without; else 404. Bodies have an ETag. */
export function serving(pages: () => Pages): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '/'
    const found = pages()[path] ?? pages()[path.split('?', 1)[0] ?? '']
    const page: Page =
      found === undefined
        ? { status: 404 }
        : typeof found === 'function'
          ? found(request)
          : { body: found, headers: { etag: `"${digestOf(found)}"` } }
    const { status = 200, headers = {}, body = '' } = page
    if (headers.etag !== undefined && request.headers['if-none-match'] === headers.etag) {
      response.writeHead(304, headers).end()
    } else response.writeHead(status, headers).end(body)
  }
}

export interface GivenSources extends Partial<FetchSettings> {
  readonly rules?: ChartRules
  readonly logins?: Readonly<Record<string, RegistryLogin>>
  readonly repositories?: Readonly<Record<string, string>>
  readonly isWithoutSecrets?: boolean
  /** Folder; absent for a new one. */
  readonly cacheFolder?: string
  readonly plainHttp?: readonly string[]
}

export interface Sources extends ChartSources {
  readonly cacheFolder: string
  /** Names of the archives that the cache holds. */
  kept(): Promise<readonly string[]>
}

/** Sources as a run has them, which trust these servers, beside a cache of the test. */
export async function givenSources(servers: readonly ChartServer[], given: GivenSources = {}): Promise<Sources> {
  const { rules = fakeChartRules(), isWithoutSecrets = false, plainHttp = [], cacheFolder, ...settings } = given
  const folder = cacheFolder ?? (await temporaryFolder())
  const registries: readonly RegistryAccess[] = servers.map(({ host }) => ({
    ...trusted(host),
    isPlainHttp: plainHttp.includes(host),
  }))
  const hosts = servers.map(({ host }) => host)
  const sources = createChartSources({
    http: givenHttp(hosts, { registries }),
    credentials: givenCredentials(given),
    cache: createChartCache({
      folder,
      workspace: folder,
      env: {},
      clock: systemClock,
      onWarning: (warning) => {
        throw new Error(warning)
      },
    }),
    rules,
    settings: { dependencies: 'missing', verify: 'never', keyring: undefined, registries, cache: folder, ...settings },
    isWithoutSecrets,
  })
  return { ...sources, cacheFolder: folder, kept: () => archivesIn(join(folder, 'v1', 'bodies')) }
}

async function archivesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith('.tgz'))
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chart-sources-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** By host. */
function givenCredentials({ logins = {}, repositories = {} }: GivenSources): Omit<Credentials, 'tlsOf'> {
  return {
    ofRegistry: async (host) => logins[host],
    ofAddress: async ({ host }) => {
      const login = logins[host]
      return login?.kind === 'identity' ? undefined : login
    },
    addressOf: async (name) => repositories[name],
  }
}
