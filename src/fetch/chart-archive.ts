import { FAILSAFE_SCHEMA, load } from 'js-yaml'
import { readPackedBytes } from '../archives/packed-file.ts'
import { type FetchError, messageOf } from '../model/errors.ts'
import { fetchFailure } from './fetch-failure.ts'

/** What `Chart.yaml` of an archive says of it. Both can stand in a file name. */
export interface PackedIdentity {
  readonly name: string
  readonly version: string
}

/** Most that names and versions may hold, as in Helm. */
const MAX_NAME_CHARS = 250
const NAME = /^[A-Za-z0-9._-]+$/
const VERSION = /^[0-9A-Za-z.+-]+$/

/** Reads the archive to its end. Throws FetchError where it is no whole chart. */
export async function packedIdentity(bytes: Uint8Array, source: string): Promise<PackedIdentity> {
  let text: string | undefined
  try {
    text = await readPackedBytes(bytes, 'Chart.yaml')
  } catch (error) {
    throw noChart(`${source} is no whole chart: ${firstLine(error)}`, error)
  }
  if (text === undefined) throw noChart(`${source} is no chart: it holds no Chart.yaml`)
  const identity = identityIn(text, source)
  if (identity === undefined) throw noChart(`${source} has a Chart.yaml without a proper name and version`)
  return identity
}

/** Undefined where name or version are missing, or nothing that a file name may hold. */
export function identityIn(chartYaml: string, source: string): PackedIdentity | undefined {
  let parsed: unknown
  try {
    // Every value is read as text, so that a version such as 1.0 stays as it is written.
    parsed = load(chartYaml, { schema: FAILSAFE_SCHEMA, maxAliases: 100 })
  } catch (error) {
    throw noChart(`${source} has a Chart.yaml that cannot be read: ${firstLine(error)}`, error)
  }
  const { name, version } = Object(parsed) as { readonly name?: unknown; readonly version?: unknown }
  const isProper = (value: unknown, form: RegExp): value is string =>
    typeof value === 'string' && value.length <= MAX_NAME_CHARS && form.test(value) && !/^\.+$/.test(value)
  return isProper(name, NAME) && isProper(version, VERSION) ? { name, version } : undefined
}

function noChart(what: string, cause?: unknown): FetchError {
  return fetchFailure(what, { kind: 'give-chart-address' }, cause)
}

function firstLine(error: unknown): string {
  return messageOf(error).split('\n', 1)[0] ?? ''
}
