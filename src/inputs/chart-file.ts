import { FAILSAFE_SCHEMA, load } from 'js-yaml'
import { messageOf } from '../model/errors.ts'
import type { Files } from '../ports.ts'

/** What `Chart.yaml` says of a chart. */
export interface ChartIdentity {
  readonly name: string
  readonly version: string
}

/** Why a path is no chart. */
export interface NoChart {
  readonly fault: string
  readonly hint: string
}

/** Whether there is a chart at a path, without a look into it. */
export async function chartFault(path: string, files: Files): Promise<NoChart | undefined> {
  const found = await files.exists(path)
  if (found === 'none') return { fault: 'does not exist', hint: 'write the path of a chart, and check it out first' }
  if (found === 'directory' && (await files.exists(`${path}/Chart.yaml`)) !== 'file') {
    return { fault: 'holds no Chart.yaml', hint: 'write the path of the directory of the chart' }
  }
  return undefined
}

/** Name and version of a chart, a directory or a `.tgz`. */
export async function readChart(path: string, files: Files): Promise<ChartIdentity | NoChart> {
  const missing = await chartFault(path, files)
  if (missing !== undefined) return missing
  const hint = 'package the chart again with `helm package`'
  try {
    const isDirectory = (await files.exists(path)) === 'directory'
    const text = await (isDirectory ? files.read(`${path}/Chart.yaml`) : files.readPacked(path, 'Chart.yaml'))
    if (text === undefined) return { fault: 'holds no Chart.yaml', hint }
    // Every value as text: a version such as 1.0 shall stay as it is written.
    const parsed: unknown = load(text, { schema: FAILSAFE_SCHEMA })
    const { name, version } = Object(parsed) as { readonly name?: unknown; readonly version?: unknown }
    if (typeof name === 'string' && name !== '' && typeof version === 'string') return { name, version }
    return { fault: 'has a Chart.yaml without name or version', hint: 'write name and version of the chart' }
  } catch (error) {
    return { fault: `cannot be read: ${messageOf(error).split('\n', 1)[0]}`, hint }
  }
}
