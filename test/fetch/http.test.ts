import type { RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { makeAuthority } from '../doubles/certificates.ts'
import { startChartServer } from '../doubles/chart-server.ts'
import { fakeClock } from '../doubles/fake-clock.ts'
import { startTunnelProxy } from '../doubles/tunnel-proxy.ts'
import { authority, givenHttp, refusal, tls, trusted } from './given-http.ts'

const KIB = 1024
const basic = { kind: 'basic', username: 'robot', password: 's3cret-word' } as const
const encoded = Buffer.from('robot:s3cret-word').toString('base64')

const says =
  (text: string): RequestListener =>
  (_request, response) =>
    void response.end(text)

const answers =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = ''): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body)

async function get(answer: RequestListener, path = '/index.yaml', more: object = {}) {
  const server = await startChartServer(answer, { tls })
  const http = givenHttp([server.host])
  const got = http.get({ url: `${server.url}${path}`, maxBytes: 64 * KIB, ...more })
  // The test may look at the server first.
  got.catch(() => undefined)
  return { server, got }
}

test('a body comes as it was sent, with status, headers and address', async () => {
  const { server, got } = await get(answers(200, { ETag: '"1"', 'content-encoding': 'gzip' }, 'as it is'))
  const { status, body, url, header } = await got
  expect([status, new TextDecoder().decode(body), url.href, header('etag')]).toEqual([
    200,
    'as it is',
    `${server.url}/index.yaml`,
    '"1"',
  ])
})

test('a server is not asked to compress, and sees no headers of the caller but conditions', async () => {
  const { server, got } = await get(says(''), '/', {
    headers: { 'If-None-Match': '"1"', Authorization: 'Basic eDp5', cookie: 'a' },
  })
  await got
  const { host: _, connection: __, ...headers } = server.requests[0]?.headers ?? {}
  expect(headers).toEqual({
    accept: '*/*',
    'accept-encoding': 'identity',
    'if-none-match': '"1"',
    'user-agent': 'staged-helm-deploy',
  })
})

test('a status that is expected is an answer', async () => {
  const { got } = await get(answers(404, {}, 'none'), '/a', { expected: [404] })
  expect((await got).status).toBe(404)
})

test('a form is posted', async () => {
  let body = ''
  const server = await startChartServer(
    (request, response) => {
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => response.end('ok'))
    },
    { tls },
  )
  await givenHttp([server.host]).postForm({ url: `${server.url}/token`, maxBytes: 10, form: { a: 'b c', d: '&' } })
  expect([server.seen, body]).toEqual([['POST /token'], 'a=b+c&d=%26'])
})

test.each<[number, object, string]>([
  [
    401,
    {},
    'asks for a login (401); log in to HOST in a step before (docker/login-action), or write it in input registries',
  ],
  [
    401,
    { login: basic },
    'does not take the login (401); log in to HOST in a step before (docker/login-action), or write it in input registries',
  ],
  [
    403,
    {},
    'is not open to everybody (403); log in to HOST in a step before (docker/login-action), or write it in input registries',
  ],
  [403, { login: basic }, 'may not be read with this login (403); give this account the right to read it'],
  [404, {}, 'does not exist (404); check the address and the name, and the login where not everybody may read it'],
  [418, {}, 'gives no answer that is of use (418); check the address and the name'],
  [501, {}, 'has an error of the server (501); run again; if it stays so, ask those who run the server'],
])('%i with %j says what it means, and is not tried again', async (status, more, text) => {
  const { server, got } = await get(answers(status), '/index.yaml', more)
  expect(await refusal(got)).toBe(`${server.url}/index.yaml ${text.replace('HOST', server.host)}`)
  expect(server.seen).toHaveLength(1)
})

test('what a registry says is told on one line, bounded, and without what it was sent', async () => {
  const message = `denied:\r\n::error::x ${encoded} s3cret-word token=abcdef ${'long '.repeat(100)}`
  const body = JSON.stringify({ errors: [{ code: 'DENIED', message }] })
  const { server, got } = await get(
    answers(403, { 'content-type': 'application/json; charset=utf-8' }, body),
    '/a?token=abcdef',
    {
      login: basic,
    },
  )
  const text = await refusal(got)
  expect(text).toMatch(
    /^\S+\/a may not be read with this login \(403: denied: ::error::x \*\*\* \*\*\* \*\*\* long long .*\.\.\.\); /,
  )
  expect(text.length).toBeLessThan(server.url.length + 400)
})

