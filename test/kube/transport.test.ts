import { expect, test } from 'vitest'
import { createTransport } from '../../src/kube/transport.ts'
import { startDeafServer } from '../doubles/deaf-server.ts'
import { bytesOfBrokenOff, failureOfReset, LARGE } from './broken-off.ts'

test('what is still in the network of a request that was broken off is dropped', async () => {
  expect(await bytesOfBrokenOff(await startDeafServer())).toBeLessThan(LARGE.length)
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
