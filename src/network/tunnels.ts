import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type buildConnector, Client, errors } from 'undici'
import { messageOf } from '../model/errors.ts'

/** A proxy that is slower than this at reaching the server is asked again on another connection, in ms. */
const TUNNEL_TIMEOUT_MS = 30_000

/**
 * Makes the proxy at the other end of the socket pass on whatever comes through it from then on: by CONNECT, or as SOCKS5
 * does (RFC 1928 and 1929), which leaves the name of the server to the proxy. Rejects where it does not.
 */
export async function openTunnel(proxy: URL, socket: Socket, target: buildConnector.Options): Promise<void> {
  const ask = proxy.protocol === 'socks5:' ? askBySocks : askByConnect
  const login = { username: decodeURIComponent(proxy.username), password: decodeURIComponent(proxy.password) }
  const tooSlow = () => socket.destroy(new Error(`no answer within ${TUNNEL_TIMEOUT_MS / 1000} s`))
  socket.setTimeout(TUNNEL_TIMEOUT_MS, tooSlow)
  const refusal = await ask(socket, target, login).catch((error: unknown) => {
    return { message: messageOf(error), isPassing: true }
  })
  socket.setTimeout(0).off('timeout', tooSlow)
  if (refusal === undefined) return
  socket.destroy()
  const message = `the proxy at ${proxy.host}: ${refusal.message}`
  throw refusal.isPassing ? new errors.ProxyConnectionError(undefined, message) : new Error(message)
}

/** The port of a server or proxy whose address names none. */
export function portOf({ port, protocol }: { readonly port: string; readonly protocol: string }): string {
  return port || (DEFAULT_PORTS.get(protocol) ?? '80')
}

const DEFAULT_PORTS: ReadonlyMap<string, string> = new Map([
  ['https:', '443'],
  ['socks5:', '1080'],
])

const CLOSED = 'it closed the connection'

interface Login {
  readonly username: string
  readonly password: string
}

interface Refusal {
  readonly message: string
  /** It may do so when it is asked again. */
  readonly isPassing: boolean
}

async function askByConnect(
  socket: Socket,
  target: buildConnector.Options,
  { username, password }: Login,
): Promise<Refusal | undefined> {
  // Its socket is there already, but a client that gets it at once does not notice.
  const client = new Client('http://proxy', {
    connect: (_address, callback) =>
      queueMicrotask(() => (socket.destroyed ? callback(new Error(CLOSED), null) : callback(null, socket))),
  })
  const { host = target.hostname } = target
  const address = target.port === '' ? `${host}:${portOf(target)}` : host
  const login = Buffer.from(`${username}:${password}`).toString('base64')
  const headers = { host: address, ...(username === '' ? {} : { 'proxy-authorization': `Basic ${login}` }) }
  const { statusCode } = await client.connect({ path: address, headers })
  if (statusCode === 200) return undefined
  return { message: `it answered ${statusCode} to CONNECT ${address}`, isPassing: statusCode >= 500 }
}

const SOCKS = 5
const NO_LOGIN = 0
const WITH_LOGIN = 2
const CONNECT = 1
const BY_NAME = 3
/** Bytes of the address that an answer ends with, by its type; a name says how long it is. */
const ADDRESS_BYTES: ReadonlyMap<number, number> = new Map([
  [1, 4],
  [4, 16],
])
/** Not allowed, not able to: the same whenever it is asked. */
const FINAL_ANSWERS: ReadonlySet<number> = new Set([2, 7, 8])

async function askBySocks(
  socket: Socket,
  target: buildConnector.Options,
  { username, password }: Login,
): Promise<Refusal | undefined> {
  const methods = username === '' ? [NO_LOGIN] : [NO_LOGIN, WITH_LOGIN]
  socket.write(Buffer.from([SOCKS, methods.length, ...methods]))
  const [version, method] = await readBytes(socket, 2)
  if (version !== SOCKS) return { message: 'it does not speak SOCKS5', isPassing: false }
  if (method === WITH_LOGIN) {
    socket.write(Buffer.concat([Buffer.from([1]), withLength(username), withLength(password)]))
    const [, isWrong] = await readBytes(socket, 2)
    if (isWrong !== 0) return { message: 'it refuses user and password', isPassing: false }
  } else if (method !== NO_LOGIN) {
    return { message: 'it wants another login than user and password', isPassing: false }
  }

  const port = Buffer.alloc(2)
  port.writeUInt16BE(Number(portOf(target)))
  socket.write(Buffer.concat([Buffer.from([SOCKS, CONNECT, 0, BY_NAME]), withLength(target.hostname), port]))
  const [, answer = 1, , type = 1] = await readBytes(socket, 4)
  if (answer !== 0) {
    const message = `it answered ${answer} to a connection with ${target.host}`
    return { message, isPassing: !FINAL_ANSWERS.has(answer) }
  }
  const addressBytes = ADDRESS_BYTES.get(type) ?? (await readBytes(socket, 1))[0] ?? 0
  await readBytes(socket, addressBytes + port.length)
  return undefined
}

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

/** Exactly so many: what comes after them belongs to the server's answers. */
async function readBytes(socket: Socket, count: number): Promise<Buffer> {
  for (;;) {
    const bytes: Buffer | null = socket.read(count)
    if (bytes?.length === count) return bytes
    if (socket.destroyed || socket.readableEnded) throw new Error(CLOSED)
    const seen = new AbortController()
    await Promise.race([once(socket, 'readable', seen), once(socket, 'close', seen)]).finally(() => seen.abort())
  }
}