test.each(['text/html', 'application/octet-stream', 'application/json'])(
  'a page of %s is not repeated',
  async (type) => {
    const { got } = await get(answers(404, { 'content-type': type }, '<html>no such thing</html>'))
    expect(await refusal(got)).toContain('does not exist (404); ')
  },
)

test('an endless text of a refusal is not read to its end', async () => {
  const { got } = await get((_request, response) => endless(response.writeHead(404, { 'content-type': 'text/plain' })))
  expect(await refusal(got)).toContain('does not exist (404: aaa')
})

// What a hostile server sends.

function endless(response: ServerResponse): void {
  const chunk = 'a'.repeat(16 * KIB)
  const more = () => {
    while (!response.destroyed && response.write(chunk)) {
      // Until the client reads no more.
    }
  }
  response.on('drain', more).on('error', () => undefined)
  more()
}

test('a body without end is cut off at its limit', async () => {
  let sentBytes = () => 0
  const { server, got } = await get((request, response) => {
    sentBytes = () => request.socket.bytesWritten
    endless(response)
  })
  expect(await refusal(got)).toBe(`${server.url}/index.yaml is larger than 64 KiB; check the address and the name`)
  expect(server.seen).toHaveLength(1)
  // What lies in the network in between, and no more.
  expect(sentBytes()).toBeLessThan(16 * KIB * KIB)
})

test('a body that is announced as too large is not read', async () => {
  const { got } = await get(answers(200, { 'content-length': '1000000' }))
  expect(await refusal(got)).toContain('is larger than 64 KiB')
})

test('a body of just the limit is taken', async () => {
  const { got } = await get(says('a'.repeat(64 * KIB)))
  expect((await got).body).toHaveLength(64 * KIB)
})

test('long headers are taken, as stores of objects send them', async () => {
  const { got } = await get(answers(200, { 'x-long': 'a'.repeat(40 * KIB) }))
  expect((await got).status).toBe(200)
})

test('headers without end are refused', async () => {
  const { got } = await get(answers(200, { 'x-long': 'a'.repeat(100 * KIB) }))
  expect(await refusal(got)).toContain('the headers of the answer are too large')
})

test.each<[string, RequestListener]>([
  [
    'announced',
    (_request, response) =>
      response.writeHead(200, { 'content-length': '100' }).write('some', () => response.destroy()),
  ],
  ['in chunks', (_request, response) => response.write('some', () => response.destroy())],
])('a truncated body is no body, %s, and is asked for again', async (_how, answer) => {
  const clock = fakeClock()
  const server = await startChartServer(answer, { tls })
  const http = givenHttp([server.host], { clock, onRetry: () => setImmediate(() => void clock.advance(10_000)) })
  const text = await refusal(http.get({ url: `${server.url}/a.tgz`, maxBytes: KIB }))
  expect(text).toContain(`${server.url}/a.tgz: the answer breaks off, 5 times; run again`)
  expect(server.seen).toHaveLength(5)
})

