import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

/** A proxy by which clients reach servers of a test under names that do not exist. */
export interface HostProxy {
  readonly url: string
  /** The names that were asked for, in their order: `charts.example:443`. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

/** `ports`: on the loopback address, by host; whoever asks for another one is refused. */
export async function startHostProxy(ports: Readonly<Record<string, number>>): Promise<HostProxy> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((_, response) => void response.writeHead(405).end())
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('connect', (request, client: Socket) => {
    const address = request.url ?? ''
    asked.push(address)
    const port = ports[address.replace(/:\d+$/, '')]
    if (port === undefined) {
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
      return
    }
    const onward = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(client)
      client.pipe(onward)
    })
    client.on('error', () => onward.destroy()).on('close', () => onward.destroy())
    onward.on('error', () => client.destroy()).on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}
