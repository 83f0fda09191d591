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
