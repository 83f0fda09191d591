import type { FetchError } from '../model/errors.ts'
import type { RegistryAccess } from '../ports.ts'
import { fetchFailure } from './fetch-failure.ts'
import type { HttpAnswer, HttpRequest, Login } from './http.ts'
import { accessTo } from './registry-access.ts'
import { shownAddress } from './shown-address.ts'

/** One address on the way to what was asked for. */
export interface Hop {
  /** Without a login in it. */
  readonly url: URL
  /** As errors name it; after a redirect also what was asked for. */
  readonly shown: string
  readonly first: string
  readonly redirects: number
  /** Undefined from the first redirect to another scheme, host or port on, also where a later one leads back. */
  readonly login: Login | undefined
}

const MAX_REDIRECTS = 10
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status)
}

/** Throws FetchError. */
export function startHop({ url: text, login }: HttpRequest, registries: readonly RegistryAccess[]): Hop {
  const url = URL.parse(text)
  // Nothing of it is quoted: what cannot be taken apart may hold a password anywhere.
  if (url === null) throw fetchFailure('an address of a chart is not valid', { kind: 'check-address' })
  const own = loginIn(url)
  url.username = ''
  url.password = ''
  url.hash = ''
  const shown = shownAddress(url)
  requireSafe(url, shown, registries)
  return { url, shown, first: shown, redirects: 0, login: login ?? own }
}

function loginIn({ username, password }: URL): Login | undefined {
  if (username === '' && password === '') return undefined
  return { kind: 'basic', username: unescaped(username), password: unescaped(password) }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // A percent sign that stands for itself.
  }
}

/** Where the answer leads. Throws FetchError where nobody should follow. */
export function followRedirect(
  hop: Hop,
  answer: HttpAnswer,
  terms: { readonly registries: readonly RegistryAccess[]; readonly isForm: boolean },
): Hop {
  const url = URL.parse(answer.header('location') ?? '', hop.url.href)
  const refused = (what: string): FetchError => fetchFailure(`${hop.shown} ${what}`, { kind: 'check-address' })
  if (!answer.header('location') || url === null) throw refused(`answers ${answer.status} without an address`)
  if (terms.isForm) throw refused(`answers ${answer.status}, and a form is not sent elsewhere`)
  if (hop.redirects === MAX_REDIRECTS) throw refused(`leads on after ${MAX_REDIRECTS} redirects`)
  if (url.username !== '' || url.password !== '') throw refused('leads to an address with a login in it')
  url.hash = ''
  const target = shownAddress(url)
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw refused(`leads from https to ${target}, where anybody on the way could change it`)
  }
  const shown = `${target} (where ${hop.first} leads)`
  requireSafe(url, shown, terms.registries)
  return {
    ...hop,
    url,
    shown,
    redirects: hop.redirects + 1,
    login: url.origin === hop.url.origin ? hop.login : undefined,
  }
}

function requireSafe(url: URL, shown: string, registries: readonly RegistryAccess[]): void {
  if (url.protocol === 'https:') return
  if (url.protocol !== 'http:') throw fetchFailure(`${shown} is not an address of https`, { kind: 'check-address' })
  if (accessTo(url, registries)?.isPlainHttp === true) return
  throw fetchFailure(`${shown} is not encrypted`, { kind: 'allow-plain-http', host: url.host })
}
