import { followRedirect, startHop } from '../../src/fetch/redirect.ts'
import { cleanText, serverText } from '../../src/fetch/server-text.ts'
import { FetchError } from '../../src/model/errors.ts'
import { refusing } from './refusals.ts'
import type { Target } from './target.ts'

const PASSWORD = 'hunter22-of-robot'
const registries = [{ host: 'registry.example:5000', isPlainHttp: true }]
const hop = startHop(
  {
    url: 'https://charts.example/a?sig=f00f00',
    maxBytes: 1,
    login: { kind: 'basic', username: 'robot', password: PASSWORD },
  },
  registries,
)

/** What servers of charts say, and what lies on the machine about them. */
export const fetchTargets: readonly Target[] = [
  {
    name: 'answers of servers of charts',
    covers: ['fetch/server-text.ts'],
    seeds: [
      '{"errors":[{"code":"DENIED","message":"requested access is denied"}]}',
      `{"message":"${PASSWORD}"}`,
      '{"error":"a","error_description":"b\\u001b[31m\\n::error::c"}',
    ],
    read: (text) => {
      for (const type of ['application/json', 'text/plain']) {
        const shown = serverText(
          { status: 403, body: new TextEncoder().encode(text), url: hop.url, header: () => type },
          hop,
        )
        requireClean(shown)
        if (shown.includes(PASSWORD) || shown.includes('f00f00')) throw new Error('shows what was sent')
      }
      requireClean(cleanText(text, []))
    },
  },
  {
    name: 'redirects',
    covers: ['fetch/redirect.ts'],
    seeds: [
      '/b',
      '//other.example/b',
      'https://a:b@c/d',
      'http://registry.example:5000/',
      'https://charts.example:443/c',
    ],
    read: (text) => {
      refusing(() => startHop({ url: text, maxBytes: 1 }, registries), FetchError)
      refusing(() => {
        const answer = { status: 302, body: new Uint8Array(0), url: hop.url, header: () => text }
        const next = followRedirect(hop, answer, { registries, isForm: false })
        const isElsewhere = next.url.origin !== 'https://charts.example'
        if (next.url.protocol !== 'https:' || (isElsewhere && next.login !== undefined))
          throw new TypeError(next.url.href)
      }, FetchError)
    },
  },
]

function requireClean(shown: string): void {
  if (shown.length > 200 || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(shown)) throw new Error(`shows ${JSON.stringify(shown)}`)
}
