import type { Socket } from 'node:net'
import { buildConnector } from 'undici'

/**
 * Opens connections that drop what they have not delivered when they are closed amid a request. A closed connection is
 * delivered to its end by the kernel, minutes later where the network was cut in two: a write that was broken off because
 * the lock may be lost would still arrive. A reset takes it back.
 */
export function openDroppable(options: buildConnector.BuildOptions): buildConnector.connector {
  const openPlain = buildConnector({
    keepAlive: true,
    ...(options.keepAliveInitialDelay === undefined ? {} : { keepAliveInitialDelay: options.keepAliveInitialDelay }),
    ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
  })
  const openSecure = buildConnector(options)
  return (target, callback) => {
    const isSecure = target.protocol === 'https:'
    // A TLS socket cannot be reset, the one below it can.
    const { servername: _, ...address } = target
    const below = { ...address, protocol: 'http:', port: target.port || (isSecure ? '443' : '80') }
    openPlain(below, (...opened) => {
      const [failure, plain] = opened
      if (failure !== null) return callback(failure, null)
      if (!isSecure) return callback(null, dropWhenAmidRequest(plain, plain))
      // What goes wrong on it is told on the one above; while it is being reset, it concerns nobody.
      plain.on('error', () => undefined)
      openSecure({ ...target, httpSocket: plain }, (...secured) => {
        const [refusal, secure] = secured
        if (refusal !== null) return callback(refusal, null)
        callback(null, dropWhenAmidRequest(secure, plain))
      })
    })
  }
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
