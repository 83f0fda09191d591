import { resolve } from 'node:path'
import type { FetchedChart, FetchedDependency } from '../model/chart-source.ts'
import type { ChartRequirements, ChartRules } from '../ports.ts'
import type { Credentials } from './chart-credentials.ts'
import { fetchFailure } from './fetch-failure.ts'
import { localChart } from './local-dependency.ts'
import { lockedEntry } from './lock-rules.ts'
import { type MissingDependency, titleOf } from './missing-dependencies.ts'
import { readRegistryAddress } from './registry-address.ts'
import type { RegistryChart } from './registry-chart.ts'
import type { RepositoryChart } from './repository.ts'
import { chooseVersion, shown } from './wanted-version.ts'

/** What dependencies are fetched with. */
export interface DependencyParts {
  readonly rules: ChartRules
  readonly credentials: Pick<Credentials, 'addressOf'>
  readonly fromRegistry: (chart: RegistryChart) => Promise<FetchedChart>
  readonly fromRepository: (chart: RepositoryChart) => Promise<FetchedChart>
}

/** Most charts above one another. */
const MAX_DEPTH = 10

export interface Provided {
  readonly dependency: FetchedDependency
  readonly notice?: string
}

interface World {
  /** Top folder of the workspace; absent for a fetched chart. */
  readonly root: string | undefined
  /** All that were asked what they need. */
  readonly charts: readonly ChartRequirements[]
  readonly parts: DependencyParts
}

/** Fetches what is missing, by `Chart.lock` where that is of these requirements. Throws FetchError. */
export async function provide(missing: MissingDependency, world: World): Promise<Provided> {
  const { requirement, chart } = missing
  const parent = chart.parent === undefined ? [] : [...chart.parent, chart.name]
  const { repository } = requirement
  if (repository === '') {
    throw fetchFailure('it has no repository, so Helm assumes it in charts/, where it is not', {
      kind: 'write-dependency-repository',
    })
  }
  if (requirement.version === '') throw fetchFailure('it has no version', { kind: 'write-chart-version' })
  if (repository.startsWith('file://')) {
    return { dependency: { ...(await provideLocal(missing, world)), parent, isLocked: true } }
  }
  const locked = await lockedEntry(missing, world.parts.rules)
  const address = locked?.repository || (await addressOf(repository, world.parts.credentials))
  const version = locked?.version ?? requirement.version
  const fetched = await fetchFrom(
    address,
    { name: requirement.name, version, isLocked: locked !== undefined },
    world.parts,
  )
  const isLocked = locked !== undefined || requirement.version === fetched.version
  const why = chart.lock === undefined ? 'no Chart.lock' : 'Chart.lock is outdated'
  return {
    dependency: { ...fetched, parent, isLocked },
    ...(isLocked ? {} : { notice: `${titleOf(missing)}: took ${fetched.version} (${why})` }),
  }
}

async function provideLocal({ requirement, chart }: MissingDependency, { root, charts, parts }: World) {
  const { repository, name, version } = requirement
  if (root === undefined) {
    throw fetchFailure(`${shown(repository)} lies where the chart was made, and that chart was fetched`, {
      kind: 'ask-chart-owner',
    })
  }
  const from = resolve(root, chart.path)
  const found = await localChart({ repository, from, root })
  const above = charts.filter((other) => other === chart || isAbove(other, chart))
  if (above.some(({ path }) => resolve(root, path) === found.path)) {
    throw fetchFailure(
      `${shown(repository)} needs itself, by way of ${above.map((one) => shown(one.name)).join(', ')}`,
      { kind: 'untangle-dependencies' },
    )
  }
  if (above.length >= MAX_DEPTH) {
    throw fetchFailure(`it stands below ${MAX_DEPTH} other charts`, { kind: 'untangle-dependencies' })
  }
  if (found.name !== name) {
    throw fetchFailure(`${shown(repository)} holds chart ${found.name}`, { kind: 'correct-dependency-path' })
  }
  const what = shown(repository)
  await chooseVersion({ rules: parts.rules, versions: [found.version], wanted: version, from: 'requirement', what })
  return found
}

/** Whether a chart is the root or one of those that stand above another. */
function isAbove(other: ChartRequirements, chart: ChartRequirements): boolean {
  if (other.parent === undefined) return true
  const names = [...other.parent, other.name]
  return names.length <= (chart.parent?.length ?? 0) && names.every((name, index) => chart.parent?.[index] === name)
}

async function addressOf(repository: string, credentials: Pick<Credentials, 'addressOf'>): Promise<string> {
  const [, name] = /^(?:@|alias:)(.*)$/s.exec(repository) ?? []
  if (name === undefined) return repository
  const address = await credentials.addressOf(name)
  if (address !== undefined) return address
  throw fetchFailure(`there is no repository "${shown(name)}" on this machine`, { kind: 'add-helm-repository' })
}

async function fetchFrom(
  address: string,
  { name, version, isLocked }: { readonly name: string; readonly version: string; readonly isLocked: boolean },
  { fromRegistry, fromRepository }: DependencyParts,
): Promise<FetchedChart> {
  if (address.startsWith('oci://')) {
    const { host, repository } = readRegistryAddress(`${address.replace(/\/$/, '')}/${name}`)
    return fromRegistry({ host, repository, name, version })
  }
  if (/^https?:\/\//i.test(address)) {
    return fromRepository({ url: address, name, version, from: isLocked ? 'lock' : 'requirement' })
  }
  throw fetchFailure(`its repository "${shown(address)}" is neither an address nor an alias such as @name`, {
    kind: 'write-dependency-repository',
  })
}
