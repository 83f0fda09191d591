import { createServer } from 'node:http'
import { type AddressInfo, connect as connectTo, type Socket } from 'node:net'
import { describe, expect, inject, test } from 'vitest'
import type { Connection } from '../../src/kube/connection.ts'
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

  test('insecure-skip-tls-verify is obeyed', async () => {
    expect(await versionThrough(() => ({ tls: { isUnverified: true } }))).toMatch(/^v1\./)
  })
})

test('a wrong token is refused after one try', async () => {
  const refused = versionThrough(() => ({ authentication: { kind: 'token', token: 'wrong' } }))
  await expect(refused).rejects.toMatchObject({ details: { status: 401, reason: 'Unauthorized' } })
})

test('a proxy is tunnelled through, so that it sees neither token nor objects', async () => {
  const seen: string[] = []
  const sockets: Socket[] = []
  const proxy = createServer().on('connect', (request, socket: Socket) => {
    seen.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`)
    const { hostname, port } = new URL(`http://${request.url}`)
    const onward = connectTo(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    sockets.push(socket, onward)
    for (const end of [socket, onward]) end.on('error', () => end.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = `http://user:pass@127.0.0.1:${(proxy.address() as AddressInfo).port}`
  expect(await versionThrough(() => ({ proxy: url }))).toMatch(/^v1\./)
  const { server } = await connect(kubeconfig)
  expect(seen).toEqual([`CONNECT ${new URL(server).host} Basic ${Buffer.from('user:pass').toString('base64')}`])
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => proxy.close(resolve))
})
