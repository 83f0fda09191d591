import { createTransport } from '../../src/kube/transport.ts'
import { bytesUntilEnd, type DeafServer } from '../doubles/deaf-server.ts'

/** More than a server takes that does not read, less than the buffers of a kernel hold. */
export const LARGE = 'x'.repeat(500_000)

/** How many bytes arrive of a write that is broken off while the network holds it back. */
export async function bytesOfBrokenOff({ url, accepted }: DeafServer): Promise<number> {
  const transport = createTransport({ server: url, tls: { isUnverified: true } }, { connections: 1 })
  const brokenOff = new AbortController()
  const sent = transport.send({ method: 'PATCH', path: '/it', headers: {}, body: LARGE, signal: brokenOff.signal })
  const socket = await accepted
  // Until the kernel has taken all of it.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  brokenOff.abort('lock-lost')
  await sent.catch(() => undefined)
  const bytes = await bytesUntilEnd(socket)
  await transport.close()
  return bytes
}

/** What a write fails with whose connection is reset before it is answered. */
export async function failureOfReset({ url, accepted, reset }: DeafServer): Promise<unknown> {
  const transport = createTransport({ server: url, tls: { isUnverified: true } }, { connections: 1 })
  const sent = transport.send({ method: 'PATCH', path: '/it', headers: {}, body: 'x' })
  const failed = sent.catch((error: unknown) => error)
  const socket = await accepted
  // It is under way once its bytes have come.
  await new Promise((resolve) => socket.once('readable', resolve).read(0))
  reset()
  const failure = await failed
  await transport.close()
  return failure
}
