import type { RemoteChart } from '../model/chart-source.ts'
import type { Hint } from '../model/hint.ts'

/** Where a chart is, as its inputs say it. */
export type ChartReference =
  /** Or `repository/name`, as `helm repo add` has named the repository; only there `version` counts. */
  { readonly kind: 'path'; readonly path: string; readonly version?: string } | RemoteChart

/** The texts of a chart's inputs, trimmed; empty where they are not given. */
export interface ChartText {
  readonly chart: string
  readonly 'chart-version': string
  readonly repository: string
}

export interface ReferenceFault {
  readonly field: keyof ChartText
  readonly fault: string
  readonly hint: Hint
}

/** Source of the form of names: docs/sources.md#oci-distribution. */
const REGISTRY_PATH = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$/
const HOST = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?$/
const DIGEST = /^sha256:[0-9a-f]{64}$/
/** What Helm takes as the name of a chart in a repository. */
const CHART_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/
const MAX_CHARS = 2048

/** `chart` is a path, `oci://host/path[:version][@sha256:...]`, the address of a `.tgz`, or a name in `repository`. */
export function readChartReference(text: ChartText): ChartReference | ReferenceFault {
  const { chart, repository } = text
  if ([chart, repository, text['chart-version']].some((one) => one.length > MAX_CHARS)) {
    return { field: 'chart', fault: `is longer than ${MAX_CHARS} characters`, hint: { kind: 'check-address' } }
  }
  if (chart.startsWith('oci://')) return repository === '' ? registryChart(text, chart) : givenTwice()
  if (/^https?:\/\//i.test(chart)) return repository === '' ? archiveAt(text) : givenTwice()
  if (repository !== '') return chartOfRepository(text)
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(chart)) {
    return { field: 'chart', fault: 'has an address of an unknown kind', hint: { kind: 'write-chart-address' } }
  }
  const version = text['chart-version']
  if (version === '') return { kind: 'path', path: chart }
  return namedInRepository(chart) === undefined ? versionFault(OF_PATH) : { kind: 'path', path: chart, version }
}

/** Helm passes over --version for a chart on disk; here it would look as if it had an effect. */
export const OF_PATH = 'belongs to a chart that is fetched, and this one is a path'

/** `bitnami/redis`, with the repository's name as `helm repo add` has given it; a path comes first. */
export function namedInRepository(chart: string): { readonly repository: string; readonly name: string } | undefined {
  const [repository = '', name = '', ...more] = chart.split('/')
  return more.length === 0 && CHART_NAME.test(repository) && CHART_NAME.test(name) ? { repository, name } : undefined
}

function registryChart(text: ChartText, address: string): ChartReference | ReferenceFault {
  const [, host = '', path = ''] = /^oci:\/\/([^/]*)\/(.*)$/.exec(address) ?? []
  const [name = '', digest] = path.split('@', 2)
  const [, repository = '', tag] = /^([^:]*)(?::(.*))?$/.exec(name) ?? []
  const wrong = (fault: string): ReferenceFault => ({ field: 'chart', fault, hint: { kind: 'write-registry-address' } })
  if (!HOST.test(host)) return wrong('names no registry')
  if (!REGISTRY_PATH.test(repository)) return wrong('has a path that no registry takes')
  if (tag === '') return wrong('ends with an empty version')
  if (digest !== undefined && !DIGEST.test(digest)) return wrong('has a digest that is not sha256: and 64 hex digits')
  const asked = text['chart-version']
  if (tag !== undefined && asked !== '' && asked !== tag) {
    return versionFault(`is not the version in the address, ${tag}`)
  }
  const version = asked === '' ? tag : asked
  return {
    kind: 'registry',
    host: host.toLowerCase(),
    repository,
    ...(version !== undefined && { version }),
    ...(digest !== undefined && { digest }),
  }
}

function archiveAt(text: ChartText): ChartReference | ReferenceFault {
  const url = addressOf(text.chart)
  if (url === undefined) return { field: 'chart', fault: 'is no valid address', hint: { kind: 'check-address' } }
  if (hasLogin(url)) return loginFault('chart')
  if (text['chart-version'] !== '') return versionFault('belongs to a name or a registry: this address has its version')
  return { kind: 'archive', url: url.href }
}

function chartOfRepository(text: ChartText): ChartReference | ReferenceFault {
  const { chart, repository } = text
  if (!CHART_NAME.test(chart)) {
    return {
      field: 'chart',
      fault: 'is no name of a chart, which repository asks for',
      hint: { kind: 'write-name-in-repository' },
    }
  }
  if (repository.startsWith('oci://')) {
    return registryChart(
      { ...text, repository: '' },
      `${repository.endsWith('/') ? repository.slice(0, -1) : repository}/${chart}`,
    )
  }
  const url = addressOf(repository)
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return { field: 'repository', fault: 'is no address', hint: { kind: 'write-repository-address' } }
  }
  if (hasLogin(url)) return loginFault('repository')
  const version = text['chart-version']
  return { kind: 'repository', url: url.href, name: chart, ...(version !== '' && { version }) }
}

function addressOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

function hasLogin({ username, password }: URL): boolean {
  return username !== '' || password !== ''
}

/** It would stand in logs of servers and of proxies, and in the plan. */
function loginFault(field: keyof ChartText): ReferenceFault {
  return { field, fault: 'holds a login', hint: { kind: 'write-login-in-registries' } }
}

function givenTwice(): ReferenceFault {
  return {
    field: 'repository',
    fault: 'is given beside a chart that is an address itself',
    hint: { kind: 'leave-out' },
  }
}

function versionFault(fault: string): ReferenceFault {
  return { field: 'chart-version', fault, hint: { kind: 'leave-out' } }
}
