import type { FetchError } from '../model/errors.ts'
import { parseJson } from '../model/json.ts'
import { type JsonValue, stringsAt } from '../model/object.ts'
import type { RegistryAccess } from '../ports.ts'
import type { Credentials } from './chart-credentials.ts'
import { fetchFailure } from './fetch-failure.ts'
import type { Http, HttpAnswer } from './http.ts'
import { accessTo } from './registry-access.ts'
import { type RegistryAddress, registrySource } from './registry-address.ts'
import { createRegistryLogins, type RegistryPlace } from './registry-logins.ts'
import { type Layer, MANIFEST_TYPES } from './registry-manifest.ts'
import { sha256Of } from './sha256.ts'

/** What is asked of a registry. Source: docs/sources.md#oci-distribution. */
export interface Registry {
  /** Undefined where there is no such repository. */
  tags(address: RegistryAddress): Promise<readonly string[] | undefined>
  /** By tag or digest; undefined where there is none. The digest is that of the bytes. */
  manifest(address: RegistryAddress, reference: string): Promise<{ text: string; digest: string } | undefined>
  blob(address: RegistryAddress, layer: Layer, maxBytes: number): Promise<Uint8Array<ArrayBuffer>>
}

const MAX_MANIFEST_BYTES = 4 * 1024 * 1024
const MAX_PAGE_BYTES = 4 * 1024 * 1024
const MAX_TAGS = 10_000
const MAX_PAGES = 100

export function createRegistry(parts: {
  readonly http: Http
  readonly credentials: Pick<Credentials, 'ofRegistry'>
  readonly registries: readonly RegistryAccess[]
}): Registry {
  const { http, credentials, registries } = parts
  const logins = createRegistryLogins(http, credentials)

  interface Question {
    readonly url: string
    readonly accept: string
    readonly maxBytes: number
    readonly expected: readonly number[]
  }

  async function ask(address: RegistryAddress, question: Question): Promise<HttpAnswer> {
    const server = `//${serverOf(address.host)}`
    const isPlainHttp = accessTo(new URL(`http:${server}`), registries)?.isPlainHttp === true
    const place: RegistryPlace = { ...address, isPlainHttp }
    const url = new URL(question.url, `${isPlainHttp ? 'http' : 'https'}:${server}`)
    const send = async (login: Awaited<ReturnType<typeof logins.held>>, expected: readonly number[]) =>
      http.get({ ...question, url: url.href, expected, ...(login === undefined ? {} : { login }) })

    const used = await logins.held(place)
    const first = await send(used, [401, ...question.expected])
    if (first.status !== 401) return first
    // Who was redirected to may not ask for the login of the registry.
    const mayAsk = first.url.origin === url.origin
    const login = mayAsk ? await logins.answer(place, first, used) : undefined
    return send(login, question.expected)
  }

  async function tags(address: RegistryAddress): Promise<readonly string[] | undefined> {
    const path = `/v2/${address.repository}/tags/list`
    const found: string[] = []
    let next: string | undefined = `${path}?n=1000`
    for (let page = 0; next !== undefined; page += 1) {
      if (page >= MAX_PAGES || found.length > MAX_TAGS) {
        throw fetchFailure(`${registrySource(address)} has more than ${MAX_TAGS} tags`, { kind: 'write-exact-version' })
      }
      const terms = { accept: 'application/json', maxBytes: MAX_PAGE_BYTES, expected: [404] }
      const answer = await ask(address, { ...terms, url: next })
      if (answer.status === 404) return page === 0 ? undefined : found
      found.push(...stringsAt(jsonOf(answer, address), 'tags'))
      next = nextPage(answer.header('link'), path)
    }
    return found
  }

  async function manifest(address: RegistryAddress, reference: string) {
    const answer = await ask(address, {
      url: `/v2/${address.repository}/manifests/${encodeURIComponent(reference)}`,
      accept: MANIFEST_TYPES,
      maxBytes: MAX_MANIFEST_BYTES,
      expected: [404],
    })
    if (answer.status === 404) return undefined
    const digest = sha256Of(answer.body)
    const promised = [answer.header('docker-content-digest'), reference].filter((text) => text?.startsWith('sha256:'))
    const other = promised.find((text) => text !== digest)
    if (other !== undefined) throw wrongDigest(`the manifest of ${registrySource(address)}`, digest, other)
    return { text: new TextDecoder().decode(answer.body), digest }
  }

  async function blob(address: RegistryAddress, layer: Layer, maxBytes: number) {
    const source = registrySource(address)
    if (layer.size > maxBytes) {
      throw fetchFailure(
        `${source} has a layer of ${layer.size} bytes, and a chart may have ${maxBytes / 1024 / 1024} MiB`,
        { kind: 'ask-chart-owner' },
      )
    }
    const url = `/v2/${address.repository}/blobs/${layer.digest}`
    const { body } = await ask(address, { url, accept: '*/*', maxBytes, expected: [] })
    const digest = sha256Of(body)
    if (digest !== layer.digest) throw wrongDigest(`a layer of ${source}`, digest, layer.digest)
    return body
  }

  return { tags, manifest, blob }
}

/** Docker Hub answers under another name than the one that people write. */
function serverOf(host: string): string {
  return host === 'docker.io' || host === 'index.docker.io' ? 'registry-1.docker.io' : host
}

/** Address of the page that a `Link` header names (RFC 8288), where it is of the same list. */
function nextPage(header: string | undefined, path: string): string | undefined {
  const [, target = '', relation = ''] = /^\s{0,10}<([^<>]*)>([^<>]*)/.exec(header ?? '') ?? []
  if (!/\brel="?next"?/i.test(relation)) return undefined
  const base = new URL(path, 'https://registry.invalid')
  const url = URL.parse(target, base.href)
  // Some registries write their own address, which a proxy before them has another one for: the question is what counts.
  return url === null || url.search === '' ? undefined : `${path}${url.search}`
}

function jsonOf(answer: HttpAnswer, address: RegistryAddress): JsonValue {
  try {
    return parseJson(new TextDecoder().decode(answer.body))
  } catch (error) {
    throw fetchFailure(
      `${registrySource(address)}: the server answers with something that is no list of tags`,
      { kind: 'check-address' },
      error,
    )
  }
}

function wrongDigest(what: string, found: string, promised: string): FetchError {
  return fetchFailure(`${what} has the digest ${found}, where ${promised.slice(0, 100)} was promised`, {
    kind: 'ask-chart-owner',
  })
}
