import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { defined } from '../../src/model/defined.ts'

/** What goes wrong with one request. */
export type ProxyFault =
  /** The connection is reset before the server sees the request. */
  | { readonly kind: 'reset' }
  /** The server does what it was asked to; its answer never arrives. */
  | { readonly kind: 'lost-reply' }
  /** No answer and no end. */
  | { readonly kind: 'black-hole' }
  /** The answer breaks off after so many bytes of its body. */
  | { readonly kind: 'truncated'; readonly bytes: number }
  /** The request goes on to the server once this is settled. */
  | { readonly kind: 'held'; readonly until: Promise<void> }
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers?: Record<string, string>
      readonly body?: string
    }

export interface ProxyRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
}

export interface FaultProxy {
  /** `http://127.0.0.1:port`: what the client under test takes for the API server. */
  readonly url: string
  readonly requests: readonly ProxyRequest[]
  /** How many connections clients have opened so far. */
  connectionCount(): number
  /** The next `times` matching requests (all of them where absent) end in this fault. */
  fail(match: (request: ProxyRequest) => boolean, fault: ProxyFault, times?: number): void
  /** Connections are refused, and those that are open are cut, until `comeBack`. */
  goDown(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

interface Rule {
  readonly match: (request: ProxyRequest) => boolean
  readonly fault: ProxyFault
  left: number
}

/** Stands between a client and a real API server, and breaks what it is told to break. */
export async function startFaultProxy(target: {
  readonly server: string
  readonly authority?: string
}): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true, ...defined({ ca: target.authority }) })
  const requests: ProxyRequest[] = []
  const rules: Rule[] = []
  const sockets = new Set<Socket>()
  let connections = 0

  function faultOf(request: ProxyRequest): ProxyFault | undefined {
    const rule = rules.find((candidate) => candidate.left > 0 && candidate.match(request))
    if (rule === undefined) return undefined
    rule.left -= 1
    return rule.fault
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = { method: incoming.method ?? '', path: incoming.url ?? '' }
    requests.push(request)
    const fault = faultOf(request)
    switch (fault?.kind) {
      case 'reset':
        incoming.socket.resetAndDestroy()
        return
      case 'black-hole':
        return
      case 'answer':
        outgoing.writeHead(fault.status, fault.headers).end(fault.body)
        return
      case 'held':
        await fault.until
    }
    forward(agent, target.server, incoming, outgoing, fault)
  }

  let server: Server | undefined
  async function listen(port: number): Promise<number> {
    const created = createServer((incoming, outgoing) => void serve(incoming, outgoing))
    created.on('connection', (socket) => {
      connections += 1
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    await new Promise<void>((resolve, reject) => created.on('error', reject).listen(port, '127.0.0.1', resolve))
    server = created
    return (created.address() as AddressInfo).port
  }
  async function goDown(): Promise<void> {
    const open = server
    server = undefined
    if (open === undefined) return
    const closed = new Promise<void>((resolve) => open.close(() => resolve()))
    for (const socket of sockets) socket.resetAndDestroy()
    await closed
  }

  const port = await listen(0)
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    connectionCount: () => connections,
    fail: (match, fault, times = Number.POSITIVE_INFINITY) => rules.push({ match, fault, left: times }),
    goDown,
    async comeBack() {
      await listen(port)
    },
    async close() {
      await goDown()
      agent.destroy()
    },
  }
}

function forward(
  agent: Agent,
  server: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fault: ProxyFault | undefined,
): void {
  const { method, headers } = incoming
  const { host: _, ...kept } = headers
  const onward = httpsRequest(new URL(incoming.url ?? '', server), { agent, method, headers: kept }, (answer) => {
    if (fault?.kind === 'lost-reply') {
      answer.resume().on('end', () => incoming.socket.resetAndDestroy())
      return
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    if (fault?.kind !== 'truncated') {
      answer.pipe(outgoing)
      return
    }
    answer.once('data', (chunk: Buffer) => {
      outgoing.write(chunk.subarray(0, fault.bytes), () => incoming.socket.destroy())
    })
  })
  onward.on('error', () => incoming.socket.destroy())
  // A client that goes away ends its watch on the server too.
  outgoing.on('close', () => onward.destroy())
  incoming.pipe(onward)
}
