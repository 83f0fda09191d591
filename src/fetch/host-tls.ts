import { fetchFailure } from './fetch-failure.ts'
import { entriesOfHost, entryFor, type HelmRepository } from './helm-files.ts'
import type { HostTls } from './http-connections.ts'
import { machineFileError, readMachineFile } from './machine-file.ts'

/**
 * Authorities of all entries of a host, and the client's certificate of the entry that fits best: there is one set of
 * connections for a host. Throws FetchError where an entry asks for unchecked certificates and names no authority.
 */
export async function hostTls(
  url: URL,
  repositories: readonly HelmRepository[],
  terms: { readonly isTrusted: boolean; readonly onSecret: (value: string) => void },
): Promise<HostTls | undefined> {
  const entries = entriesOfHost(url, repositories).map(({ entry }) => entry)
  if (entries.length === 0) return undefined
  const best = entryFor(url, repositories)
  const files = [...new Set(entries.map(({ caFile }) => caFile).filter((file) => file !== ''))]
  if (best?.skipsVerification === true && files.length === 0 && !terms.isTrusted) {
    const what = `repository ${best.name} of Helm's repositories file has insecure_skip_tls_verify, which is not done`
    throw fetchFailure(what, { kind: 'trust-authority', host: url.host })
  }
  const withCertificate = [...(best === undefined ? [] : [best]), ...entries].find(({ certFile }) => certFile !== '')
  return {
    authorities: await Promise.all(files.map((file) => pemOf(file))),
    ...(withCertificate === undefined ? {} : { certificate: await certificateOf(withCertificate, terms.onSecret) }),
  }
}

async function certificateOf({ certFile, keyFile }: HelmRepository, onSecret: (value: string) => void) {
  const [certificate, key] = await Promise.all([pemOf(certFile), pemOf(keyFile)])
  onSecret(key)
  return { certificate, key }
}

async function pemOf(path: string): Promise<string> {
  const text = await readMachineFile(path)
  if (text === undefined) throw machineFileError(path, "is named in Helm's repositories file and does not exist")
  if (!text.includes('-----BEGIN ')) throw machineFileError(path, 'is not PEM')
  return text
}
