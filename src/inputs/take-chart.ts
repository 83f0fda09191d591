import type { FetchedChart, RemoteChart } from '../model/chart-source.ts'
import { defined } from '../model/defined.ts'
import { FetchError } from '../model/errors.ts'
import type { Hint } from '../model/hint.ts'
import type { FailureReason } from '../model/outcome.ts'
import type { ReleaseSource, ValuesInput } from '../model/release.ts'
import type { ChartSources, Decrypter, Files } from '../ports.ts'
import { chartFault, mayLackDependencies } from './chart-file.ts'
import { type ChartReference, namedInRepository, OF_PATH } from './chart-reference.ts'
import { shorten } from './input-problem.ts'
import { locatedValues } from './located-release.ts'
import type { StartedPath } from './working-directory.ts'

export interface ChartPorts {
  readonly files: Files
  readonly sources: ChartSources
  readonly started: StartedPath
  /** Of values files. Absent: nothing is decrypted. */
  readonly decrypter?: Decrypter
}

/** A chart that is there, or what is wrong with it. `notices` are for people: nothing is wrong. */
export type TakenChart =
  | { readonly source: ReleaseSource; readonly notices: readonly string[] }
  | { readonly faults: readonly ChartFault[] }

export interface ChartFault {
  readonly field: 'chart' | 'chart-version'
  readonly reason: FailureReason
  readonly fault: string
  readonly hint: Hint
}

/** Gets the chart, and what its `charts/` lacks. A path counts first, then a name in a repository of `helm repo add`. */
export async function takeChart(
  reference: ChartReference,
  values: ValuesInput,
  ports: ChartPorts,
): Promise<TakenChart> {
  const { sources, files } = ports
  try {
    if (reference.kind !== 'path') return await withDependencies(await sources.fetch(reference), values, ports)
    const { version } = reference
    const path = ports.started(reference.path)
    const missing = await chartFault(path, files)
    if (missing === undefined && version !== undefined) {
      const hint: Hint = { kind: 'leave-out' }
      return { faults: [{ field: 'chart-version', reason: 'invalid-input', fault: OF_PATH, hint }] }
    }
    if (missing === undefined) return await withDependencies({ path }, values, ports)
    const named = await inKnownRepository(reference.path, version, sources)
    if (named !== undefined) return await withDependencies(await sources.fetch(named), values, ports)
    const fault = `"${shorten(path)}" ${missing.fault}`
    return { faults: [{ field: 'chart', reason: 'invalid-input', fault, hint: missing.hint }] }
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    const all = [error, ...(error.details.others ?? [])]
    return {
      faults: all.map(({ details: { what, hint } }) => ({ field: 'chart', reason: 'fetch-failed', fault: what, hint })),
    }
  }
}

async function inKnownRepository(
  chart: string,
  version: string | undefined,
  sources: ChartSources,
): Promise<RemoteChart | undefined> {
  const named = namedInRepository(chart)
  const url = named && (await sources.addressOf(named.repository))
  if (named === undefined || url === undefined) return undefined
  return { kind: 'repository', url, name: named.name, ...defined({ version }) }
}

async function withDependencies(
  chart: FetchedChart | { readonly path: string },
  values: ValuesInput,
  { files, sources }: ChartPorts,
): Promise<TakenChart> {
  const { path } = chart
  const isRemote = 'digest' in chart
  const source: ReleaseSource = { kind: 'chart', path, values, ...(isRemote && { origin: originOf(chart) }) }
  const isAsked = isRemote || sources.isLockRequired || (await mayLackDependencies(path, files))
  if (!isAsked) return { source, notices: [] }
  const chartPath = isRemote ? path : files.locate(path)
  const within = isRemote ? {} : { root: files.locate('.') }
  const located = locatedValues(values, files)
  const { dependencies, notices } = await sources.dependencies({ chartPath, values: located, ...within })
  return { source: dependencies.length === 0 ? source : { ...source, dependencies }, notices }
}

function originOf({ path: _path, ...origin }: FetchedChart) {
  return origin
}
