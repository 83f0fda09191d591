import { FetchError, messageOf } from '../model/errors.ts'
import type { ChartSources, Decrypter, Files } from '../ports.ts'
import { shorten } from './input-problem.ts'
import { decryptedFile } from './sops-values.ts'
import type { ValuesFile, ValuesFileFault } from './values-file.ts'
import type { StartedPath } from './working-directory.ts'

export interface ValuesPorts {
  readonly files: Files
  readonly sources: Pick<ChartSources, 'text'>
  /** Absent: nothing is decrypted. */
  readonly decrypter?: Decrypter
}

const IS_ADDRESS = /^[a-z][a-z0-9+.-]+:\/\//i
const IS_GLOB = /[*?[\]{}]/
const MAX_ADDRESS_CHARS = 2048

/** As helm-secrets writes it: the rest is an entry of a file that is encrypted. */
const SECRETS = 'secrets://'

/**
 * What one entry of `values-files` stands for: a file, the files of a glob sorted by path, or the text at an address; each decrypted
 * where it is encrypted by SOPS.
 */
export async function readValuesFiles(
  entry: string,
  ports: ValuesPorts,
): Promise<readonly (ValuesFile | ValuesFileFault)[]> {
  const mustBeEncrypted = entry.startsWith(SECRETS)
  const read = await readEntry(mustBeEncrypted ? entry.slice(SECRETS.length) : entry, ports)
  const { decrypter } = ports
  return Promise.all(read.map((file) => ('text' in file ? decryptedFile(file, { mustBeEncrypted, decrypter }) : file)))
}

/** The entry with its path as it starts in the working directory. */
export function valuesFileFrom(entry: string, started: StartedPath): string {
  return entry.startsWith(SECRETS) ? `${SECRETS}${started(entry.slice(SECRETS.length))}` : started(entry)
}

async function readEntry(entry: string, ports: ValuesPorts): Promise<readonly (ValuesFile | ValuesFileFault)[]> {
  if (IS_ADDRESS.test(entry)) return [await fetchedFile(entry, ports)]
  const { files } = ports
  const found = await pathsOf(entry, files)
  if ('fault' in found) return [found]
  return Promise.all(found.map((path) => readFile(path, files)))
}

/** A file whose name holds the characters of a glob comes first: it was always taken as it is written. */
async function pathsOf(entry: string, files: Files): Promise<readonly string[] | ValuesFileFault> {
  if ((await files.exists(entry)) === 'file') return [entry]
  if (!IS_GLOB.test(entry)) return fault(`"${entry}" does not exist or is not a file`, 'write-values-files')
  try {
    const found = await files.list(entry)
    return found.length === 0 ? fault(`"${shorten(entry)}" matches no file`, 'write-values-files') : found
  } catch (error) {
    return fault(`"${shorten(entry)}" cannot be searched: ${messageOf(error)}`, 'write-values-files')
  }
}

async function readFile(path: string, files: Files): Promise<ValuesFile | ValuesFileFault> {
  try {
    return { label: path, text: await files.read(path) }
  } catch (error) {
    return fault(`"${path}" cannot be read: ${messageOf(error)}`, 'write-values-files')
  }
}

async function fetchedFile(entry: string, { sources }: ValuesPorts): Promise<ValuesFile | ValuesFileFault> {
  const url = entry.length <= MAX_ADDRESS_CHARS && URL.canParse(entry) ? new URL(entry) : undefined
  if (url === undefined) return fault('holds no valid address', 'check-address')
  // A login or a query may be a secret: neither stands in a message.
  const label = `${url.protocol}//${url.host}${url.pathname}`
  if (!/^https?:$/.test(url.protocol)) {
    return fault(`"${shorten(label)}" is an address of an unknown kind`, 'write-values-files')
  }
  if (url.username !== '' || url.password !== '') return fault(`"${label}" holds a login`, 'write-login-in-registries')
  try {
    return { label, text: await sources.text(url.href) }
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    return { fault: error.details.what, hint: error.details.hint, reason: 'fetch-failed' }
  }
}

function fault(
  what: string,
  kind: 'write-values-files' | 'check-address' | 'write-login-in-registries',
): ValuesFileFault {
  return { fault: what, hint: { kind }, reason: 'invalid-input' }
}
