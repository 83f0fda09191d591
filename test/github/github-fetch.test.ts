import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { githubFetch } from '../../src/github/github-fetch.ts'

/** The protocols h2 and http/1.1 as the first message of TLS offers them: each behind its length. */
const OFFER_OF_HTTP_2 = Buffer.from('\x02h2')
const OFFER_OF_HTTP_1 = Buffer.from('\x08http/1.1')

const servers: Server[] = []
afterEach(() => {
  vi.unstubAllEnvs()
  for (const server of servers.splice(0)) server.close()
})

describe('a request to GitHub', () => {
  test('offers HTTP/1.1 alone', async () => {
    const server = await listen((socket, greet) => socket.once('data', greet))
    await githubFetch(`https://127.0.0.1:${server.port}`)(`https://127.0.0.1:${server.port}/user`).catch(
      () => undefined,
    )
    expectHttp1(await server.greeting)
  })

  test('offers HTTP/1.1 alone through the proxy of the environment', async () => {
    let asked = ''
    const proxy = await listen((socket, greet) =>
      socket.once('data', (request) => {
        asked = request.toString().split('\r\n')[0] ?? ''
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        socket.once('data', greet)
      }),
    )
    vi.stubEnv('https_proxy', `http://127.0.0.1:${proxy.port}`)
    vi.stubEnv('no_proxy', '')
    await githubFetch('https://api.github.example')('https://api.github.example/user').catch(() => undefined)
    expectHttp1(await proxy.greeting)
    expect(asked).toBe('CONNECT api.github.example:443 HTTP/1.1')
  })
})

function expectHttp1(greeting: Buffer): void {
  expect([greeting.includes(OFFER_OF_HTTP_1), greeting.includes(OFFER_OF_HTTP_2)]).toEqual([true, false])
}

/** A server that hangs up after the first message of TLS, which `take` finds in what is sent. */
async function listen(take: (socket: Socket, greet: (message: Buffer) => void) => void) {
  const { promise: greeting, resolve } = Promise.withResolvers<Buffer>()
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    take(socket, (message) => {
      resolve(message)
      socket.destroy()
    })
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, greeting }
}
