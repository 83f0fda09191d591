import { messageOf } from '../model/errors.ts'
import type { FetchHint } from '../model/fetch-hint.ts'
import { networkCode } from '../network/network-code.ts'
import { cleanText } from './server-text.ts'

/** What an error of the network means, without the address. `isPassing`: it may be gone when it is tried again. */
export interface NetworkText {
  readonly what: string
  readonly hint: FetchHint
  readonly isPassing: boolean
}

export function networkText(
  { error, isBroken }: { readonly error: unknown; readonly isBroken: boolean },
  { host, hostname }: URL,
): NetworkText {
  const code = networkCode(error)
  const final = (what: string, hint: FetchHint): NetworkText => ({ what, hint, isPassing: false })
  const checkNetwork = { kind: 'check-network' } as const
  if (UNKNOWN_AUTHORITY.has(code)) {
    const what = `the certificate of ${host} is from an authority that this machine does not know`
    return final(what, { kind: 'trust-authority', host })
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return final(`the certificate of ${host} is for another name${namesIn(error)}`, { kind: 'check-address' })
  }
  if (code === 'CERT_HAS_EXPIRED') return final(`the certificate of ${host} has expired`, { kind: 'try-again' })
  if (code === 'CERT_NOT_YET_VALID') return final(`the certificate of ${host} is not valid yet`, { kind: 'try-again' })
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return final(`${host} does not speak TLS`, { kind: 'allow-plain-http', host })
  }
  if (code === 'ECONNREFUSED') return final(`${host} refuses connections`, checkNetwork)
  if (code === 'ENOTFOUND') return final(`the name ${hostname} is not known`, checkNetwork)
  if (code === 'EAI_AGAIN') {
    return { what: `the name ${hostname} cannot be looked up just now`, hint: checkNetwork, isPassing: true }
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return final('the headers of the answer are too large', { kind: 'check-address' })
  const isPassing = BROKEN.has(code) || code.startsWith('HPE_INVALID_EOF')
  if (isPassing && isBroken) return { what: 'the answer breaks off', hint: { kind: 'try-again' }, isPassing }
  const detail = cleanText(messageOf(error), [])
  return {
    what: `${host} cannot be reached: ${detail}${code === '' ? '' : ` (${code})`}`,
    hint: checkNetwork,
    isPassing,
  }
}

const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
])

const BROKEN: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_PRX_CONN',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
])

function namesIn(error: unknown): string {
  const names =
    error instanceof Error && 'cert' in error && typeof error.cert === 'object' && error.cert !== null
      ? (error.cert as { readonly subjectaltname?: unknown }).subjectaltname
      : undefined
  return typeof names === 'string' ? ` (${cleanText(names, [])})` : ''
}
