import { readFile } from 'node:fs/promises'
import { defined } from '../model/defined.ts'
import type { FetchParts } from './fetch-parts.ts'
import type { HttpAnswer, Login } from './http.ts'

export interface Asked {
  readonly url: string
  readonly accept: string
  readonly maxBytes: number
  readonly login: Login | undefined
  /** Statuses that come back as an answer, as in `HttpRequest`. */
  readonly expected?: readonly number[]
}

export interface Got {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Undefined where the server says that nothing has changed since the last run. */
  readonly answer: HttpAnswer | undefined
  /**
   * Keeps it under its address for the next run, and gives its path. Undefined where that may not be: what is given to one
   * login is not for another, and what the server does not mark can only be asked for anew.
   */
  readonly remember: (() => Promise<string>) | undefined
}

/** A body that may have changed since the last run: it comes again only where it has. */
export async function getUnlessSame(asked: Asked, { http, cache }: FetchParts): Promise<Got> {
  const { url, accept, maxBytes, login, expected = [] } = asked
  const known = login === undefined ? await cache.remembered(url) : undefined
  const headers = defined({ 'If-None-Match': known?.etag, 'If-Modified-Since': known?.lastModified })
  const request = { url, accept, maxBytes, ...defined({ login }) }
  if (known !== undefined && Object.keys(headers).length > 0) {
    const answer = await http.get({ ...request, headers, expected: [304, ...expected] })
    if (answer.status !== 304) return fresh(answer, asked, cache)
    const kept = await readFile(known.path).catch(() => undefined)
    if (kept !== undefined) {
      return { bytes: new Uint8Array(kept), answer: undefined, remember: () => Promise.resolve(known.path) }
    }
  }
  return fresh(await http.get({ ...request, expected }), asked, cache)
}

function fresh(answer: HttpAnswer, { url, login }: Asked, cache: FetchParts['cache']): Got {
  const marks = defined({ etag: answer.header('etag'), lastModified: answer.header('last-modified') })
  const isKept = login === undefined && Object.keys(marks).length > 0
  return {
    bytes: answer.body,
    answer,
    remember: isKept ? () => cache.remember(url, marks, answer.body) : undefined,
  }
}
