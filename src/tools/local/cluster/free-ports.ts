import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the range from which systems take ports of outgoing connections, so that none of those is in the way later. */
const LOWEST_PORT = 20_000
const HIGHEST_PORT = 32_000

/** Free ports of the loopback address. Picked at random, so that clusters starting at once hardly ever collide. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT)
    if (!ports.has(port) && (await isFree(port))) ports.add(port)
  }
  return [...ports]
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
