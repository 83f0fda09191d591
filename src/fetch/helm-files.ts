import { FAILSAFE_SCHEMA, loadAll } from 'js-yaml'
import { machineFileError } from './machine-file.ts'

/** One entry of Helm's repositories file, as `helm repo add` writes it. Absent texts are empty. */
export interface HelmRepository {
  readonly name: string
  readonly url: string
  readonly username: string
  readonly password: string
  readonly certFile: string
  readonly keyFile: string
  readonly caFile: string
  readonly skipsVerification: boolean
  readonly passesCredentials: boolean
}

/** Throws FetchError. Every scalar is read as text: a password may look like a number. */
export function readHelmRepositories(text: string, file: string): readonly HelmRepository[] {
  let document: unknown
  try {
    document = loadAll(text, { schema: FAILSAFE_SCHEMA })[0]
  } catch {
    // The message of the parser would quote the text.
    throw machineFileError(file, 'is not valid YAML')
  }
  if (document === undefined || document === null) return []
  const repositories = isMap(document) ? (document.repositories ?? []) : undefined
  if (repositories === '') return []
  if (!Array.isArray(repositories)) throw machineFileError(file, 'has no list of repositories')
  return repositories.flatMap((entry: unknown) => (isMap(entry) ? [repositoryOf(entry)] : []))
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function repositoryOf(entry: Readonly<Record<string, unknown>>): HelmRepository {
  const text = (key: string): string => {
    const value = entry[key]
    return typeof value === 'string' ? value : ''
  }
  const isSet = (key: string): boolean => /^true$/i.test(text(key))
  return {
    name: text('name'),
    url: text('url'),
    username: text('username'),
    password: text('password'),
    certFile: text('certFile'),
    keyFile: text('keyFile'),
    caFile: text('caFile'),
    skipsVerification: isSet('insecure_skip_tls_verify'),
    passesCredentials: isSet('pass_credentials_all'),
  }
}

/** The entry whose address is the longest beginning of this one: the same scheme, host and port, and whole steps of its path. */
export function entryFor(url: URL, repositories: readonly HelmRepository[]): HelmRepository | undefined {
  return entriesOfHost(url, repositories)
    .filter(({ folder }) => url.pathname === folder || url.pathname.startsWith(`${folder}/`))
    .toSorted((a, b) => b.folder.length - a.folder.length)[0]?.entry
}

/** Entries of the same scheme, host and port, with the path of their address without a slash at its end. */
export function entriesOfHost(
  url: URL,
  repositories: readonly HelmRepository[],
): readonly { readonly entry: HelmRepository; readonly folder: string }[] {
  return repositories.flatMap((entry) => {
    const base = URL.parse(entry.url)
    if (base === null || base.origin !== url.origin) return []
    return [{ entry, folder: base.pathname.replace(/\/$/, '') }]
  })
}
