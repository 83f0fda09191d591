import { FAILSAFE_SCHEMA, load } from 'js-yaml'
import { messageOf } from '../model/errors.ts'
import type { Hint } from '../model/hint.ts'
import type { ReleaseSource, ValuesInput } from '../model/release.ts'
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

/** Where the text of an input says that a chart is. */
export function chartSource(chart: string, values: ValuesInput): ReleaseSource {
  return { kind: 'chart', path: chart, values }
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
    const isDirectory = (await files.exists(path)) === 'directory'
    const text = await (isDirectory ? files.read(`${path}/Chart.yaml`) : files.readPacked(path, 'Chart.yaml'))
    if (text === undefined) return { fault: 'holds no Chart.yaml', hint }
    // Every value is read as text, so that a version such as 1.0 stays as it is written.
    const parsed: unknown = load(text, { schema: FAILSAFE_SCHEMA })
    const { name, version } = Object(parsed) as { readonly name?: unknown; readonly version?: unknown }
    if (typeof name === 'string' && name !== '' && typeof version === 'string') return { name, version }
    return { fault: 'has a Chart.yaml without name or version', hint: { kind: 'write-chart-identity' } }
  } catch (error) {
    return { fault: `cannot be read: ${messageOf(error).split('\n', 1)[0]}`, hint }
  }
}
