import { readFile } from 'node:fs/promises'
import type { FetchedChart } from '../model/chart-source.ts'
import { getUnlessSame } from './conditional-get.ts'
import { fetchFailure } from './fetch-failure.ts'
import type { FetchParts } from './fetch-parts.ts'
import type { HttpAnswer, Login } from './http.ts'
import { accepted } from './offered-archive.ts'
import { sha256Of } from './sha256.ts'
import { readAddress, type WebAddress } from './web-address.ts'

/** Most that a packed chart may have, in bytes. */
export const MAX_ARCHIVE_BYTES = 100 * 1024 * 1024
export const MAX_PROVENANCE_BYTES = 1024 * 1024
const ARCHIVE_TYPES = 'application/gzip, application/x-gzip, application/octet-stream, */*;q=0.5'

/** A packed chart at an address that the user wrote. */
export async function fetchFromAddress(url: string, parts: FetchParts): Promise<FetchedChart> {
  const address = readAddress(url)
  const login = address.login ?? (await parts.credentials.ofAddress(address.url))
  return fetchArchive({ address, login, asked: {} }, parts)
}

export interface ArchiveAddress {
  readonly address: WebAddress
  readonly login: Login | undefined
  readonly asked: { readonly name?: string; readonly version?: string }
  /** `sha256:...` that it must have: where that lies in the cache, nothing is fetched. */
  readonly digest?: string
}

export async function fetchArchive(wanted: ArchiveAddress, parts: FetchParts): Promise<FetchedChart> {
  const { address, login, asked, digest } = wanted
  const provenance = () => provenanceBeside(wanted, parts)
  const cached = digest === undefined ? undefined : await parts.cache.find(digest)
  if (cached !== undefined && digest !== undefined) {
    const bytes = new Uint8Array(await readFile(cached))
    return accepted({ bytes, source: address.shown, asked, digest, provenance, keep: async () => cached }, parts)
  }
  const request = { url: address.url.href, accept: ARCHIVE_TYPES, maxBytes: MAX_ARCHIVE_BYTES, login }
  const { bytes, answer, remember } = await getUnlessSame(request, parts)
  requireArchive(bytes, answer, address)
  const found = sha256Of(bytes)
  if (digest !== undefined && found !== digest) {
    throw fetchFailure(`${address.shown} has the digest ${found}, and the index of its repository names ${digest}`, {
      kind: 'ask-chart-owner',
    })
  }
  const keepByDigest = () => parts.cache.keep(found, bytes)
  // By its address only where no digest is known: then it is looked for there.
  const keep = digest === undefined ? (remember ?? keepByDigest) : keepByDigest
  return accepted({ bytes, source: address.shown, asked, digest: found, provenance, keep }, parts)
}

/** What a server gives for a chart that is not there, or not for everybody: a page, with the status of a success. */
function requireArchive(bytes: Uint8Array, answer: HttpAnswer | undefined, { url, shown }: WebAddress): void {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return
  const start = new TextDecoder().decode(bytes.subarray(0, 200)).trimStart().toLowerCase()
  const type = answer?.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isPage = start.startsWith('<') || type === 'text/html'
  if (isPage && answer !== undefined && isLogin(answer.url, url)) {
    throw fetchFailure(`${shown} leads to a page to log in (${answer.url.origin}${answer.url.pathname})`, {
      kind: 'log-in',
      host: url.host,
    })
  }
  const found = isPage
    ? 'a web page'
    : start.startsWith('pk')
      ? 'a zip archive'
      : type === ''
        ? 'something else'
        : `something else (${type.slice(0, 100)})`
  throw fetchFailure(`${shown} is ${found}, not a packed chart`, { kind: 'give-chart-address' })
}

function isLogin(reached: URL, asked: URL): boolean {
  return reached.href !== asked.href && /login|log-in|sign_?-?in|oauth|saml|sso|auth/i.test(reached.pathname)
}

/** Text of the `.prov` file beside an archive; undefined where there is none. */
async function provenanceBeside({ address, login }: ArchiveAddress, { http }: FetchParts): Promise<string | undefined> {
  const url = new URL(address.url)
  url.pathname += '.prov'
  const request = { url: url.href, accept: '*/*', maxBytes: MAX_PROVENANCE_BYTES, expected: [403, 404, 410] }
  // Stores of objects answer 403 for what is not there, to those who may not list them.
  const answer = await http.get(login === undefined ? request : { ...request, login })
  const text = answer.status < 300 ? new TextDecoder().decode(answer.body) : ''
  // Some answer with a page, and the status of a success, for whatever is not there.
  return text === '' || text.startsWith('<') ? undefined : text
}
