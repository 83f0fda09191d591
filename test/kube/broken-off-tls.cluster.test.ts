import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { startDeafServer } from '../doubles/deaf-server.ts'
import { bytesOfBrokenOff, LARGE } from './broken-off.ts'
import { connect } from './opened.ts'

test('what is still in the network of a request that was broken off is dropped under TLS as well', async () => {
  const { kubeconfig } = inject('cluster')
  const { authority = '' } = (await connect(kubeconfig)).tls
  const key = await readFile(join(dirname(kubeconfig), 'apiserver.key'), 'utf8')
  expect(await bytesOfBrokenOff(await startDeafServer({ cert: authority, key }))).toBeLessThan(LARGE.length)
})
