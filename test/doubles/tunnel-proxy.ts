import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface TunnelProxy {
  readonly url: string
  /** The tunnels that were asked for, with the login: `127.0.0.1:6443 user:pass`. */
  readonly seen: readonly string[]
  /** Reads nothing from its clients until `goOn`: what they send stays in the network between them and it. */
  holdBack(): void
  goOn(): void
}

export interface TunnelProxyOptions {
  readonly speaks?: 'CONNECT' | 'SOCKS5'
  /** Its own certificate: CONNECT is spoken within TLS. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Instead of tunnels: a status of HTTP, or a reply code of SOCKS5. */
  readonly refusesWith?: number
}

/** A proxy that passes on whatever comes through the tunnels that it is asked for, with a login. */
export async function startTunnelProxy({
  speaks = 'CONNECT',
  tls,
  refusesWith,
}: TunnelProxyOptions = {}): Promise<TunnelProxy> {
  const seen: string[] = []
  const tunnels: { readonly client: Socket; readonly onward: Socket }[] = []

  async function openTunnel(client: Socket, address: string, answer: string | Buffer): Promise<void> {
    const { hostname, port } = new URL(`http://${address}`)
    const onward = connect(Number(port), hostname)
    tunnels.push({ client, onward })
    client.on('error', () => onward.end())
    onward.on('error', () => client.destroy())
    await once(onward, 'connect')
    client.write(answer)
    onward.pipe(client)
    client.pipe(onward)
  }

  async function serveSocks(client: Socket): Promise<void> {
    await nextMessage(client)
    client.write(Buffer.from([5, 2]))
    const login = await nextMessage(client)
    const [user, password] = [login.subarray(2, 2 + (login[1] ?? 0)), login.subarray(3 + (login[1] ?? 0))]
    client.write(Buffer.from([1, 0]))
    const request = await nextMessage(client)
    const name = request.subarray(5, 5 + (request[4] ?? 0))
    const address = `${name}:${request.readUInt16BE(request.length - 2)}`
    seen.push(`${address} ${user}:${password}`)
    const answer = Buffer.from([5, refusesWith ?? 0, 0, 1, 0, 0, 0, 0, 0, 0])
    if (refusesWith === undefined) await openTunnel(client, address, answer)
    else client.end(answer)
  }

  function serveConnect(request: { readonly url?: string; readonly headers: object }, client: Socket): void {
    const { 'proxy-authorization': login = '' } = request.headers as { readonly 'proxy-authorization'?: string }
    const address = request.url ?? ''
    seen.push(`${address} ${Buffer.from(login.replace('Basic ', ''), 'base64')}`)
    if (refusesWith === undefined) void openTunnel(client, address, 'HTTP/1.1 200 OK\r\n\r\n')
    else client.end(`HTTP/1.1 ${refusesWith} Refused\r\n\r\n`)
  }

  const isSocks = speaks === 'SOCKS5'
  const server: Server = isSocks
    ? createSocketServer((client) => void serveSocks(client))
    : (tls === undefined ? createServer() : createTlsServer(tls)).on('connect', serveConnect)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const end of tunnels.flatMap(({ client, onward }) => [client, onward])) end.destroy()
    server.close()
  })
  const protocol = isSocks ? 'socks5' : tls === undefined ? 'http' : 'https'
  return {
    url: `${protocol}://user:pass@127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    holdBack: () => tunnels.forEach(({ client }) => void client.unpipe().pause()),
    goOn: () => tunnels.forEach(({ client, onward }) => void client.pipe(onward)),
  }
}

/** The client sends each as a whole, and waits for the answer. */
async function nextMessage(client: Socket): Promise<Buffer> {
  const [message] = (await once(client.resume(), 'data')) as [Buffer]
  client.pause()
  return message
}
