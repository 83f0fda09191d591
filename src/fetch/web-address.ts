import { fetchFailure } from './fetch-failure.ts'
import type { Login } from './http.ts'
import { shown } from './wanted-version.ts'

/** An address as it may be shown, and what stood in it before. */
export interface WebAddress {
  readonly url: URL
  /** Without login, question and fragment: a question may hold a signature. */
  readonly shown: string
  /** `https://name:password@host`. */
  readonly login: Login | undefined
}

/** Reads an address of the web. Throws FetchError. */
export function readAddress(text: string): WebAddress {
  const url = URL.parse(text)
  if (url === null || !['https:', 'http:'].includes(url.protocol)) {
    const what = `"${shown(text.replace(/\/\/[^/@]*@/, '//'))}" is no address of a chart (https:// or oci://)`
    throw fetchFailure(what, { kind: 'check-address' })
  }
  const { username, password } = url
  url.username = ''
  url.password = ''
  url.hash = ''
  return {
    url,
    shown: `${url.origin}${url.pathname}`,
    login:
      username === '' && password === ''
        ? undefined
        : { kind: 'basic', username: decoded(username), password: decoded(password) },
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // A percent sign that stands for itself.
  }
}

/**
 * The address of something that an index names: relative to the repository, whose question it keeps, or anywhere. The base
 * is a folder, with or without a slash at its end. Source: Helm, pkg/repo/v1, chartrepo.go, ResolveReferenceURL.
 */
export function resolveInRepository(repository: URL, reference: string): string {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(reference)) return reference
  const base = new URL(repository)
  base.pathname = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`
  const resolved = URL.parse(reference, base.href)
  if (resolved === null) {
    throw fetchFailure(
      `the index of ${repository.origin}${repository.pathname} names "${shown(reference)}", which is no address`,
      { kind: 'ask-chart-owner' },
    )
  }
  resolved.search = base.search
  return resolved.href
}
