import { BlockList, isIP, isIPv4 } from 'node:net'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The proxy of the environment for one server, or undefined. The rules are Go's (`golang.org/x/net/http/httpproxy`), since
 * kubectl and helm on the same runner follow them: capitals first, never for loopback, NO_PROXY as domains (a leading dot
 * means subdomains only), addresses, CIDR blocks, each with or without a port, or `*`.
 */
export function proxyFromEnvironment(server: URL, env: Environment): string | undefined {
  const isSecure = server.protocol === 'https:'
  const proxy = isSecure ? env.HTTPS_PROXY || env.https_proxy : env.HTTP_PROXY || env.http_proxy
  if (proxy === undefined || proxy === '') return undefined

  const host = server.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  if (isLoopback(host)) return undefined
  const port = server.port || (isSecure ? '443' : '80')
  const exceptions = (env.NO_PROXY || env.no_proxy || '').split(',').map((entry) => entry.trim().toLowerCase())
  if (exceptions.some((entry) => entry !== '' && isExcepted(entry, host, port))) return undefined
  return proxy.includes('://') ? proxy : `http://${proxy}`
}

function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
  )
}

function isExcepted(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  if (entry.includes('/')) return isInBlock(entry, host)
  const withPort = /^\[?(.*?)\]?:(\d+)$/.exec(entry)
  const hasPort = withPort !== null && isIP(entry) === 0
  if (hasPort && withPort[2] !== port) return false
  const name = hasPort ? (withPort[1] ?? '') : entry.replace(/^\[(.*)\]$/, '$1')
  if (isIP(name) !== 0) return name === host
  const domain = name.replace(/^\*?\./, '')
  const isSubdomainOnly = domain !== name
  return host.endsWith(`.${domain}`) || (!isSubdomainOnly && host === domain)
}

function isInBlock(entry: string, host: string): boolean {
  const [address = '', bits = ''] = entry.split('/')
  const family = isIP(address)
  const prefix = Number(bits)
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(bits) || prefix > (family === 4 ? 32 : 128)) return false
  const name = family === 4 ? 'ipv4' : 'ipv6'
  const block = new BlockList()
  block.addSubnet(address, prefix, name)
  return block.check(host, name)
}
