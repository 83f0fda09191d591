import { createChartCache } from '../fetch/chart-cache.ts'
import { type Credentials, createChartCredentials } from '../fetch/chart-credentials.ts'
import { createHttp } from '../fetch/http-client.ts'
import { createChartSources } from '../fetch/sources.ts'
import { parsePullRequest } from '../github/pull-request-json.ts'
import { eventFacts, eventPullRequest } from '../github/workflow-event.ts'
import { systemClock } from '../host/system-clock.ts'
import type { SettingsOfRun } from '../inputs/inputs.ts'
import { defined } from '../model/defined.ts'
import type { ChartRules, ChartSources, PullRequest } from '../ports.ts'
import { isWorthMasking } from '../secrecy/entropy.ts'
import { mayUseLogins } from '../trust/cluster-access.ts'
import type { Machine } from './machine.ts'

/** Longest time of one request with its retries, in s; a shorter `timeout` of the run counts. */
const MAX_REQUEST_SECONDS = 300

export interface OpenSources extends ChartSources {
  /** Whether what the job has, logins and keys, may serve the code of this run. */
  mayUseLogins(): Promise<boolean>
  close(): Promise<void>
}

/** The network of charts. Nothing is opened before the first chart is asked for. */
export function openChartSources(
  { env, payload, runner, secrets, workspace }: Machine,
  parts: {
    readonly rules: ChartRules
    readonly settings: SettingsOfRun
    readonly pullRequest: PullRequest | undefined
    readonly signal: AbortSignal
  },
): OpenSources {
  const { rules, settings, signal } = parts
  const { cache: folder, registries } = settings.fetching
  const keepSecret = (value: string) => {
    secrets.add(value)
    if (isWorthMasking(value)) runner.mask(value)
  }
  for (const { password, token } of registries) {
    for (const secret of [password, token]) if (secret !== undefined) keepSecret(secret)
  }
  const facts = { event: eventFacts(env, payload), ...defined({ pullRequest: parts.pullRequest }) }
  let allowed: Promise<boolean> | undefined
  const isAllowed = () => {
    allowed ??= mayUseLogins(settings, facts)
    return allowed
  }
  const credentials = whereAllowed(
    createChartCredentials({
      env,
      platform: process.platform,
      registries,
      clock: systemClock,
      onSecret: keepSecret,
      onNotice: (text) => runner.annotate('notice', text),
    }),
    isAllowed,
  )
  const http = createHttp({
    env,
    registries,
    clock: systemClock,
    signal,
    timeoutSeconds: Math.min(settings.timeoutSeconds || MAX_REQUEST_SECONDS, MAX_REQUEST_SECONDS),
    tlsOf: (url) => credentials.tlsOf(url),
    onRetry: (line) => runner.info(line),
  })
  const sources = createChartSources({
    http,
    credentials,
    cache: createChartCache({
      folder,
      workspace,
      env,
      clock: systemClock,
      onWarning: (text) => runner.annotate('warning', text),
    }),
    rules,
    settings: settings.fetching,
    isWithoutSecrets: isWithoutSecrets(env, payload),
  })
  return { ...sources, mayUseLogins: isAllowed, close: () => http.close() }
}

/** The code of a fork gets none of the job's logins, nor the address that a name of the job stands for. */
function whereAllowed(credentials: Credentials, isAllowed: () => Promise<boolean>): Credentials {
  const ask = async <T>(answer: () => Promise<T | undefined>) => ((await isAllowed()) ? answer() : undefined)
  return {
    ofRegistry: (host) => ask(() => credentials.ofRegistry(host)),
    ofAddress: (url) => ask(() => credentials.ofAddress(url)),
    addressOf: (name) => ask(() => credentials.addressOf(name)),
    tlsOf: (url) => ask(() => credentials.tlsOf(url)),
  }
}

/** GitHub gives no secrets to `pull_request` runs of forks and of Dependabot. */
function isWithoutSecrets(env: Machine['env'], payload: unknown): boolean {
  if (env.GITHUB_EVENT_NAME !== 'pull_request') return false
  const found = parsePullRequest(eventPullRequest(env, payload))
  return found !== undefined && (found.isFork || found.isDependabot)
}
