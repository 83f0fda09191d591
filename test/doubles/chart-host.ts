import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer, request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

export interface ChartHostOptions {
  readonly serves:
    | { readonly kind: 'folder'; readonly path: string }
    /** A folder in it for each name by which clients ask. */
    | { readonly kind: 'hosts'; readonly path: string }
    /** Passes everything on to a server on the loopback address, which speaks TLS. */
    | { readonly kind: 'server'; readonly port: number; readonly authority: string }
  /** Plain HTTP without. */
  readonly tls?: { readonly cert: string; readonly key: string }
  readonly login?: { readonly username: string; readonly password: string }
}

/** What a server does in place of a good answer. */
export type ChartHostFault =
  /** Redirects, refusals, pages that are no charts. */
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers?: OutgoingHttpHeaders
      readonly body?: string | Uint8Array
    }
  /** One byte in the middle is another. */
  | { readonly kind: 'damaged' }
  /** The connection ends after half of the bytes that were announced. */
  | { readonly kind: 'truncated' }
  /** Half of the bytes, and then none. */
  | { readonly kind: 'stalled' }
  /** Bytes, for as long as somebody reads them. */
  | { readonly kind: 'endless' }
  /** The connection ends without an answer. */
  | { readonly kind: 'cut-off' }

export interface ChartHostRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly status: number
}

/** A repository of charts, or what stands in front of a registry, that breaks what it is told to break. */
export interface ChartHost {
  readonly port: number
  readonly requests: readonly ChartHostRequest[]
  /** Over the connection that was used last: so that a test can see that nobody read on and on. */
  sentBytes(): number
  /** The next `times` requests for matching paths (all of them where absent) end in this fault. */
  fail(path: RegExp, fault: ChartHostFault, times?: number): void
  /** Forgets faults and requests. */
  calm(): void
  close(): Promise<void>
}

const PIECE = Buffer.alloc(65_536, 'endless ')

export async function startChartHost({ serves, tls, login }: ChartHostOptions): Promise<ChartHost> {
  const requests: ChartHostRequest[] = []
  let faults: Planned[] = []
  let sent = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    response.on('close', () => {
      sent = response.socket?.bytesWritten ?? sent
    })
    const fault = nextFault(path)
    const good = fault?.kind === 'answer' ? undefined : await goodAnswer(request)
    const { status = 200, headers = {}, body = '' } = fault?.kind === 'answer' ? fault : (good ?? {})
    requests.push({ method: request.method ?? '', path, headers: request.headers, status })
    if (fault?.kind === 'cut-off') {
      response.socket?.destroy()
      return
    }
    send(response, { status, headers, body: Buffer.from(body) }, fault)
  }

  function nextFault(path: string): ChartHostFault | undefined {
    const found = faults.find((planned) => planned.left > 0 && planned.path.test(path))
    if (found === undefined) return undefined
    found.left -= 1
    return found.fault
  }

  function goodAnswer(request: IncomingMessage): Promise<Answer> {
    if (login !== undefined && request.headers.authorization !== basic(login)) {
      const headers = { 'www-authenticate': 'Basic realm="charts"' }
      return Promise.resolve({ status: 401, headers, body: Buffer.from('Unauthorized') })
    }
    if (serves.kind === 'server') return passedOn(serves, request)
    return fileAnswer(serves.kind === 'folder' ? serves.path : join(serves.path, request.headers.host ?? ''), request)
  }

  const listener = (request: IncomingMessage, response: ServerResponse) => void answer(request, response)
  const server: Server = tls === undefined ? createHttpServer(listener) : createHttpsServer(tls, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    sentBytes: () => sent,
    fail: (path, fault, times = Number.POSITIVE_INFINITY) => void faults.push({ path, fault, left: times }),
    calm: () => {
      faults = []
      requests.length = 0
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}

interface Planned {
  readonly path: RegExp
  readonly fault: ChartHostFault
  left: number
}

interface Answer {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
}

function basic({ username, password }: { readonly username: string; readonly password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** With an ETag, as static file servers give it. */
async function fileAnswer(folder: string, request: IncomingMessage): Promise<Answer> {
  const { pathname } = new URL(request.url ?? '/', 'http://server')
  const body = await readFile(join(folder, normalize(decodeURIComponent(pathname)))).catch(() => undefined)
  if (body === undefined) return { status: 404, headers: {}, body: Buffer.from('Not Found') }
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`
  if (request.headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: Buffer.alloc(0) }
  const type = pathname.endsWith('.yaml') ? 'text/yaml' : 'application/gzip'
  return { status: 200, headers: { etag, 'content-type': type }, body }
}

async function passedOn(
  { port, authority }: { readonly port: number; readonly authority: string },
  request: IncomingMessage,
): Promise<Answer> {
  const { method, url: path, headers } = request
  const body = await buffer(request)
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, headers, ca: authority, servername: 'localhost' }
    const onward = httpsRequest(options, (response) => {
      const { 'transfer-encoding': _, ...kept } = response.headers
      buffer(response).then(
        (answered) => resolve({ status: response.statusCode ?? 502, headers: kept, body: answered }),
        reject,
      )
    })
    onward.on('error', reject).end(body)
  })
}

function send(response: ServerResponse, answer: Answer, fault: ChartHostFault | undefined): void {
  const { status, headers, body } = answer
  switch (fault?.kind) {
    case 'endless': {
      const { 'content-length': _, ...kept } = headers
      response.writeHead(status, kept)
      pipeline(Readable.from(endlessly()), response, () => undefined)
      return
    }
    case 'truncated':
    case 'stalled': {
      response.writeHead(status, { ...headers, 'content-length': body.length })
      response.write(body.subarray(0, body.length / 2), () => {
        if (fault.kind === 'truncated') response.socket?.destroy()
      })
      return
    }
    case 'damaged': {
      const middle = Math.floor(body.length / 2)
      const damaged = Buffer.from(body)
      damaged[middle] = (damaged[middle] ?? 0) ^ 1
      response.writeHead(status, headers).end(damaged)
      return
    }
    default:
      response.writeHead(status, headers).end(body)
  }
}

function* endlessly(): Generator<Buffer> {
  for (;;) yield PIECE
}
