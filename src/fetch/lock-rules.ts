import { FetchError } from '../model/errors.ts'
import type { ChartRequirement, ChartRequirements, ChartRules } from '../ports.ts'
import { isInRange, type MissingDependency } from './missing-dependencies.ts'
import { oneError } from './one-error.ts'
import { isSameVersion, shown } from './wanted-version.ts'

type LockEntry = NonNullable<ChartRequirements['lock']>['entries'][number]

/** What `Chart.lock` names for a requirement; undefined where there is none, or it is of other requirements. */
export async function lockedEntry(
  { requirement, chart }: Pick<MissingDependency, 'requirement' | 'chart'>,
  rules: ChartRules,
): Promise<LockEntry | undefined> {
  if (!chart.lock?.fits) return undefined
  const { entries } = chart.lock
  // Helm writes them in the order of the requirements.
  const atSamePlace = entries[chart.required.indexOf(requirement)]
  if (entries.length === chart.required.length && atSamePlace?.name === requirement.name) return atSamePlace
  for (const entry of entries) {
    if (entry.name === requirement.name && (await isInRange(entry.version, requirement.version, rules))) return entry
  }
  return undefined
}

interface Locks {
  readonly charts: readonly ChartRequirements[]
  readonly missing: readonly MissingDependency[]
  /** Whether the root was fetched: what it holds is as its owner made it. */
  readonly isRemote: boolean
}

/**
 * For `locked`: what is fetched must stand in a `Chart.lock` that is of these requirements. In the workspace a lock that is
 * there must be right as well, and `charts/` must hold what it names; where `charts/` holds all, none is needed.
 */
export async function requireLocks({ charts, missing, isRemote }: Locks, rules: ChartRules): Promise<void> {
  const errors: FetchError[] = []
  const report = (chart: ChartRequirements, what: string) =>
    errors.push(
      new FetchError({
        what: `chart ${shown(chart.name)}: ${what}, and dependencies is locked`,
        hint: { kind: 'update-lock' },
      }),
    )
  for (const chart of charts) {
    const fetches = missing.some((one) => one.chart === chart && isFetched(one.requirement))
    if (chart.lock === undefined) {
      if (fetches) report(chart, 'there is no Chart.lock')
    } else if (!chart.lock.fits) {
      if (fetches || !isRemote) report(chart, 'Chart.lock is not of the dependencies in Chart.yaml')
    } else if (!isRemote) {
      for (const requirement of chart.required) {
        const present = requirement.isEnabled ? requirement.presentVersion : undefined
        const locked = present === undefined ? undefined : await lockedEntry({ requirement, chart }, rules)
        if (present === undefined || locked === undefined || isSameVersion(present, locked.version)) continue
        report(
          chart,
          `dependency ${shown(requirement.name)} is ${shown(present)}, Chart.lock names ${shown(locked.version)}`,
        )
      }
    }
  }
  const error = oneError(errors)
  if (error !== undefined) throw error
}

/** What lies in the workspace is locked by its commit. */
function isFetched({ repository }: ChartRequirement): boolean {
  return repository !== '' && !repository.startsWith('file://')
}
