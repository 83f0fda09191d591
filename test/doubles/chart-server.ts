import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { MadeCertificate } from './certificates.ts'

export interface ChartServer {
  /** `https://127.0.0.1:12345`, without a slash at its end. */
  readonly url: string
  readonly host: string
  /** Method and path of each request with its login: `GET /index.yaml`, `GET /a Basic dTpw`. */
  readonly seen: readonly string[]
  readonly requests: readonly IncomingMessage[]
}

/** A server on this machine that answers as the test says. */
export async function startChartServer(
  answer: RequestListener,
  { tls, name = '127.0.0.1' }: { readonly tls?: MadeCertificate; readonly name?: string } = {},
): Promise<ChartServer> {
  const seen: string[] = []
  const requests: IncomingMessage[] = []
  const listener: RequestListener = (request, response) => {
    const { method, url, headers } = request
    seen.push([method, url, headers.authorization].filter((part) => part !== undefined).join(' '))
    requests.push(request)
    answer(request, response)
  }
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const host = `${name}:${(server.address() as AddressInfo).port}`
  return { url: `${tls === undefined ? 'http' : 'https'}://${host}`, host, seen, requests }
}
