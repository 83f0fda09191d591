import { defined } from '../model/defined.ts'
import type { FetchError } from '../model/errors.ts'
import type { FetchHint } from '../model/fetch-hint.ts'
import { parseRetryAfter } from '../network/retry-after.ts'
import { fetchFailure } from './fetch-failure.ts'
import type { HttpAnswer } from './http.ts'
import type { Passing } from './http-retry.ts'
import { type FailedTry, SILENCE_MS } from './http-try.ts'
import { networkText } from './network-text.ts'
import type { Hop } from './redirect.ts'
import { serverText } from './server-text.ts'

/** Why a try gave nothing. */
export interface Refusal extends Passing {
  /** As one clause that names the address. */
  readonly said: string
  readonly toError: () => FetchError
}

export interface RefusedTry {
  readonly hop: Hop
  readonly tries: number
  readonly maxBytes: number
  readonly nowMs: number
}

export function httpRefusal(result: FailedTry, terms: RefusedTry): Refusal {
  const { hop, maxBytes } = terms
  switch (result.kind) {
    case 'refused':
      return refusalOfStatus(result.answer, terms)
    case 'too-large':
      return final(`${hop.shown} is larger than ${sizeText(maxBytes)}`, { kind: 'check-address' })
    case 'silent':
      return passing(`${hop.shown} sends nothing for ${SILENCE_MS / 1000} s`, { kind: 'check-network' }, terms)
    case 'failed': {
      const { what, hint, isPassing } = networkText(result, hop.url)
      const said = `${hop.shown}: ${what}`
      return isPassing ? passing(said, hint, terms, result.error) : final(said, hint, result.error)
    }
  }
}

function sizeText(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MiB` : `${Math.ceil(bytes / 1024)} KiB`
}

const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504])

function refusalOfStatus(answer: HttpAnswer, terms: RefusedTry): Refusal {
  const { hop, nowMs } = terms
  const { status } = answer
  const { what, hint } = statusText(status, hop)
  const more = serverText(answer, hop)
  const said = `${hop.shown} ${what} (${status}${more === '' ? '' : `: ${more}`})`
  if (!PASSING.has(status)) return final(said, hint)
  const retryAfterMs = parseRetryAfter(answer.header('retry-after'), nowMs)
  const wait = retryAfterMs === undefined ? '' : `, and asks to wait for ${Math.ceil(retryAfterMs / 1000)} s`
  return { ...passing(`${said}${wait}`, hint, terms), ...defined({ retryAfterMs }) }
}

function statusText(status: number, { url, login }: Hop): { readonly what: string; readonly hint: FetchHint } {
  const { host } = url
  switch (status) {
    case 401:
      return {
        what: login === undefined ? 'asks for a login' : 'does not take the login',
        hint: { kind: 'log-in', host },
      }
    case 403:
      return login === undefined
        ? { what: 'is not open to everybody', hint: { kind: 'log-in', host } }
        : { what: 'may not be read with this login', hint: { kind: 'ask-for-access' } }
    case 404:
    case 410:
      return { what: 'does not exist', hint: { kind: 'check-address-and-login' } }
    case 429:
      return { what: 'has had too many requests', hint: { kind: 'wait-for-rate-limit' } }
    default:
      return status >= 500
        ? { what: 'has an error of the server', hint: { kind: 'try-again' } }
        : { what: 'gives no answer that is of use', hint: { kind: 'check-address' } }
  }
}

function passing(said: string, hint: FetchHint, { tries }: RefusedTry, cause?: unknown): Refusal {
  const often = tries === 1 ? '' : `, ${tries} times`
  return { said, isPassing: true, toError: () => fetchFailure(`${said}${often}`, hint, cause) }
}

function final(said: string, hint: FetchHint, cause?: unknown): Refusal {
  return { said, isPassing: false, toError: () => fetchFailure(said, hint, cause) }
}
