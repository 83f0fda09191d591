import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { onTestFinished } from 'vitest'

export interface DeafServer {
  readonly url: string
  /** Resolves with its first connection, from which nothing is read. */
  readonly accepted: Promise<Socket>
  /** Resets all connections, as a proxy does that has lost its way to the server. */
  reset(): void
}

/** Accepts connections, and reads nothing until it is told to: what it is sent stays in the network. */
export async function startDeafServer(tls?: { readonly cert: string; readonly key: string }): Promise<DeafServer> {
  const { promise: accepted, resolve } = Promise.withResolvers<Socket>()
  const server: Server =
    tls === undefined
      ? createServer({ pauseOnConnect: true }, resolve)
      : createTlsServer(tls, (socket) => resolve(socket.pause()))
  const connections: Socket[] = []
  server.on('connection', (connection) => connections.push(connection.on('error', () => undefined)))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const reset = () => connections.forEach((connection) => void connection.resetAndDestroy())
  const { port } = server.address() as AddressInfo
  return { url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`, accepted, reset }
}

/** Reads on, and gives how many bytes came until the connection ended. */
export async function bytesUntilEnd(socket: Socket): Promise<number> {
  let bytes = 0
  socket.on('data', (chunk) => {
    bytes += chunk.length
  })
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.on('close', resolve).resume())
  return bytes
}
