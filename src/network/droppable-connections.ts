import type { Socket } from 'node:net'
import { buildConnector, errors } from 'undici'
import { openTunnel, portOf } from './tunnels.ts'

/** Passes connections on; the options say how TLS with it is spoken, where its address asks for that. */
export interface Proxy {
  readonly url: URL
  readonly tls: buildConnector.BuildOptions
}

/**
 * Opens connections that drop what they have not delivered when they are closed amid a request. A closed connection is
 * delivered to its end by the kernel, minutes later where the network was cut in two: a write that was broken off because
 * the lock may be lost would still arrive. A reset takes it back, up to the proxy where there is one.
 */
export function openDroppable(options: buildConnector.BuildOptions, proxy?: Proxy): buildConnector.connector {
  const openPlain = buildConnector({
    keepAlive: true,
    ...(options.keepAliveInitialDelay === undefined ? {} : { keepAliveInitialDelay: options.keepAliveInitialDelay }),
    ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
  })
  const openSecure = buildConnector(options)
  const openSecureToProxy = buildConnector(proxy?.tls ?? {})

  /** A TLS socket cannot be reset, the one below it can. */
  async function openBelow(to: buildConnector.Options): Promise<Socket> {
    const { servername: _, ...address } = to
    const plain = await opened(openPlain, { ...address, protocol: 'http:', port: portOf(to) })
    // What goes wrong on it is told on the one above; while it is being reset, it concerns nobody.
    if (proxy !== undefined || to.protocol === 'https:') plain.on('error', () => undefined)
    return plain
  }

  async function open(target: buildConnector.Options): Promise<Socket> {
    const plain = await openBelow(proxy === undefined ? target : addressOf(proxy.url))
    const way = proxy === undefined ? plain : await openWay(plain, proxy, target)
    if (target.protocol !== 'https:') return dropWhenAmidRequest(way, plain)
    return dropWhenAmidRequest(await opened(openSecure, { ...target, httpSocket: way }), plain)
  }

  async function openWay(plain: Socket, { url }: Proxy, target: buildConnector.Options): Promise<Socket> {
    const isSecure = url.protocol === 'https:'
    const way = isSecure
      ? await opened(openSecureToProxy, { ...addressOf(url), httpSocket: plain }).catch(asOfProxy)
      : plain
    await openTunnel(url, way, target)
    return way
  }

  return (target, callback) => {
    open(target).then(
      (socket) => callback(null, socket),
      (failure: Error) => callback(failure, null),
    )
  }
}

/** undici takes a certificate for another name for one of the server, and would ask again and again. */
function asOfProxy(failure: Error): never {
  throw 'code' in failure && failure.code === 'ERR_TLS_CERT_ALTNAME_INVALID'
    ? new errors.SecureProxyConnectionError(failure)
    : failure
}

function addressOf({ hostname, host, port, protocol }: URL): buildConnector.Options {
  return { hostname: hostname.replace(/^\[|\]$/g, ''), host, port: portOf({ port, protocol }), protocol }
}

function opened(open: buildConnector.connector, target: buildConnector.Options): Promise<Socket> {
  return new Promise((resolve, reject) => {
    open(target, (...[failure, socket]) => (failure === null ? resolve(socket) : reject(failure)))
  })
}

/** There is one request at a time on a connection: what was written before an answer began belongs to requests that are done. */
function dropWhenAmidRequest<T extends Socket>(socket: T, plain: Socket): T {
  let answeredBytes = 0
  socket.on('readable', () => {
    if (socket.readableLength > 0) answeredBytes = socket.bytesWritten
  })
  // The one below: it is closed last, so that what is told of the one above stays in order.
  const destroy = plain.destroy.bind(plain)
  plain.destroy = (error) => {
    // A reset destroys as well, but knows of no reason.
    plain.destroy = () => destroy(error)
    const isBroken = error !== undefined && error !== null && 'syscall' in error
    if (!isBroken && !plain.destroyed && socket.bytesWritten > answeredBytes) plain.resetAndDestroy()
    // A reset alone would wait for what is not written yet.
    return destroy(error)
  }
  return socket
}
