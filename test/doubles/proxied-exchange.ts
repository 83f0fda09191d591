import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Agent, request as httpsRequest } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { defined } from '../../src/model/defined.ts'
import type { Exchange, ProxyAnswer, ProxyFault } from './proxy-fault.ts'

/** A connection of the client with the proxy. */
export interface Connection {
  readonly index: number
  readonly port: number
  /** No byte passes any more; nobody is told. */
  isDead: boolean
  readonly reset: () => void
  readonly watches: Set<OpenWatch>
}

/** A stream of events that is open. */
export interface OpenWatch {
  end(lastWords: string): void
}

export interface ExchangeInput {
  readonly request: Exchange
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly connection: Connection
  readonly fault: ProxyFault | undefined
  readonly agent: Agent
  readonly target: { readonly server: string; readonly token?: string }
}

/** Passes one request on and its answer back, with the fault that befalls it. */
export async function exchange(input: ExchangeInput, onAnswer: () => Promise<void>): Promise<void> {
  const { outgoing, connection, fault } = input
  switch (fault?.kind) {
    case 'reset':
      connection.reset()
      return
    case 'black-hole':
      return
    case 'answer':
      answerWith(outgoing, fault)
      return
    case 'held':
      await fault.until
      break
    case 'late':
      await sleep(fault.ms)
  }
  const answer = await forward(input)
  if (answer === undefined) {
    connection.reset()
    return
  }
  input.request.answer = { status: answer.statusCode ?? 0, atMs: Date.now() }
  await onAnswer()
  if (connection.isDead) answer.resume()
  else await passBack(answer, input)
}

/** The server's answer, or undefined where none came. */
function forward({
  request,
  incoming,
  outgoing,
  agent,
  target,
  fault,
}: ExchangeInput): Promise<IncomingMessage | undefined> {
  const { host: _, ...kept } = incoming.headers
  const accept = fault?.kind === 'rewritten' ? fault.accept : undefined
  const headers = {
    ...kept,
    ...(target.token === undefined ? {} : { authorization: `Bearer ${target.token}` }),
    ...defined({ accept }),
  }
  const { promise, resolve } = Promise.withResolvers<IncomingMessage | undefined>()
  const onward = httpsRequest(new URL(request.path, target.server), { agent, method: request.method, headers }, resolve)
  onward.on('error', () => resolve(undefined))
  // A client that goes away ends its watch on the server too.
  outgoing.on('close', () => onward.destroy())
  onward.end(request.body)
  return promise
}

async function passBack(
  answer: IncomingMessage,
  { fault, outgoing, connection, request }: ExchangeInput,
): Promise<void> {
  const head = () => outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
  switch (fault?.kind) {
    case 'lost-reply':
      answer.resume().on('end', () => connection.reset())
      return
    case 'replaced':
      answer.resume()
      answerWith(outgoing, fault.answer)
      return
    case 'rewritten': {
      const bytes = await buffer(answer)
      const isPacked = answer.headers['content-encoding'] === 'gzip'
      const { 'content-length': _, 'content-encoding': __, ...headers } = answer.headers
      outgoing.writeHead(answer.statusCode ?? 502, headers)
      outgoing.end(fault.rewrite((isPacked ? gunzipSync(bytes) : bytes).toString()))
      return
    }
    case 'truncated':
      head()
      answer.once('data', (chunk: Buffer) => {
        outgoing.write(chunk.subarray(0, fault.bytes), () => connection.reset())
      })
      return
    case 'slow-body': {
      head()
      const bytes = await buffer(answer)
      const length = Math.ceil(bytes.length / fault.pieces)
      for (let from = 0; from < bytes.length && !connection.isDead; from += length) {
        await sleep(fault.ms)
        outgoing.write(bytes.subarray(from, from + length))
      }
      outgoing.end()
      return
    }
  }
  head()
  const lagMs = fault?.kind === 'lagging' ? fault.ms : 0
  pass(answer, outgoing, connection, lagMs)
  if (isWatch(request)) {
    const watch = openWatch(answer, outgoing, connection)
    if (fault?.kind === 'closing') setTimeout(() => watch.end(fault.lastWords), fault.ms).unref()
  }
}

/** Bytes as they come, until the connection is dead. */
function pass(answer: IncomingMessage, outgoing: ServerResponse, connection: Connection, lagMs: number): void {
  const later = (act: () => void) => {
    const unlessDead = () => {
      if (!connection.isDead && !outgoing.writableEnded) act()
    }
    if (lagMs === 0) unlessDead()
    else setTimeout(unlessDead, lagMs).unref()
  }
  outgoing.flushHeaders()
  answer.on('data', (chunk: Buffer) => later(() => outgoing.write(chunk)))
  answer.on('end', () => later(() => outgoing.end()))
  answer.on('error', () => later(() => outgoing.destroy()))
}

function openWatch(answer: IncomingMessage, outgoing: ServerResponse, connection: Connection): OpenWatch {
  const watch: OpenWatch = {
    end(lastWords) {
      connection.watches.delete(watch)
      answer.removeAllListeners('data')
      answer.resume()
      if (!connection.isDead && !outgoing.writableEnded) outgoing.end(lastWords)
    },
  }
  connection.watches.add(watch)
  outgoing.on('close', () => connection.watches.delete(watch))
  return watch
}

function isWatch({ path }: Exchange): boolean {
  return path.includes('watch=true') || path.includes('watch=1')
}

function answerWith(outgoing: ServerResponse, { status, headers, body }: ProxyAnswer): void {
  outgoing.writeHead(status, headers).end(body)
}
