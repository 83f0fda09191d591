import { mapLimited } from '../concurrency/map-limited.ts'
import type { FetchedDependency } from '../model/chart-source.ts'
import { FetchError, messageOf } from '../model/errors.ts'
import { stringifyJson } from '../model/json.ts'
import type { ChartRequirements, ChartRules, ChartSources, FetchSettings } from '../ports.ts'
import { fetchFailure } from './fetch-failure.ts'
import { requireLocks } from './lock-rules.ts'
import { type MissingDependency, missingIn, titleOf } from './missing-dependencies.ts'
import { oneError } from './one-error.ts'
import { type DependencyParts, type Provided, provide } from './provide-dependency.ts'

type Request = Parameters<ChartSources['dependencies']>[0]
type Completed = Awaited<ReturnType<ChartSources['dependencies']>>

/** Fetched at the same time. */
const PARALLEL = 6
/** Most in all: a chart may ask for any number. */
const MAX_DEPENDENCIES = 500

/**
 * What a chart and its dependencies lack. The rules are asked again with what was added, until nothing is missing: what was
 * fetched may switch others on, and charts of the workspace have dependencies of their own.
 */
export async function missingDependencies(
  request: Request,
  policy: FetchSettings['dependencies'],
  parts: DependencyParts,
): Promise<Completed> {
  if (policy === 'never') return { dependencies: [], notices: [] }
  const asked = new Set<string>()
  const notices = new Set<string>()
  let dependencies: readonly FetchedDependency[] = []
  for (;;) {
    const charts = await requirementsOf(request, dependencies, parts.rules)
    const { missing, outside } = await missingIn(charts, parts.rules)
    for (const notice of outside) notices.add(notice)
    if (policy === 'locked') await requireLocks({ charts, missing, isRemote: request.root === undefined }, parts.rules)
    const fresh = missing.filter(({ key }) => !asked.has(key))
    if (fresh.length === 0) return { dependencies, notices: [...notices] }
    for (const { key } of fresh) asked.add(key)
    if (asked.size > MAX_DEPENDENCIES) {
      throw fetchFailure(`the chart needs more than ${MAX_DEPENDENCIES} others`, { kind: 'untangle-dependencies' })
    }
    const found = await allOrErrors(fresh, (one) => provide(one, { root: request.root, charts, parts }))
    for (const { notice } of found) if (notice !== undefined) notices.add(notice)
    dependencies = withoutRepeated([...dependencies, ...found.map(({ dependency }) => dependency)])
  }
}

async function requirementsOf(
  { chartPath, values }: Request,
  dependencies: readonly FetchedDependency[],
  rules: ChartRules,
): Promise<readonly ChartRequirements[]> {
  try {
    return await rules.requirements({ chartPath, values, dependencies })
  } catch (error) {
    throw fetchFailure(`the dependencies cannot be read: ${messageOf(error)}`, { kind: 'write-chart-directory' }, error)
  }
}

/** All results, or one error that holds all of them. */
async function allOrErrors(
  items: readonly MissingDependency[],
  provideOne: (missing: MissingDependency) => Promise<Provided>,
): Promise<readonly Provided[]> {
  const errors: FetchError[] = []
  const results = await mapLimited(items, PARALLEL, async (item) => {
    try {
      return [await provideOne(item)]
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      const what = `${titleOf(item)}: ${error.details.what}`
      errors.push(new FetchError({ ...error.details, what }, { cause: error }))
      return []
    }
  })
  const failed = oneError(errors.sort((a, b) => (a.message < b.message ? -1 : 1)))
  if (failed !== undefined) throw failed
  return results.flat()
}

/** Two aliases of one version are one chart. Sorted as the files of `charts/`, in whose order Helm looks for one that fits. */
function withoutRepeated(dependencies: readonly FetchedDependency[]): readonly FetchedDependency[] {
  const keyOf = ({ parent, name, version }: FetchedDependency) => stringifyJson([parent, `${name}-${version}.tgz`])
  const byKey = new Map(dependencies.map((dependency) => [keyOf(dependency), dependency]))
  return [...byKey]
    .sort(([a, { parent }], [b, other]) => parent.length - other.parent.length || (a < b ? -1 : 1))
    .map(([, dependency]) => dependency)
}
