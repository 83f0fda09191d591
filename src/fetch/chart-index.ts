import { FAILSAFE_SCHEMA, load } from 'js-yaml'
import { type FetchError, messageOf } from '../model/errors.ts'
import { parseJson } from '../model/json.ts'
import { arrayAt, at, isJsonObject, type JsonValue, stringAt, stringsAt } from '../model/object.ts'
import { fetchFailure } from './fetch-failure.ts'

/** What a repository says of one version of a chart. */
export interface IndexEntry {
  readonly version: string
  readonly urls: readonly string[]
  /** Of the archive, as it is written. */
  readonly digest?: string
}

export interface ChartIndex {
  readonly names: readonly string[]
  /** Of this chart, in the order of the file; undefined where it has none of the name. */
  entries(name: string): readonly IndexEntry[] | undefined
}

/**
 * Most lines and commas of an index: a value needs one, so they bound the memory that it takes. The largest repositories
 * have a fifth.
 */
const MAX_VALUES = 3_000_000
/** Writers of indexes use none; those of a file that was edited by hand are followed, never copied. */
const MAX_ALIASES = 1000
const MAX_NESTING = 100

/**
 * Reads `index.yaml`, as YAML or JSON. Every value is text, so that a version such as 1.10 stays as it is written; nothing
 * but the entries that are asked for is looked at. Throws FetchError.
 */
export function readIndex(text: string, source: string): ChartIndex {
  const index = parsedIndex(text, source)
  const entries = at(index, 'entries')
  if (!isJsonObject(index) || stringAt(index, 'apiVersion') === undefined || !isJsonObject(entries ?? {})) {
    throw noIndex(source, 'it lacks apiVersion or entries')
  }
  const byName = isJsonObject(entries) ? entries : {}
  return {
    names: Object.keys(byName),
    entries: (name) => (Object.hasOwn(byName, name) ? arrayAt(byName, name).flatMap(entryOf) : undefined),
  }
}

function parsedIndex(text: string, source: string): JsonValue {
  if (/^\s{0,100}</.test(text)) throw noIndex(source, 'it is a web page')
  if (valueCount(text) > MAX_VALUES) throw noIndex(source, `it holds more than ${MAX_VALUES} values`)
  try {
    if (/^\s{0,100}\{/.test(text)) return parseJson(text, MAX_NESTING)
  } catch {
    // YAML that begins in the same way.
  }
  try {
    const options = { schema: FAILSAFE_SCHEMA, maxAliases: MAX_ALIASES, maxDepth: MAX_NESTING }
    return (load(text, options) ?? null) as JsonValue
  } catch (error) {
    throw noIndex(source, messageOf(error).split('\n', 1)[0] ?? '', error)
  }
}

function valueCount(text: string): number {
  let count = 0
  for (const separator of ['\n', ',']) {
    for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, at + 1)) count += 1
  }
  return count
}

/** What lacks a version or an address is passed over, as Helm does. */
function entryOf(entry: JsonValue): readonly IndexEntry[] {
  const version = stringAt(entry, 'version')
  const urls = stringsAt(entry, 'urls').filter((url) => url !== '')
  if (version === undefined || urls.length === 0) return []
  const digest = stringAt(entry, 'digest')
  return [{ version, urls, ...(digest === undefined || digest === '' ? {} : { digest }) }]
}

function noIndex(source: string, why: string, cause?: unknown): FetchError {
  return fetchFailure(`${source} is no index of a chart repository: ${why}`, { kind: 'give-repository-address' }, cause)
}
