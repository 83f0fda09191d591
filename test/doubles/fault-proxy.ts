import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer, Agent as HttpsAgent } from 'node:https'
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { defined } from '../../src/model/defined.ts'
import { type Connection, exchange } from './proxied-exchange.ts'
import type { Exchange, ProxyFault, ProxyRequest } from './proxy-fault.ts'

/** What a script says of one request; undefined: it goes through. Asked once per request, in the order of arrival. */
export type Script = (request: ProxyRequest) => ProxyFault | undefined

/** Gets to know of every request. What a promise is returned for goes on when it is settled. */
export interface ProxyListener {
  /** Before the scripts are asked. */
  arrived?(request: ProxyRequest): Promise<void> | undefined
  /** The API server has answered; its answer is not passed on yet. */
  answered?(exchange: Exchange): Promise<void> | undefined
}

export interface FaultProxy {
  /** What the client under test takes for the API server. */
  readonly url: string
  /** The journal: every request in the order of its arrival. */
  readonly requests: readonly Exchange[]
  /** How many connections clients have opened so far. */
  connectionCount(): number
  /** The next `times` matching requests (all of them where absent) end in this fault. */
  fail(match: (request: ProxyRequest) => boolean, fault: ProxyFault, times?: number): void
  /** Scripts are asked in their order until one has a fault. */
  play(script: Script): void
  listen(listener: ProxyListener): void
  /** Forgets scripts and listeners, and accepts connections again. */
  calm(): Promise<void>
  /** Connections are refused, and those that are open are cut, until `comeBack`. */
  goDown(): Promise<void>
  comeBack(): Promise<void>
  /** No byte passes until `thaw`, and none ever on the connections of before. */
  freeze(): void
  thaw(): void
  /** Resets the connections with these numbers, counted from 0 in the order in which they were opened. */
  resetConnections(match: (index: number) => boolean): void
  /** Puts a text into each open watch as if the server had sent it, and ends the stream there. */
  endWatches(lastWords: string): void
  close(): Promise<void>
}

export interface ProxyTarget {
  readonly server: string
  readonly authority?: string
  /** Sent to the server in place of what the client sends. */
  readonly token?: string
  /** The proxy speaks TLS with this certificate; absent: plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string }
}

/** Stands between a client and a real API server, and breaks what it is told to break. */
export async function startFaultProxy(target: ProxyTarget): Promise<FaultProxy> {
  const agent = new HttpsAgent({ keepAlive: true, ...defined({ ca: target.authority }) })
  const requests: Exchange[] = []
  let scripts: Script[] = []
  let listeners: ProxyListener[] = []
  const connections = new Map<Socket, Connection>()
  let count = 0
  let isFrozen = false

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const connection = [...connections.values()].find(({ port }) => port === incoming.socket.remotePort)
    if (connection === undefined) return
    const body = await text(incoming).catch(() => undefined)
    if (body === undefined || connection.isDead) return
    const request: Exchange = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      authorization: incoming.headers.authorization ?? '',
      connection: connection.index,
      body,
      arrivedAtMs: Date.now(),
    }
    requests.push(request)
    for (const listener of listeners) await listener.arrived?.(request)
    // What began with this request has cut it off.
    if (connection.isDead) return
    const fault = faultOf(request)
    if (fault !== undefined) request.fault = fault.kind
    await exchange({ request, incoming, outgoing, connection, fault, agent, target }, async () => {
      for (const listener of listeners) await listener.answered?.(request)
    })
  }

  function faultOf(request: ProxyRequest): ProxyFault | undefined {
    for (const script of scripts) {
      const fault = script(request)
      if (fault !== undefined) return fault
    }
    return undefined
  }

  const handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void serve(incoming, outgoing)
  const inner: Server = target.tls === undefined ? createHttpServer(handler) : createHttpsServer(target.tls, handler)
  // A watch is silent for minutes.
  inner.requestTimeout = 0
  inner.on('clientError', (_, socket) => socket.destroy())

  let outer: NetServer | undefined
  async function listen(port: number): Promise<number> {
    const created = createServer((socket) => {
      const connection: Connection = {
        index: count,
        port: socket.remotePort ?? 0,
        isDead: isFrozen,
        reset: () => socket.resetAndDestroy(),
        watches: new Set(),
      }
      count += 1
      connections.set(socket, connection)
      socket.on('close', () => {
        connection.isDead = true
        connections.delete(socket)
      })
      socket.on('error', () => undefined)
      // Nobody reads from a connection that came up while nothing passes, not even its TLS handshake.
      if (!isFrozen) inner.emit('connection', socket)
    })
    await new Promise<void>((resolve, reject) => created.on('error', reject).listen(port, '127.0.0.1', resolve))
    outer = created
    return (created.address() as AddressInfo).port
  }
  async function goDown(): Promise<void> {
    const open = outer
    outer = undefined
    if (open === undefined) return
    const closed = new Promise<void>((resolve) => open.close(() => resolve()))
    for (const connection of connections.values()) {
      connection.isDead = true
      connection.reset()
    }
    await closed
  }

  const port = await listen(0)
  async function comeBack(): Promise<void> {
    if (outer === undefined) await listen(port)
  }

  return {
    url: `${target.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    connectionCount: () => count,
    fail: (match, fault, times) => void scripts.push(failing(match, fault, times)),
    play: (script) => void scripts.push(script),
    listen: (listener) => void listeners.push(listener),
    async calm() {
      scripts = []
      listeners = []
      isFrozen = false
      await comeBack()
    },
    goDown,
    comeBack,
    freeze() {
      isFrozen = true
      for (const connection of connections.values()) connection.isDead = true
    },
    thaw() {
      isFrozen = false
    },
    resetConnections(match) {
      for (const { index, reset } of connections.values()) if (match(index)) reset()
    },
    endWatches(lastWords) {
      for (const { watches } of connections.values()) for (const watch of watches) watch.end(lastWords)
    },
    async close() {
      await goDown()
      agent.destroy()
    },
  }
}

function failing(
  match: (request: ProxyRequest) => boolean,
  fault: ProxyFault,
  times = Number.POSITIVE_INFINITY,
): Script {
  let left = times
  return (request) => {
    if (left <= 0 || !match(request)) return undefined
    left -= 1
    return fault
  }
}
