import { createChartCache } from '../../src/fetch/chart-cache.ts'
import { createChartCredentials } from '../../src/fetch/chart-credentials.ts'
import { createHttp } from '../../src/fetch/http-client.ts'
import { createChartSources } from '../../src/fetch/sources.ts'
import { systemClock } from '../../src/host/system-clock.ts'
import type { ChartRules, ChartSources, FetchSettings } from '../../src/ports.ts'

export interface JobOptions {
  readonly rules: ChartRules
  /** What the job's steps left behind: Helm's and Docker's configuration, the proxy. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workspace: string
  /** Folder of its cache. */
  readonly cache: string
  readonly settings?: Partial<FetchSettings>
  readonly timeoutSeconds?: number
}

export interface FetchingJob extends ChartSources {
  close(): Promise<void>
}

/** The whole of what fetches charts, as the action puts it together. */
export function startFetchingJob(options: JobOptions): FetchingJob {
  const { rules, env, workspace, cache: folder, timeoutSeconds = 60 } = options
  const settings: FetchSettings = {
    dependencies: 'missing',
    verify: 'never',
    keyring: undefined,
    registries: [],
    cache: folder,
    ...options.settings,
  }
  const { registries } = settings
  const clock = systemClock
  const refuseWarning = (text: string) => {
    throw new Error(text)
  }
  const credentials = createChartCredentials({
    env,
    platform: process.platform,
    registries,
    clock,
    onSecret: () => undefined,
    onNotice: refuseWarning,
  })
  const tlsOf = (url: URL) => credentials.tlsOf(url)
  const signal = new AbortController().signal
  const http = createHttp({ env, registries, clock, signal, timeoutSeconds, tlsOf })
  const cache = createChartCache({ folder, workspace, env, clock, onWarning: refuseWarning })
  const sources = createChartSources({ http, credentials, cache, rules, settings, isWithoutSecrets: false })
  return { ...sources, close: () => http.close() }
}
