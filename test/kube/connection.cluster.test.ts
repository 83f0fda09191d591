import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject, test } from 'vitest'
import type { Connection } from '../../src/kube/connection.ts'
import { startTunnelProxy } from '../doubles/tunnel-proxy.ts'
import { connect, opened, watchedClock } from './opened.ts'

const { kubeconfig } = inject('cluster')

async function versionThrough(
  change: (connection: Connection) => Partial<Connection>,
  { clock } = watchedClock(),
): Promise<string> {
  const connection = await connect(kubeconfig)
  const cluster = opened({ ...connection, ...change(connection) }, {}, clock)
  try {
    return (await cluster.version()).gitVersion
  } finally {
    await cluster.close()
  }
}

describe('TLS', () => {
  test('the authority of the kubeconfig is what counts', async () => {
    expect(await versionThrough(() => ({}))).toMatch(/^v1\./)
  })

  test('a server of another authority is refused at once, not after retries', async () => {
    const watched = watchedClock()
    const refused = versionThrough(() => ({ tls: { isUnverified: false } }), watched)
    await expect(refused).rejects.toMatchObject({
      details: { reason: 'Unreachable', message: expect.stringMatching(/certificate/) },
    })
    expect(watched.slept).toEqual([])
  })

  test('an authority of the system counts where the kubeconfig names none, as for kubectl', async () => {
    const { tls, server } = await connect(kubeconfig)
    const folder = await mkdtemp(join(tmpdir(), 'authorities-'))
    const file = join(folder, 'system.pem')
    await writeFile(file, tls.authority ?? '')
    const source = `
      import { createTransport } from ${JSON.stringify(new URL('../../src/kube/transport.ts', import.meta.url).href)}
      const transport = createTransport({ server: ${JSON.stringify(server)}, tls: { isUnverified: false } }, { connections: 1 })
      const answer = await transport.send({ method: 'GET', path: '/version', headers: {} }).catch((error) => error)
      console.log(answer.status ?? answer.code)
      await transport.close()`
    const ask = async (env: Record<string, string>) => {
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], { env })
      return stdout.trim()
    }
    expect(await ask({ SSL_CERT_FILE: file })).toMatch(/^(200|401|403)$/)
    expect(await ask({ NODE_EXTRA_CA_CERTS: file })).toMatch(/^(200|401|403)$/)
    expect(await ask({})).toMatch(/SELF_SIGNED|UNABLE_TO_/)
    await rm(folder, { recursive: true })
  })

  test('insecure-skip-tls-verify is obeyed', async () => {
    expect(await versionThrough(() => ({ tls: { isUnverified: true } }))).toMatch(/^v1\./)
  })
})

test('a wrong token is refused after one try', async () => {
  const refused = versionThrough(() => ({ authentication: { kind: 'token', token: 'wrong' } }))
  await expect(refused).rejects.toMatchObject({ details: { status: 401, reason: 'Unauthorized' } })
})

test('a proxy is tunnelled through, so that it sees neither token nor objects', async () => {
  const { url, seen } = await startTunnelProxy()
  const connection = await connect(kubeconfig)
  const cluster = opened({ ...connection, proxy: url })
  // One after the other, deletes among them: no tunnel is opened for each.
  const absent = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'absent' }
  await cluster.discovery()
  const tunnels = seen.length
  for (let count = 0; count < 5; count += 1) {
    expect((await cluster.version()).gitVersion).toMatch(/^v1\./)
    await cluster.delete(absent, { propagation: 'Background' })
  }
  // One that is not idle yet may cost another.
  expect(seen.length).toBeLessThanOrEqual(tunnels + 1)
  await cluster.close()
  const { server } = connection
  expect(new Set(seen)).toEqual(new Set([`${new URL(server).host} user:pass`]))
})
