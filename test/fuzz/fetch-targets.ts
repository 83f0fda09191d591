import { readMarks } from '../../src/fetch/body-marks.ts'
import { loginIn, readDockerConfig } from '../../src/fetch/docker-config.ts'
import { entriesOfHost, entryFor, readHelmRepositories } from '../../src/fetch/helm-files.ts'
import { followRedirect, startHop } from '../../src/fetch/redirect.ts'
import { cleanText, serverText } from '../../src/fetch/server-text.ts'
import { readRegistries } from '../../src/inputs/registries.ts'
import { FetchError, messageOf } from '../../src/model/errors.ts'
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
  {
    name: "Docker's configuration",
    covers: ['fetch/docker-config.ts'],
    seeds: [
      '{"auths":{"https://index.docker.io/v1/":{"auth":"dXNlcjpwYXNz"},"a.example:5000":{"identitytoken":"x"}},"credsStore":"desktop"}',
      '{"auths":{"a.example":{"username":"u","password":"p"}},"credHelpers":{"a.example":"ecr-login"}}',
    ],
    read: (text) => {
      refusingWithout(text, () => {
        const config = readDockerConfig(text, 'config.json')
        for (const host of [...config.auths.keys(), 'docker.io', '__proto__']) {
          refusingWithout(text, () => loginIn(config, host, () => undefined))
        }
      })
    },
  },
  {
    name: "Helm's repositories",
    covers: ['fetch/helm-files.ts'],
    seeds: [
      'apiVersion: ""\nrepositories:\n- name: a\n  url: https://charts.example/team/\n  username: u\n  password: p\n  insecure_skip_tls_verify: false\n',
      'repositories: [&a {name: a, url: "http://[::1]:80"}, *a, {url: 1}]\n',
    ],
    read: (text) => {
      refusingWithout(text, () => {
        const repositories = readHelmRepositories(text, 'repositories.yaml')
        const entry = entryFor(hop.url, repositories)
        if (entry === undefined) return
        if (new URL(entry.url).origin !== hop.url.origin) throw new TypeError(`takes the login of ${entry.url}`)
        if (entriesOfHost(hop.url, repositories).length === 0) throw new TypeError('finds what is not there')
      })
    },
  },
  {
    name: 'marks of the cache',
    covers: ['fetch/body-marks.ts'],
    seeds: [`{"digest":"sha256:${'a'.repeat(64)}","etag":"W/\\"1\\"","lastModified":"Thu, 01 Jan 2026 00:00:00 GMT"}`],
    read: (text) => {
      const known = readMarks(text)
      if (known !== undefined && !/^sha256:[0-9a-f]{64}$/.test(known.digest)) throw new Error(known.digest)
      for (const mark of Object.values(known?.marks ?? {})) {
        if (/[^\x20-\x7e]/.test(mark)) throw new Error('a mark is no header')
      }
    },
  },
  {
    name: 'input registries',
    covers: ['inputs/registries.ts'],
    seeds: [
      '- host: registry.example:5000\n  username: robot\n  password: 0123\n- { host: ghcr.io, token: "a", plain-http: false }\n',
      '- host: "[::1]:5000"\n  ca: |\n    -----BEGIN CERTIFICATE-----\n    MIIBszCCAVmgAwIBAgIUQ\n    -----END CERTIFICATE-----\n',
      '- &a { host: a, ca: x }\n- *a\n',
    ],
    read: async (text) => {
      const nothing = { read: async () => Promise.reject(new Error('there is no file')) }
      const { registries, problems } = await readRegistries(text, nothing)
      for (const { host } of registries) if (URL.parse(`https://${host}`)?.pathname !== '/') throw new Error(host)
      const word = text
        .split(/[^\w]+/)
        .find((one) => one.length > 20 && problems.some(({ what }) => what.includes(one)))
      if (word !== undefined) throw new Error(`repeats ${word}`)
    },
  },
]

/** A refusal names the file and quotes nothing of it. */
function refusingWithout(text: string, read: () => void): void {
  refusing(() => {
    try {
      read()
    } catch (error) {
      const quoted = text.split(/\s+/).find((word) => word.length > 20 && messageOf(error).includes(word))
      if (quoted !== undefined) throw new TypeError(`quotes ${quoted}`)
      throw error
    }
  }, FetchError)
}

function requireClean(shown: string): void {
  if (shown.length > 200 || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(shown)) throw new Error(`shows ${JSON.stringify(shown)}`)
}
