import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Serves lists of versions of a chart `x`, each at a path of its own as the index of a repository and as the tags of a
 * registry, and notes what is asked for after that. There are no charts.
 */
export interface VersionServer {
  /** `127.0.0.1:12345`. */
  readonly host: string
  add(path: string, versions: readonly string[]): void
  /** Indexes in the list, or tags, that were asked for at this path. */
  asked(path: string): readonly string[]
  close(): Promise<void>
}

export async function startVersionServer(): Promise<VersionServer> {
  const lists = new Map<string, readonly string[]>()
  const asked = new Map<string, string[]>()
  const server = createServer((request, response) => {
    const found = /^(?:\/v2)?\/(?<path>[^/]+)\/(?:x\/)?(?<rest>.*)$/.exec(request.url ?? '')?.groups
    const { path = '', rest = '' } = found ?? {}
    const versions = lists.get(path)
    if (rest === 'index.yaml' && versions !== undefined) return response.end(indexOf(versions))
    if (rest.startsWith('tags/list') && versions !== undefined) {
      return response.end(JSON.stringify({ name: `${path}/x`, tags: versions }))
    }
    const wanted = /^(?:manifests\/(?<tag>.+)|(?<index>\d+)\.tgz)$/.exec(rest)?.groups
    if (wanted !== undefined) asked.set(path, [...(asked.get(path) ?? []), wanted.tag ?? wanted.index ?? ''])
    response.statusCode = 404
    return response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (path, versions) => void lists.set(path, versions),
    asked: (path) => asked.get(path) ?? [],
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function indexOf(versions: readonly string[]): string {
  const entries = versions.map((version, index) => ({ apiVersion: 'v2', name: 'x', version, urls: [`${index}.tgz`] }))
  return JSON.stringify({ apiVersion: 'v1', entries: { x: entries } })
}
