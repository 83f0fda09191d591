import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { createTransport } from '../../src/kube/transport.ts'
import { bytesUntilEnd, type DeafServer } from '../doubles/deaf-server.ts'
import type { TunnelProxy } from '../doubles/tunnel-proxy.ts'

/** More than a server takes that does not read, less than the buffers of a kernel hold. */
export const LARGE = 'x'.repeat(500_000)

/** How many bytes arrive of a write that is broken off while the network holds it back. */
export async function bytesOfBrokenOff({ url, accepted }: DeafServer): Promise<number> {
  const transport = createTransport({ server: url, tls: { isUnverified: true } }, { connections: 1 })
  const brokenOff = new AbortController()
  const sent = transport.send({ method: 'PATCH', path: '/it', headers: {}, body: LARGE, signal: brokenOff.signal })
  const socket = await accepted
  // Until the kernel has taken all of it.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  brokenOff.abort('lock-lost')
  await sent.catch(() => undefined)
  const bytes = await bytesUntilEnd(socket)
  await transport.close()
  return bytes
}

/** What a write fails with whose connection is reset before it is answered. */
export async function failureOfReset({ url, accepted, reset }: DeafServer): Promise<unknown> {
  const transport = createTransport({ server: url, tls: { isUnverified: true } }, { connections: 1 })
  const sent = transport.send({ method: 'PATCH', path: '/it', headers: {}, body: 'x' })
  const failed = sent.catch((error: unknown) => error)
  const socket = await accepted
  // It is under way once its bytes have come.
  await new Promise((resolve) => socket.once('readable', resolve).read(0))
  reset()
  const failure = await failed
  await transport.close()
  return failure
}

/** How many bytes arrive at the server of a write that is broken off while the network on the way to a proxy holds it back. */
export async function bytesBehindProxy(
  proxy: TunnelProxy,
  tls?: { readonly cert: string; readonly key: string },
): Promise<number> {
  const connections: Socket[] = []
  const server = (tls === undefined ? createServer() : createTlsServer(tls)).on('request', (request, response) =>
    request.resume().on('end', () => response.end('{}')),
  )
  server.on('connection', (socket: Socket) => connections.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`
  const transport = createTransport({ server: url, tls: { isUnverified: true }, proxy: proxy.url }, { connections: 1 })
  // Opens the tunnel, which the write takes as well.
  await (await transport.send({ method: 'GET', path: '/it', headers: {} })).text()
  const [connection] = connections
  if (connection === undefined) throw new Error('nothing came through the proxy')
  proxy.holdBack()
  const brokenOff = new AbortController()
  const sent = transport.send({ method: 'PATCH', path: '/it', headers: {}, body: LARGE, signal: brokenOff.signal })
  // Until the kernel has taken all of it.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  brokenOff.abort('lock-lost')
  await sent.catch(() => undefined)
  const closed = new Promise((resolve) => connection.on('close', resolve))
  proxy.goOn()
  await closed
  await transport.close()
  server.close()
  return connection.bytesRead
}
