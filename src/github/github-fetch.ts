import { getProxyUrl } from '@actions/http-client/lib/proxy'
import { Agent, fetch, ProxyAgent } from 'undici'

/**
 * `fetch` for one address of GitHub, through the proxy that the toolkit finds for it in the environment. The toolkit's own
 * `fetch` would offer HTTP/2 (docs/decisions/0034).
 */
export function githubFetch(address: string): typeof fetch {
  const proxy = getProxyUrl(new URL(address))
  const dispatcher =
    proxy === undefined ? direct : new ProxyAgent({ uri: proxy.href, proxyTunnel: true, allowH2: false })
  return (input, init) => fetch(input, { ...init, dispatcher })
}

const direct = new Agent({ allowH2: false })
