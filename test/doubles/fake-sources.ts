import type { FetchedChart, FetchedDependency, RemoteChart } from '../../src/model/chart-source.ts'
import { FetchError } from '../../src/model/errors.ts'
import type { ChartSources } from '../../src/ports.ts'

export interface Offered {
  /** By what is asked for: `oci://registry.example/shop ^1.2`, `https://charts.example shop`, `https://.../shop-1.0.0.tgz`. */
  readonly charts?: Readonly<Record<string, FetchedChart>>
  /** What the chart at a path lacks. */
  readonly dependencies?: Readonly<Record<string, readonly FetchedDependency[]>>
  readonly notices?: readonly string[]
  /** Repositories by their name. */
  readonly repositories?: Readonly<Record<string, string>>
  readonly texts?: Readonly<Record<string, string>>
  readonly isLockRequired?: boolean
  /** What keeps dependencies from being fetched. */
  readonly failure?: FetchError
}

/** A network in memory. Whatever it does not offer is a `FetchError`. */
export function fakeSources({
  charts = {},
  dependencies = {},
  notices = [],
  repositories = {},
  texts = {},
  isLockRequired = false,
  failure,
}: Offered = {}) {
  const asked: string[] = []
  const missing = (what: string) =>
    new FetchError({ what: `${what} does not exist (404)`, hint: { kind: 'check-address' } })
  const sources: ChartSources = {
    isLockRequired,
    fetch: async (chart) => {
      const name = nameOf(chart)
      asked.push(name)
      const found = charts[name]
      if (found === undefined) throw missing(name)
      return found
    },
    dependencies: async ({ chartPath, root }) => {
      asked.push(`dependencies of ${chartPath}${root === undefined ? ' (fetched)' : ''}`)
      if (failure !== undefined) throw failure
      const found = dependencies[chartPath]
      if (found === undefined) throw missing(`a dependency of ${chartPath}`)
      return { dependencies: found, notices }
    },
    addressOf: async (repository) => repositories[repository],
    text: async (url) => {
      asked.push(url)
      const found = texts[url]
      if (found === undefined) throw missing(url)
      return found
    },
  }
  return { ...sources, asked }
}

function nameOf(chart: RemoteChart): string {
  switch (chart.kind) {
    case 'archive':
      return chart.url
    case 'registry': {
      const digest = chart.digest === undefined ? '' : ` ${chart.digest}`
      return `oci://${chart.host}/${chart.repository}${chart.version === undefined ? '' : ` ${chart.version}`}${digest}`
    }
    case 'repository':
      return `${chart.url} ${chart.name}${chart.version === undefined ? '' : ` ${chart.version}`}`
  }
}

/** What is taken for a chart of this name. */
export function fetched(
  name: string,
  version: string,
  source = `https://charts.example/${name}-${version}.tgz`,
): FetchedChart {
  return { name, version, source, digest: `sha256:${'a'.repeat(64)}`, path: `/cache/${name}-${version}.tgz` }
}
