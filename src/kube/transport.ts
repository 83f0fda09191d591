import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Agent, type Dispatcher } from 'undici'
import { defined } from '../model/defined.ts'
import { trustedAuthorities } from '../network/authorities.ts'
import { openDroppable } from '../network/droppable-connections.ts'
import type { ClientCertificate, Connection } from './connection.ts'
import { LONGEST_ANSWER_MS } from './patience.ts'

const CONNECT_TIMEOUT_MS = 10_000
/** Longest silence within an answer that is read as a whole. */
const BODY_SILENCE_MS = 30_000
/** Idle connections are closed before a load balancer in between forgets them (often 60 s). */
const KEEP_ALIVE_MS = 30_000
/** A connection that is quiet for so long is probed, once a second from then on; ten probes without an answer end it. */
const PROBE_AFTER_MS = 15_000
const BODY_LIMIT_BYTES = 256 * 1024 * 1024

/** One try of one request. */
export interface HttpTry {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path and query, escaped, from the server's root. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string
  readonly certificate?: ClientCertificate
  /** Ms without a byte after which a stream counts as dead; 0: never. Absent: the answer is read as a whole. */
  readonly streamSilenceMs?: number
  /** How long the beginning of an answer is waited for, in ms. */
  readonly answerWithinMs?: number
  /** Not behind other requests: on connections of its own. */
  readonly isUrgent?: boolean
  readonly signal?: AbortSignal
}

export interface HttpAnswer {
  readonly status: number
  header(name: string): string | undefined
  /** The whole body. Rejects where the connection breaks before its end. */
  text(): Promise<string>
  /** The body as it comes, for streams. Leaving the loop closes the connection. */
  readonly body: AsyncIterable<Uint8Array>
}

/** Speaks HTTP with one server. Rejects with the network's error where no answer comes; never repeats by itself. */
export interface Transport {
  send(request: HttpTry): Promise<HttpAnswer>
  close(): Promise<void>
}

/**
 * HTTP/1.1 with kept connections, at most `connections` at a time for requests and as many as it takes for streams: watches and
 * logs stay open for minutes and must not take the place of requests.
 */
export function createTransport(
  connection: Pick<Connection, 'server' | 'tls' | 'proxy'>,
  options: { readonly connections: number },
): Transport {
  const { origin, pathname } = new URL(connection.server)
  const prefix = pathname === '/' ? '' : pathname
  let pools: Pools | undefined
  const retired: Promise<void>[] = []

  function poolsFor(certificate: ClientCertificate | undefined): Pools {
    if (pools !== undefined && isSameCertificate(pools.certificate, certificate)) return pools
    // A plugin renewed its client certificate: requests on the old connections may end there.
    if (pools !== undefined) retired.push(closeWhenIdle(pools))
    pools = openPools(connection, certificate, options.connections)
    return pools
  }

  return {
    async send(request) {
      const { requests, streams, urgent } = poolsFor(request.certificate)
      const silenceMs = request.streamSilenceMs
      const whole = request.isUrgent === true ? urgent : requests
      const dispatcher = silenceMs === undefined ? whole : streams
      const answer = await dispatcher.request({
        origin,
        path: prefix + request.path,
        method: request.method,
        headers: request.headers as Record<string, string | string[]>,
        body: request.body ?? null,
        // Without it the connection is closed after every DELETE that has a body.
        reset: false,
        // The answer to a followed log begins with the first line of the container, whenever that is.
        headersTimeout: request.answerWithinMs ?? Math.min(silenceMs ?? LONGEST_ANSWER_MS, LONGEST_ANSWER_MS),
        bodyTimeout: silenceMs ?? BODY_SILENCE_MS,
        signal: request.signal ?? null,
      })
      const header = (name: string) => firstValue(answer.headers[name])
      return {
        status: answer.statusCode,
        header,
        text: () => answerText(answer, header('content-encoding')),
        body: answer.body,
      }
    },
    async close() {
      const open = pools
      pools = undefined
      await Promise.all([...retired, ...(open === undefined ? [] : dispatchersOf(open).map((one) => one.destroy()))])
    },
  }
}

interface Pools {
  readonly certificate: ClientCertificate | undefined
  readonly requests: Dispatcher
  readonly streams: Dispatcher
  readonly urgent: Dispatcher
}

function dispatchersOf({ requests, streams, urgent }: Pools): readonly Dispatcher[] {
  return [requests, streams, urgent]
}

function openPools(
  connection: Pick<Connection, 'server' | 'tls' | 'proxy'>,
  certificate: ClientCertificate | undefined,
  connections: number,
): Pools {
  const { server, tls, proxy } = connection
  const isSecure = server.startsWith('https:') && !tls.isUnverified
  const ca = tls.authority ?? (isSecure ? [...trustedAuthorities()] : undefined)
  const keepAlive = { keepAlive: true, keepAliveInitialDelay: PROBE_AFTER_MS }
  const secure = {
    ...keepAlive,
    rejectUnauthorized: !tls.isUnverified,
    ...defined({ ca, servername: tls.serverName }),
    ...(certificate === undefined ? {} : { cert: certificate.certificate, key: certificate.key }),
  }
  const open = (limits: Agent.Options): Dispatcher => {
    const ownTls = { ...keepAlive, ca: [...trustedAuthorities()], allowH2: false, timeout: CONNECT_TIMEOUT_MS }
    const through = proxy === undefined ? undefined : { url: new URL(proxy), tls: ownTls }
    const connect = openDroppable({ ...secure, allowH2: false, timeout: CONNECT_TIMEOUT_MS }, through)
    return new Agent({ ...limits, allowH2: false, keepAliveTimeout: KEEP_ALIVE_MS, connect })
  }
  return {
    certificate,
    requests: open({ connections, maxResponseSize: BODY_LIMIT_BYTES }),
    streams: open({}),
    urgent: open({ connections: 1, maxResponseSize: BODY_LIMIT_BYTES }),
  }
}

async function closeWhenIdle(pools: Pools): Promise<void> {
  await Promise.all(dispatchersOf(pools).map((one) => one.close()))
}

function isSameCertificate(a: ClientCertificate | undefined, b: ClientCertificate | undefined): boolean {
  return a?.certificate === b?.certificate && a?.key === b?.key
}

const unzip = promisify(gunzip)

async function answerText(answer: Dispatcher.ResponseData, encoding: string | undefined): Promise<string> {
  if (encoding !== 'gzip') return answer.body.text()
  const packed = await buffer(answer.body)
  return (await unzip(packed, { maxOutputLength: BODY_LIMIT_BYTES })).toString('utf8')
}

function firstValue(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0]
}
