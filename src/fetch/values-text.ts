import { FetchError } from '../model/errors.ts'
import type { FetchParts } from './fetch-parts.ts'
import { readAddress } from './web-address.ts'

/** As much as a values file of the workspace may have, in bytes. */
const MAX_TEXT_BYTES = 10 * 1024 * 1024

/** A values file at an address. */
export async function fetchText(text: string, { http, credentials }: FetchParts): Promise<string> {
  const address = readAddress(text)
  const login = address.login ?? (await credentials.ofAddress(address.url))
  const request = { url: address.url.href, accept: 'application/yaml, text/yaml, text/plain, */*;q=0.5' }
  const answer = await http.get({ ...request, maxBytes: MAX_TEXT_BYTES, ...(login === undefined ? {} : { login }) })
  const read = new TextDecoder().decode(answer.body)
  if (!/^\s{0,100}</.test(read)) return read
  const isElsewhere = answer.url.href !== address.url.href
  throw new FetchError({
    what: `${address.shown} is a web page, not a values file${isElsewhere ? ` (it leads to ${answer.url.origin}${answer.url.pathname})` : ''}`,
    hint: isElsewhere ? { kind: 'log-in', host: address.url.host } : { kind: 'check-address' },
  })
}
