import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { networkFault } from '../../src/kube/retry.ts'
import { createTransport } from '../../src/kube/transport.ts'
import { startDeafServer } from '../doubles/deaf-server.ts'
import { startTunnelProxy } from '../doubles/tunnel-proxy.ts'
import { bytesBehindProxy, bytesOfBrokenOff, failureOfReset, LARGE } from './broken-off.ts'

test('what is still in the network of a request that was broken off is dropped', async () => {
  expect(await bytesOfBrokenOff(await startDeafServer())).toBeLessThan(LARGE.length)
})

test.each(['CONNECT', 'SOCKS5'] as const)('so is what has not reached a proxy that speaks %s', async (speaks) => {
  const proxy = await startTunnelProxy({ speaks })
  expect(await bytesBehindProxy(proxy)).toBeLessThan(LARGE.length)
  expect(proxy.seen).toEqual([expect.stringMatching(/^127\.0\.0\.1:\d+ user:pass$/)])
})

test.each([
  { speaks: 'CONNECT', refusesWith: 503, code: 'UND_ERR_PRX_CONN', says: 'it answered 503 to CONNECT 127.0.0.1:1' },
  { speaks: 'CONNECT', refusesWith: 407, code: '', says: 'it answered 407 to CONNECT 127.0.0.1:1' },
  {
    speaks: 'SOCKS5',
    refusesWith: 5,
    code: 'UND_ERR_PRX_CONN',
    says: 'it answered 5 to a connection with 127.0.0.1:1',
  },
  { speaks: 'SOCKS5', refusesWith: 2, code: '', says: 'it answered 2 to a connection with 127.0.0.1:1' },
] as const)('a proxy that speaks $speaks and refuses with $refusesWith is named', async ({ says, code, ...how }) => {
  const { url } = await startTunnelProxy(how)
  const error = await failureThrough(url)
  expect(error).toMatchObject({ message: `the proxy at ${new URL(url).host}: ${says}` })
  expect(networkFault(error)).toMatchObject({ isPassing: code !== '', wasSent: code === '' })
})

test('a proxy that does not speak SOCKS5 is named', async () => {
  const { url } = await startTunnelProxy({ speaks: 'CONNECT' })
  expect(await failureThrough(url.replace('http:', 'socks5:'))).toMatchObject({
    message: `the proxy at ${new URL(url).host}: it does not speak SOCKS5`,
  })
})

test('a connection that is reset fails its request, and nothing else', async () => {
  expect(await failureOfReset(await startDeafServer())).toMatchObject({ code: 'ECONNRESET' })
})

test('a connection that is closed because no answer comes says so', async () => {
  const { url } = await startDeafServer()
  const transport = createTransport({ server: url, tls: { isUnverified: false } }, { connections: 1 })
  const sent = transport.send({ method: 'GET', path: '/it', headers: {}, answerWithinMs: 100 })
  await expect(sent).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' })
  await transport.close()
})

test.each(['http', 'socks5'])('a proxy that closes its connections at once is named: %s', async (protocol) => {
  const { port, close } = await startClosingServer()
  const failure = await failureThrough(`${protocol}://127.0.0.1:${port}`)
  expect(failure).toMatchObject({ message: expect.stringContaining(`the proxy at 127.0.0.1:${port}: `) })
  expect(networkFault(failure)).toMatchObject({ isPassing: true, wasSent: false })
  close()
})

async function startClosingServer(): Promise<{ readonly port: number; readonly close: () => void }> {
  const server = createServer((socket) => socket.on('error', () => undefined).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

async function failureThrough(proxy: string): Promise<unknown> {
  const transport = createTransport(
    { server: 'http://127.0.0.1:1', tls: { isUnverified: false }, proxy },
    { connections: 1 },
  )
  const failure = await transport.send({ method: 'GET', path: '/it', headers: {} }).catch((error: unknown) => error)
  await transport.close()
  return failure
}
