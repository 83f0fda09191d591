import { parseJson } from '../model/json.ts'
import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '../model/object.ts'
import { machineFileError } from './machine-file.ts'
import { registryName } from './registry-access.ts'
import type { RegistryLogin } from './registry-login.ts'

/** A `config.json` of Docker, or the file of `helm registry login`, which has the same form. */
export interface DockerConfig {
  readonly file: string
  /** By `registryName`. */
  readonly auths: ReadonlyMap<string, JsonValue>
  /** Suffix of the credential helper for a host, by `registryName`. */
  readonly helpers: ReadonlyMap<string, string>
  /** Suffix of the helper for all other hosts. */
  readonly store: string | undefined
}

/** Throws FetchError. Source: docs/sources.md#files-with-logins. */
export function readDockerConfig(text: string, file: string): DockerConfig {
  let value: JsonValue
  try {
    value = parseJson(text.replace(/^\uFEFF/, ''))
  } catch {
    // The message of the parser would quote the text.
    throw machineFileError(file, 'is not valid JSON')
  }
  if (!isJsonObject(value)) throw machineFileError(file, 'is not a JSON object')
  const helpers = membersOf(value, 'credHelpers', file).map(([key, name]) => [key, textOf(name)] as const)
  return {
    file,
    auths: byHost(membersOf(value, 'auths', file)),
    helpers: byHost(helpers.filter(([, name]) => name !== '')),
    store: stringAt(value, 'credsStore') || undefined,
  }
}

function membersOf(config: JsonObject, key: string, file: string): readonly (readonly [string, JsonValue])[] {
  const members = config[key]
  if (members === undefined || members === null) return []
  if (!isJsonObject(members)) throw machineFileError(file, `has ${key} that are not an object`)
  return Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : ''
}

/** A key that is the very host wins over one that has a scheme or a path, as older logins are kept; then the shorter one. */
function byHost<T>(members: readonly (readonly [string, T])[]): ReadonlyMap<string, T> {
  const lengthOf = (key: string): number => (key === hostIn(key) ? 0 : key.length)
  const bestLast = members.toSorted(([a], [b]) => lengthOf(b) - lengthOf(a))
  return new Map(bestLast.map(([key, value]) => [registryName(hostIn(key)), value]))
}

/** `index.docker.io` of `https://index.docker.io/v1/`. */
function hostIn(key: string): string {
  return (key.replace(/^https?:\/\//, '').split('/', 1)[0] ?? '').toLowerCase()
}

/** The login that is kept in the file itself. Throws FetchError where it cannot be read. */
export function loginIn(
  { auths, file }: DockerConfig,
  host: string,
  onSecret: (value: string) => void,
): RegistryLogin | undefined {
  const entry = auths.get(host) ?? null
  const text = (key: string): string => stringAt(entry, key) ?? ''
  const secret = (value: string): string => {
    if (value !== '') onSecret(value)
    return value
  }
  const identity = secret(text('identitytoken'))
  if (identity !== '') return { kind: 'identity', token: identity }
  const bearer = secret(text('registrytoken'))
  if (bearer !== '') return { kind: 'bearer', token: bearer }

  const packed = secret(text('auth'))
  if (packed === '') {
    const [username, password] = [text('username'), secret(text('password'))]
    return username === '' && password === '' ? undefined : { kind: 'basic', username, password }
  }
  const pair = Buffer.from(packed, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  if (colon < 1) throw machineFileError(file, `has an auth of ${host} that is not the base64 of name and password`)
  const password = secret(withoutPadding(pair.slice(colon + 1)))
  return { kind: 'basic', username: pair.slice(0, colon), password }
}

/** Old versions of Docker filled up with zeros. */
function withoutPadding(text: string): string {
  const zero = text.indexOf('\0')
  return zero === -1 ? text : text.slice(0, zero)
}