test('what is not HTTP is refused at once', async () => {
  const server = createServer((socket) => void socket.on('error', () => undefined).end('220 smtp ready\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const registries = [{ host: `127.0.0.1:${port}`, isPlainHttp: true }]
  const text = await refusal(givenHttp([], { registries }).get({ url: `http://127.0.0.1:${port}/a`, maxBytes: KIB }))
  server.close()
  expect(text).toContain(`127.0.0.1:${port} cannot be reached: `)
})

test.each([
  ['nothing at all', (_response: ServerResponse) => undefined],
  ['the beginning of a body', (response: ServerResponse) => void response.write('some')],
])('a server that sends %s and then stays silent is left after 30 s', async (_what, begin) => {
  const clock = fakeClock()
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const server = await startChartServer(
    (_request, response) => {
      begin(response)
      resolve()
    },
    { tls },
  )
  const waits: string[] = []
  const http = givenHttp([server.host], { clock, timeoutSeconds: 31, onRetry: (line) => waits.push(line) })
  const got = refusal(http.get({ url: `${server.url}/a`, maxBytes: KIB }))
  await asked
  await clock.advance(30_000)
  expect(await got).toContain(`${server.url}/a sends nothing for 30 s; check the address, the proxy and the network`)
  expect(waits).toEqual([])
})

test('a server that drips is left when the time is over', async () => {
  const clock = fakeClock()
  const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>()
  const server = await startChartServer((_request, response) => resolve(response), { tls })
  const got = refusal(givenHttp([server.host], { clock, timeoutSeconds: 20 }).get({ url: server.url, maxBytes: KIB }))
  const response = await asked
  response.write('a')
  await clock.advance(20_000)
  expect(await got).toContain(`${server.url}/ is not there after 20 s`)
})

test('the signal ends a request with its own reason', async () => {
  const ended = new AbortController()
  const server = await startChartServer(() => ended.abort('cancelled'), { tls })
  await expect(givenHttp([server.host], { signal: ended.signal }).get({ url: server.url, maxBytes: KIB })).rejects.toBe(
    'cancelled',
  )
})

// Retries.

/** Gets what `answer` gives in turns, without a wait, and the lines about the waits. */
async function getAfter(turns: readonly RequestListener[], timeoutSeconds = 60) {
  const clock = fakeClock()
  const startMs = clock.now()
  let turn = 0
  const server = await startChartServer(
    (request, response) => {
      turns[Math.min(turn, turns.length - 1)]?.(request, response)
      turn += 1
    },
    { tls },
  )
  const lines: string[] = []
  const onRetry = (line: string) => {
    lines.push(line.replace(server.url, ''))
    const seconds = Number(/in (\d+) s$/.exec(line)?.[1])
    setImmediate(() => void clock.advance(seconds * 1000))
  }
  const http = givenHttp([server.host], { clock, onRetry, timeoutSeconds })
  const got = http.get({ url: `${server.url}/a`, maxBytes: KIB })
  const text = await got.then(
    ({ body }) => new TextDecoder().decode(body),
    () => refusal(got),
  )
  return { text: text.replace(server.url, ''), lines, tries: turn, waitedMs: clock.now() - startMs }
}

test.each([429, 500, 502, 503, 504])('%i is tried again, with longer and longer waits', async (status) => {
  expect(await getAfter([answers(status), answers(status), says('there')])).toMatchObject({
    text: 'there',
    tries: 3,
    waitedMs: 3_000,
  })
})

test('each wait is told, with its reason', async () => {
  const { lines } = await getAfter([answers(503, { 'content-type': 'text/plain' }, 'not now\n'), says('')])
  expect(lines).toEqual(['/a has an error of the server (503: not now); trying again in 1 s'])
})

test('a connection that is reset is tried again', async () => {
  expect(await getAfter([(request) => request.socket.destroy(), says('there')])).toMatchObject({
    text: 'there',
    tries: 2,
  })
})

test('Retry-After is waited for', async () => {
  expect(await getAfter([answers(429, { 'retry-after': '25' }), says('there')])).toMatchObject({
    text: 'there',
    waitedMs: 25_000,
  })
})

test('a server that asks for an hour is not waited for', async () => {
  expect(await getAfter([answers(429, { 'retry-after': '3600' })])).toEqual({
    text: '/a has had too many requests (429), and asks to wait for 3600 s; log in, since limits are higher then, or run again later',
    lines: [],
    tries: 1,
    waitedMs: 0,
  })
})

test('no wait outlasts the time', async () => {
  expect(await getAfter([answers(503)], 5)).toMatchObject({ tries: 3, waitedMs: 3_000 })
})

test('there are five tries', async () => {
  const { text, tries, waitedMs } = await getAfter([answers(503)])
  expect([tries, waitedMs]).toEqual([5, 15_000])
  expect(text).toBe(
    '/a has an error of the server (503), 5 times; run again; if it stays so, ask those who run the server',
  )
})

// TLS.

test('an authority that the machine does not know is named as what to write', async () => {
  const server = await startChartServer(says(''), { tls })
  expect(await refusal(givenHttp([]).get({ url: server.url, maxBytes: 1 }))).toBe(
    `${server.url}/: the certificate of ${server.host} is from an authority that this machine does not know; ` +
      `write the certificate authority as ca of ${server.host} in input registries`,
  )
})

test('an authority counts for its own host only', async () => {
  const server = await startChartServer(says(''), { tls })
  const http = givenHttp(['registry.example'])
  expect(await refusal(http.get({ url: server.url, maxBytes: 1 }))).toContain('does not know')
})

test('authorities of files of the machine count as well, and certificates of clients', async () => {
  const server = await startChartServer(says('in'), { tls })
  const tlsOf = async () => ({ authorities: [authority.ca] })
  expect((await givenHttp([], { tlsOf }).get({ url: server.url, maxBytes: KIB })).status).toBe(200)
})

test.each<[string, () => { readonly cert: string; readonly key: string }, string]>([
  ['for another name', () => authority.issue(['other.example']), 'is for another name (DNS:other.example); '],
  ['that has expired', () => authority.issue(['127.0.0.1'], -1), 'has expired; '],
  [
    'of another authority',
    () => makeAuthority('other').issue(['127.0.0.1']),
    'is from an authority that this machine does not know; ',
  ],
])('a certificate %s is refused, once', async (_which, issue, text) => {
  const server = await startChartServer(says(''), { tls: issue() })
  const lines: string[] = []
  const http = givenHttp([server.host], { onRetry: (line) => lines.push(line) })
  expect(await refusal(http.get({ url: server.url, maxBytes: 1 }))).toContain(
    `the certificate of ${server.host} ${text}`,
  )
  expect([server.seen, lines]).toEqual([[], []])
})

test('a server without TLS is told apart', async () => {
  const server = await startChartServer(says(''))
  expect(await refusal(givenHttp([]).get({ url: `https://${server.host}/`, maxBytes: 1 }))).toBe(
    `https://${server.host}/: ${server.host} does not speak TLS; use https, or write plain-http: true for ${server.host} in input registries`,
  )
})

test('plain HTTP is refused where the host is not listed for it, on this machine too', async () => {
  const server = await startChartServer(says('there'))
  expect(await refusal(givenHttp([server.host]).get({ url: server.url, maxBytes: KIB }))).toBe(
    `${server.url}/ is not encrypted; use https, or write plain-http: true for ${server.host} in input registries`,
  )
  const registries = [{ host: server.host, isPlainHttp: true }]
  expect((await givenHttp([], { registries }).get({ url: server.url, maxBytes: KIB })).status).toBe(200)
  expect(server.seen).toEqual(['GET /'])
})

// The network.

test('a port that nobody listens on is told at once', async () => {
  const text = await refusal(givenHttp([]).get({ url: 'https://127.0.0.1:1/a', maxBytes: 1 }))
  expect(text).toContain('https://127.0.0.1:1/a: 127.0.0.1:1 refuses connections; check the address, the proxy')
})

test('a proxy of the environment is used, and named where it refuses', async () => {
  const proxy = await startTunnelProxy({ refusesWith: 403 })
  const http = givenHttp([], { env: { HTTPS_PROXY: proxy.url } })
  const text = await refusal(http.get({ url: 'https://charts.example/a', maxBytes: 1 }))
  expect(text).toContain(`the proxy at ${new URL(proxy.url).host}: it answered 403 to CONNECT charts.example:443`)
  expect(text).not.toContain('pass')
  expect(proxy.seen).toEqual(['charts.example:443 user:pass'])
})

test('NO_PROXY counts for each host on the way', async () => {
  const proxy = await startTunnelProxy({ refusesWith: 403 })
  const server = await startChartServer(answers(302, { location: 'https://blobs.example/a' }), { tls })
  const http = givenHttp([server.host], { env: { HTTPS_PROXY: proxy.url, NO_PROXY: '127.0.0.1' } })
  expect(await refusal(http.get({ url: `${server.url}/a`, maxBytes: 1 }))).toContain(
    `https://blobs.example/a (where ${server.url}/a leads): blobs.example cannot be reached: the proxy at `,
  )
  expect(proxy.seen).toEqual(['blobs.example:443 user:pass'])
})

test.each([
  ['no address', 'not an address', 'an address of a chart is not valid; check'],
  ['another protocol', 'ftp://user:hunter22@host/a', 'ftp://host/a is not an address of https; check'],
  ['a file', 'file:///etc/passwd', 'file:///etc/passwd is not an address of https; check'],
])('%s is refused', async (_what, url, text) => {
  expect(await refusal(givenHttp([]).get({ url, maxBytes: 1 }))).toContain(text)
})

test('a login in the address is used for that host, and not shown', async () => {
  const server = await startChartServer(answers(401), { tls })
  const http = givenHttp([server.host])
  const url = `https://robot:s3cret%2Dword@${server.host}/a?token=abc`
  expect(await refusal(http.get({ url, maxBytes: 1 }))).toMatch(
    /^https:\/\/127\.0\.0\.1:\d+\/a does not take the login \(401\); log in/,
  )
  expect(server.seen).toEqual([`GET /a?token=abc Basic ${encoded}`])
})

// Redirects.

const leadsTo = (location: string, status = 302) => answers(status, { location })

test.each([301, 302, 303, 307, 308])('%i is followed, and the answer names the last address', async (status) => {
  const server = await startChartServer(
    (request, response) => (request.url === '/a' ? leadsTo('b?x=1', status) : says('there'))(request, response),
    { tls },
  )
  const { url } = await givenHttp([server.host]).get({ url: `${server.url}/a`, maxBytes: KIB, login: basic })
  expect(url.href).toBe(`${server.url}/b?x=1`)
  expect(server.seen).toEqual([`GET /a Basic ${encoded}`, `GET /b?x=1 Basic ${encoded}`])
})

test('S-10 a login does not go to another port, also not when the way leads back', async () => {
  const blobs = await startChartServer((_request, response) => leadsTo(`${server.url}/end`)(_request, response), {
    tls,
  })
  const server = await startChartServer(
    (request, response) => (request.url === '/a' ? leadsTo(`${blobs.url}/b`) : says('there'))(request, response),
    { tls },
  )
  await givenHttp([server.host, blobs.host]).get({ url: `${server.url}/a`, maxBytes: KIB, login: basic })
  expect([server.seen, blobs.seen]).toEqual([[`GET /a Basic ${encoded}`, 'GET /end'], ['GET /b']])
  expect(blobs.requests[0]?.headers.referer).toBeUndefined()
})

test('S-10 a login does not go to another name of the same machine', async () => {
  const other = await startChartServer(says('there'), { tls, name: 'localhost' })
  const server = await startChartServer(leadsTo(`${other.url}/b`), { tls })
  const login = { kind: 'bearer', token: 'tok' } as const
  await givenHttp([server.host, other.host]).get({ url: `${server.url}/a`, maxBytes: KIB, login })
  expect([server.seen, other.seen]).toEqual([['GET /a Bearer tok'], ['GET /b']])
})

test('S-10 a login does not go from plain HTTP to https either', async () => {
  const secure = await startChartServer(says('there'), { tls })
  const plain = await startChartServer(leadsTo(`${secure.url}/b`))
  const registries = [{ host: plain.host, isPlainHttp: true }, trusted(secure.host)]
  await givenHttp([], { registries }).get({ url: `${plain.url}/a`, maxBytes: KIB, login: basic })
  expect(secure.seen).toEqual(['GET /b'])
})

test.each<[string, (host: string) => string, string]>([
  [
    'to plain HTTP',
    (host) => `http://${host}/b`,
    'leads from https to http://HOST/b, where anybody on the way could change it',
  ],
  ['to a login', () => 'https://a:hunter22@charts.example/', 'leads to an address with a login in it'],
  [
    'to a file',
    () => 'file:///etc/passwd',
    'file:///etc/passwd (where https://HOST/a leads) is not an address of https',
  ],
  ['to nowhere', () => '', 'answers 302 without an address'],
  ['to no address', () => 'https://[', 'answers 302 without an address'],
])('a redirect %s is refused', async (_where, location, text) => {
  const server = await startChartServer(
    (request, response) => leadsTo(location(request.headers.host ?? ''))(request, response),
    { tls },
  )
  const registries = [{ ...trusted(server.host), isPlainHttp: true }]
  const said = await refusal(givenHttp([], { registries }).get({ url: `${server.url}/a`, maxBytes: 1, login: basic }))
  expect(said).toContain(text.replace('HOST', server.host))
  expect(said).not.toContain('hunter22')
  expect(server.seen).toHaveLength(1)
})

test('a loop of redirects ends', async () => {
  const server = await startChartServer(leadsTo('/a'), { tls })
  expect(await refusal(givenHttp([server.host]).get({ url: `${server.url}/a`, maxBytes: 1 }))).toContain(
    'leads on after 10 redirects',
  )
  expect(server.seen).toHaveLength(11)
})

test('a form follows no redirect', async () => {
  const server = await startChartServer(leadsTo('/b', 307), { tls })
  const sent = givenHttp([server.host]).postForm({ url: server.url, maxBytes: 1, form: { refresh_token: 'x' } })
  expect(await refusal(sent)).toContain('answers 307, and a form is not sent elsewhere')
  expect(server.seen).toEqual(['POST /'])
})

test('the query of an address is not shown, since it may hold a signature', async () => {
  const blobs = await startChartServer(answers(404), { tls })
  const server = await startChartServer(leadsTo(`${blobs.url}/b?X-Amz-Signature=f00f`), { tls })
  expect(await refusal(givenHttp([server.host, blobs.host]).get({ url: `${server.url}/a`, maxBytes: 1 }))).toBe(
    `${blobs.url}/b (where ${server.url}/a leads) does not exist (404); check the address and the name, and the login where not everybody may read it`,
  )
})
