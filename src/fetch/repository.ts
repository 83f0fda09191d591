import type { FetchedChart } from '../model/chart-source.ts'
import { defined } from '../model/defined.ts'
import { fetchArchive } from './archive-address.ts'
import { type ChartIndex, type IndexEntry, readIndex } from './chart-index.ts'
import { getUnlessSame } from './conditional-get.ts'
import { fetchFailure } from './fetch-failure.ts'
import type { FetchParts } from './fetch-parts.ts'
import type { Login } from './http.ts'
import { nearestNames } from './nearest.ts'
import type { RegistryCharts } from './registry-chart.ts'
import { chooseVersion, shown } from './wanted-version.ts'
import { readAddress, resolveInRepository, type WebAddress } from './web-address.ts'

const MAX_INDEX_BYTES = 64 * 1024 * 1024

/** A chart of a repository, and by which of Helm's ways its version is chosen. */
export interface RepositoryChart {
  readonly url: string
  readonly name: string
  readonly version?: string
  readonly from: 'index' | 'requirement' | 'lock'
}

export interface Repositories {
  fetch(chart: RepositoryChart): Promise<FetchedChart>
}

interface OpenRepository {
  readonly address: WebAddress
  readonly login: Login | undefined
  readonly index: ChartIndex
}

/** Chart repositories. An index is read once in a run. */
export function createRepositories(parts: FetchParts, registry: RegistryCharts): Repositories {
  const opened = new Map<string, Promise<OpenRepository>>()

  async function fetch({ url, name, version = '', from }: RepositoryChart): Promise<FetchedChart> {
    const pending = opened.get(url) ?? open(url, parts)
    opened.set(url, pending)
    const repository = await pending
    const entry = await chosenEntry({ repository, name, version, from }, parts)
    const digest = digestOf(entry, { repository, name })
    const asked = { name, version: entry.version }
    // Helm, too, takes the first address only.
    const address = resolveInRepository(repository.address.url, entry.urls[0] ?? '')
    if (address.startsWith('oci://')) return registry.fetchListed({ url: address, asked, ...defined({ digest }) })
    const archive = readAddress(address)
    // An index may point anywhere; the login was given to this server, and goes to no other.
    const isSameServer = archive.url.origin === repository.address.url.origin
    const login = isSameServer ? repository.login : undefined
    return fetchArchive({ address: archive, login, asked, ...defined({ digest }) }, parts)
  }

  return { fetch }
}

async function open(url: string, parts: FetchParts): Promise<OpenRepository> {
  const address = readAddress(url)
  const login = address.login ?? (await parts.credentials.ofAddress(address.url))
  const index = resolveInRepository(address.url, 'index.yaml')
  const { bytes, remember } = await getUnlessSame(
    { url: index, accept: 'application/yaml, text/yaml, */*;q=0.5', maxBytes: MAX_INDEX_BYTES, login },
    parts,
  )
  const read = readIndex(new TextDecoder().decode(bytes), readAddress(index).shown)
  await remember?.()
  return { address, login, index: read }
}

interface Chosen {
  readonly repository: OpenRepository
  readonly name: string
  readonly version: string
  readonly from: RepositoryChart['from']
}

async function chosenEntry({ repository, name, version, from }: Chosen, { rules }: FetchParts): Promise<IndexEntry> {
  const { index, address } = repository
  const entries = index.entries(name)
  if (entries === undefined) {
    throw fetchFailure(`${address.shown} has no chart ${shown(name)}`, {
      kind: 'choose-chart-name',
      names: nearestNames(index.names, name),
    })
  }
  const versions = entries.map((entry) => entry.version)
  const what = `chart ${shown(name)} of ${address.shown}`
  const entry = entries[await chooseVersion({ rules, versions, wanted: version, from, what })]
  if (entry === undefined) throw new Error(`the rules chose a version of ${what} that it has not`)
  return entry
}

/** As Helm 4 takes it: with or without `sha256:`. */
function digestOf(entry: IndexEntry, { repository, name }: Pick<Chosen, 'repository' | 'name'>): string | undefined {
  if (entry.digest === undefined) return undefined
  const [, hex] = /^(?:sha256:)?([0-9a-f]{64})$/i.exec(entry.digest) ?? []
  if (hex !== undefined) return `sha256:${hex.toLowerCase()}`
  throw fetchFailure(
    `the index of ${repository.address.shown} names a digest of ${name} ${shown(entry.version)} that is none`,
    { kind: 'ask-chart-owner' },
  )
}
