import { Agent, type Dispatcher } from 'undici'
import { defined } from '../model/defined.ts'
import { trustedAuthorities } from '../network/authorities.ts'
import { openDroppable } from '../network/droppable-connections.ts'
import { type Environment, proxyFromEnvironment } from '../network/proxy.ts'
import type { RegistryAccess } from '../ports.ts'
import { fetchFailure } from './fetch-failure.ts'
import { accessTo } from './registry-access.ts'

const CONNECT_TIMEOUT_MS = 15_000
const KEEP_ALIVE_MS = 15_000
/** To one server at a time. */
const CONNECTIONS = 6
const HEADERS_LIMIT_BYTES = 64 * 1024

/** What TLS with one host needs beside what the machine trusts. All in PEM. */
export interface HostTls {
  readonly authorities: readonly string[]
  /** Of the client. */
  readonly certificate?: { readonly certificate: string; readonly key: string }
}

/** Kept connections, for each server its own: it has its authorities and its proxy. */
export interface HttpConnections {
  of(url: URL): Promise<{ readonly dispatcher: Dispatcher }>
  close(): Promise<void>
}

export function createHttpConnections(options: {
  readonly env: Environment
  readonly registries: readonly RegistryAccess[]
  readonly tlsOf?: (url: URL) => Promise<HostTls | undefined>
}): HttpConnections {
  const { env, registries, tlsOf } = options
  const agents = new Map<string, Agent>()

  return {
    async of(url) {
      const known = agents.get(url.origin)
      if (known !== undefined) return { dispatcher: known }
      const tls = url.protocol === 'https:' ? await tlsOf?.(url) : undefined
      const own = accessTo(url, registries)?.authorities
      const agent =
        agents.get(url.origin) ??
        openAgent(
          { authorities: [...(tls?.authorities ?? []), ...(own === undefined ? [] : [own])], ...clientOf(tls) },
          proxyTo(url, env),
        )
      agents.set(url.origin, agent)
      return { dispatcher: agent }
    },
    close: async () => {
      const open = [...agents.values()]
      agents.clear()
      await Promise.all(open.map((agent) => agent.destroy()))
    },
  }
}

function clientOf(tls: HostTls | undefined): Pick<HostTls, 'certificate'> {
  return defined({ certificate: tls?.certificate })
}

function proxyTo(url: URL, env: Environment): URL | undefined {
  const text = proxyFromEnvironment(url, env)
  if (text === undefined) return undefined
  const proxy = URL.parse(text)
  if (proxy !== null && ['http:', 'https:', 'socks5:'].includes(proxy.protocol)) return proxy
  throw fetchFailure(`the proxy of the environment for ${url.host} is no address of a proxy`, { kind: 'check-network' })
}

function openAgent({ authorities, certificate }: HostTls, proxy: URL | undefined): Agent {
  const machine = trustedAuthorities()
  const common = { keepAlive: true, allowH2: false, timeout: CONNECT_TIMEOUT_MS }
  const own = {
    ...common,
    ca: [...machine, ...authorities],
    ...(certificate === undefined ? {} : { cert: certificate.certificate, key: certificate.key }),
  }
  const through = proxy === undefined ? undefined : { url: proxy, tls: { ...common, ca: [...machine] } }
  return new Agent({
    allowH2: false,
    connections: CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADERS_LIMIT_BYTES,
    connect: openDroppable(own, through),
  })
}
