import type { FetchedChart, RemoteChart } from '../model/chart-source.ts'
import { defined } from '../model/defined.ts'
import { FetchError } from '../model/errors.ts'
import { stringifyJson } from '../model/json.ts'
import { unreachable } from '../model/unreachable.ts'
import type { ChartSources } from '../ports.ts'
import { fetchFromAddress } from './archive-address.ts'
import { missingDependencies } from './chart-dependencies.ts'
import type { FetchParts } from './fetch-parts.ts'
import { createRegistryCharts, type RegistryChart } from './registry-chart.ts'
import { createRepositories, type RepositoryChart } from './repository.ts'
import { fetchText } from './values-text.ts'

export interface SourceParts extends FetchParts {
  /** The run is for a fork or by Dependabot: GitHub keeps the secrets from it. */
  readonly isWithoutSecrets: boolean
}

/** Charts and values files that are not in the workspace. Each is fetched once in a run. */
export function createChartSources(parts: SourceParts): ChartSources {
  const registry = createRegistryCharts(parts)
  const repositories = createRepositories(parts, registry)
  const fetched = new Map<string, Promise<FetchedChart>>()

  function once(what: readonly unknown[], fetch: () => Promise<FetchedChart>): Promise<FetchedChart> {
    const key = stringifyJson(what)
    const pending = fetched.get(key) ?? fetch()
    fetched.set(key, pending)
    return pending
  }

  const fromRegistry = (chart: RegistryChart) => once(['registry', chart], () => registry.fetch(chart))
  const fromRepository = (chart: RepositoryChart) => once(['repository', chart], () => repositories.fetch(chart))

  function fetch(chart: RemoteChart): Promise<FetchedChart> {
    switch (chart.kind) {
      case 'archive':
        return once(['archive', chart.url], () => fetchFromAddress(chart.url, parts))
      case 'registry': {
        const { host, repository, version, digest } = chart
        return fromRegistry({ host, repository, ...defined({ version, digest }) })
      }
      case 'repository': {
        const { url, name, version } = chart
        return fromRepository({ url, name, from: 'index', ...defined({ version }) })
      }
      default:
        return unreachable(chart)
    }
  }

  const told = <T>(answer: Promise<T>) =>
    answer.catch((error: unknown) => {
      throw parts.isWithoutSecrets && error instanceof FetchError ? withoutSecrets(error) : error
    })

  return {
    isLockRequired: parts.settings.dependencies === 'locked',
    fetch: (chart) => told(fetch(chart)),
    dependencies: (request) =>
      told(missingDependencies(request, parts.settings.dependencies, { ...parts, fromRegistry, fromRepository })),
    addressOf: (repository) => parts.credentials.addressOf(repository),
    text: (url) => told(fetchText(url, parts)),
  }
}

/** Servers say in many ways that a login is missing, one of them that there is nothing. */
const MAY_MEAN_NO_LOGIN: ReadonlySet<string> = new Set(['log-in', 'ask-for-access', 'check-address-and-login'])

/** Where there are no secrets, to log in is no advice. */
function withoutSecrets({ details, cause }: FetchError): FetchError {
  const hint = MAY_MEAN_NO_LOGIN.has(details.hint.kind) ? ({ kind: 'secrets-not-for-forks' } as const) : details.hint
  const others = details.others?.map(withoutSecrets)
  return new FetchError({ ...details, hint, ...(others === undefined ? {} : { others }) }, { cause })
}
