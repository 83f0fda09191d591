import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { startDeafServer } from '../doubles/deaf-server.ts'
import { startTunnelProxy } from '../doubles/tunnel-proxy.ts'
import { bytesBehindProxy, bytesOfBrokenOff, failureOfReset, LARGE } from './broken-off.ts'
import { connect } from './opened.ts'

test('what is still in the network of a request that was broken off is dropped under TLS as well', async () => {
  expect(await bytesOfBrokenOff(await startDeafServer(await tls()))).toBeLessThan(LARGE.length)
})

test.each(['CONNECT', 'SOCKS5'] as const)('under TLS through a proxy that speaks %s as well', async (speaks) => {
  expect(await bytesBehindProxy(await startTunnelProxy({ speaks }), await tls())).toBeLessThan(LARGE.length)
})

test('a connection that is reset under TLS fails its request, and nothing else', async () => {
  expect(await failureOfReset(await startDeafServer(await tls()))).toMatchObject({ code: 'ECONNRESET' })
})

async function tls(): Promise<{ readonly cert: string; readonly key: string }> {
  const { kubeconfig } = inject('cluster')
  const { authority = '' } = (await connect(kubeconfig)).tls
  return { cert: authority, key: await readFile(join(dirname(kubeconfig), 'apiserver.key'), 'utf8') }
}
