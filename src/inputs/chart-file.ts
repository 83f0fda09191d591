import { FAILSAFE_SCHEMA, load } from 'js-yaml'
import { messageOf } from '../model/errors.ts'
import type { Hint } from '../model/hint.ts'
import type { Files } from '../ports.ts'

/** What `Chart.yaml` says of a chart. */
export interface ChartIdentity {
  readonly name: string
  readonly version: string
}

/** Why a path is not a chart. */
export interface NoChart {
  readonly fault: string
  readonly hint: Hint
}

/** Why there is no chart at a path, judged without reading it; undefined where there seems to be one. */
export async function chartFault(path: string, files: Files): Promise<NoChart | undefined> {
  const found = await files.exists(path)
  if (found === 'none') return { fault: 'does not exist', hint: { kind: 'check-out-chart' } }
  if (found === 'directory' && (await files.exists(`${path}/Chart.yaml`)) !== 'file') {
    return { fault: 'holds no Chart.yaml', hint: { kind: 'write-chart-directory' } }
  }
  return undefined
}

/** Name and version of a chart, a directory or a `.tgz`. */
export async function readChart(path: string, files: Files): Promise<ChartIdentity | NoChart> {
  const missing = await chartFault(path, files)
  if (missing !== undefined) return missing
  const hint: Hint = { kind: 'package-chart' }
  try {
    const text = await readChartFile(path, 'Chart.yaml', files)
    if (text === undefined) return { fault: 'holds no Chart.yaml', hint }
    const { name, version } = fieldsOf(text)
    if (typeof name === 'string' && name !== '' && typeof version === 'string') return { name, version }
    return { fault: 'has a Chart.yaml without name or version', hint: { kind: 'write-chart-identity' } }
  } catch (error) {
    return { fault: `cannot be read: ${messageOf(error).split('\n', 1)[0]}`, hint }
  }
}

/**
 * Whether `charts/` may lack what a chart depends on, by names alone: to ask the engine is to wait until it has started. What
 * cannot be read is left to the engine to refuse.
 */
export async function mayLackDependencies(path: string, files: Files): Promise<boolean> {
  try {
    const text = await readChartFile(path, 'Chart.yaml', files)
    const { apiVersion, dependencies } = text === undefined ? {} : fieldsOf(text)
    // Charts of Helm 2 name them in a file of their own.
    if (apiVersion !== 'v2' && (await readChartFile(path, 'requirements.yaml', files)) !== undefined) return true
    if (!Array.isArray(dependencies) || dependencies.length === 0) return false
    const names = dependencies.map((dependency: unknown) => Object(dependency).name as unknown)
    const isPlain = names.every((name) => typeof name === 'string' && CHART_NAME.test(name))
    // Of two versions of one chart, one may be missing.
    if (!isPlain || new Set(names).size < names.length) return true
    return !(await holdsAll(`${path}/charts`, names as readonly string[], files))
  } catch {
    return false
  }
}

const CHART_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/** A folder of this name, or an archive as `helm package` calls it. */
async function holdsAll(folder: string, names: readonly string[], files: Files): Promise<boolean> {
  if ((await files.exists(folder)) !== 'directory') return false
  const archives = (await files.list(`${folder}/*.tgz`)).map((file) => file.slice(file.lastIndexOf('/') + 1))
  const found = await Promise.all(
    names.map(async (name) => {
      if ((await files.exists(`${folder}/${name}/Chart.yaml`)) === 'file') return true
      return archives.some((file) => file.startsWith(`${name}-`) && /^v?\d/.test(file.slice(name.length + 1)))
    }),
  )
  return found.every(Boolean)
}

async function readChartFile(path: string, name: string, files: Files): Promise<string | undefined> {
  if ((await files.exists(path)) !== 'directory') return files.readPacked(path, name)
  const file = `${path}/${name}`
  return (await files.exists(file)) === 'file' ? files.read(file) : undefined
}

interface ChartFields {
  readonly apiVersion?: unknown
  readonly name?: unknown
  readonly version?: unknown
  readonly dependencies?: unknown
}

/** Every value is read as text, so that a version such as 1.0 stays as it is written. */
function fieldsOf(text: string): ChartFields {
  const parsed: unknown = load(text, { schema: FAILSAFE_SCHEMA })
  return Object(parsed) as ChartFields
}
