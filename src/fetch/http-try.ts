import type { Dispatcher } from 'undici'
import type { Clock } from '../ports.ts'
import type { HttpAnswer, HttpForm, HttpRequest, Login } from './http.ts'
import { type Hop, isRedirect } from './redirect.ts'

/** Longest time without a byte, in ms. */
export const SILENCE_MS = 30_000
/** What is read of an answer that is not wanted. */
const REFUSAL_LIMIT_BYTES = 8 * 1024

export type TryResult = { readonly kind: 'answer'; readonly answer: HttpAnswer } | FailedTry

export type FailedTry =
  /** Its body is the beginning of what the server says. */
  | { readonly kind: 'refused'; readonly answer: HttpAnswer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'silent' }
  /** `isBroken`: amid an answer. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly isBroken: boolean }

export interface TryTerms {
  readonly dispatcher: Dispatcher
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** One request, one answer. Throws the signal's reason where that ends it. */
export async function tryOnce(
  request: HttpRequest & Partial<HttpForm>,
  hop: Hop,
  { dispatcher, clock, signal }: TryTerms,
): Promise<TryResult> {
  const silence = watchSilence(clock)
  let isBroken = false
  try {
    const answer = await dispatcher.request({
      ...sentMessage(request, hop),
      // Counted by our own clock, and not for each part of an answer.
      headersTimeout: 0,
      bodyTimeout: 0,
      signal: AbortSignal.any([signal, silence.signal]),
    })
    isBroken = true
    silence.heard()
    const header = (name: string) => firstOf(answer.headers[name.toLowerCase()])
    const status = answer.statusCode
    const isWanted = (status >= 200 && status < 300) || (request.expected ?? []).includes(status)
    const limit = isWanted ? request.maxBytes : REFUSAL_LIMIT_BYTES
    const body = await readBody(answer.body, { limit, announced: Number(header('content-length')), ...silence })
    if (isWanted && body.isCut) return { kind: 'too-large' }
    const whole: HttpAnswer = { status, body: body.bytes, url: hop.url, header }
    return { kind: isWanted || isRedirect(status) ? 'answer' : 'refused', answer: whole }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    return silence.signal.aborted ? { kind: 'silent' } : { kind: 'failed', error, isBroken }
  } finally {
    await silence.close()
  }
}

function sentMessage({ accept, headers, form }: HttpRequest & Partial<HttpForm>, { url, login }: Hop) {
  const own = {
    // A server may compress what nobody asked it to, and a bomb would be read.
    'accept-encoding': 'identity',
    'user-agent': 'staged-helm-deploy',
    accept: accept ?? '*/*',
    ...(login === undefined ? {} : { authorization: authorizationOf(login) }),
    ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
  }
  return {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: form === undefined ? ('GET' as const) : ('POST' as const),
    headers: { ...conditionsIn(headers), ...own },
    body: form === undefined ? null : new URLSearchParams(form).toString(),
  }
}

function conditionsIn(headers: HttpRequest['headers'] = {}): Readonly<Record<string, string>> {
  const isCondition = (name: string) => /^if-(?:none-match|modified-since)$/i.test(name)
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isCondition(name)))
}

export function authorizationOf(login: Login): string {
  if (login.kind === 'bearer') return `Bearer ${login.token}`
  return `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`
}

interface BodyTerms {
  readonly limit: number
  /** What `Content-Length` says; NaN where there is none. */
  readonly announced: number
  readonly heard: () => void
}

async function readBody(
  body: AsyncIterable<Uint8Array> & { destroy(): void; on(event: 'error', listener: () => void): unknown },
  { limit, announced, heard }: BodyTerms,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly isCut: boolean }> {
  // A body that is left before its end fails for nobody.
  body.on('error', () => undefined)
  if (announced > limit) {
    body.destroy()
    return { bytes: new Uint8Array(0), isCut: true }
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    heard()
    chunks.push(chunk)
    length += chunk.length
    if (length > limit) break
  }
  const bytes = new Uint8Array(Math.min(length, limit))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk.subarray(0, bytes.length - at), at)
    at = Math.min(at + chunk.length, bytes.length)
  }
  return { bytes, isCut: length > limit }
}

interface Silence {
  /** Fires when nothing was heard for too long. */
  readonly signal: AbortSignal
  readonly heard: () => void
  readonly close: () => Promise<void>
}

function watchSilence(clock: Clock): Silence {
  const over = new AbortController()
  const closed = new AbortController()
  let heardMs = clock.now()
  const watch = async (): Promise<void> => {
    for (let leftMs = SILENCE_MS; leftMs > 0; leftMs = heardMs + SILENCE_MS - clock.now()) {
      await clock.sleep(leftMs, closed.signal)
    }
    over.abort()
  }
  const watching = watch().catch(() => {
    // The answer was there in time.
  })
  return {
    signal: over.signal,
    heard: () => {
      heardMs = clock.now()
    },
    close: async () => {
      closed.abort()
      await watching
    },
  }
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0]
}
