import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'

/** A packed chart as `helm package` makes it. */
export async function packedChart(
  name: string,
  version: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Buffer<ArrayBuffer>> {
  const tar = pack()
  const files = { 'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: ${version}\n`, ...more }
  for (const [file, text] of Object.entries(files)) tar.entry({ name: `${name}/${file}`, mtime: new Date(0) }, text)
  tar.finalize()
  return gzipSync(await buffer(tar))
}

export function digestOf(bytes: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}
