import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { extract, type Header } from 'tar-stream'

/** Most that is unpacked in search of the file, in bytes. Helm writes `Chart.yaml` first. */
const MAX_UNPACKED_BYTES = 20 * 1024 * 1024
/** Most that the file itself may hold, in bytes. */
const MAX_FILE_BYTES = 1024 * 1024

/**
 * Text of the file `name` in the top folder of a `.tgz`, whatever that folder is called; undefined where it has none.
 * Stops reading once it is found. Throws where the file is no such archive.
 */
export async function readPacked(path: string, name: string): Promise<string | undefined> {
  const archive = extract()
  const file = createReadStream(path)
  const unpacked = file.pipe(createGunzip())
  let bytes = 0
  unpacked.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_UNPACKED_BYTES) unpacked.destroy(new Error(`${path} unpacks to more than 20 MiB`))
  })
  // `pipe` passes no errors on.
  for (const stream of [file, unpacked] as readonly Readable[]) stream.on('error', (error) => archive.destroy(error))
  unpacked.pipe(archive)
  try {
    for await (const entry of archive) {
      if (isInTopFolder(entry.header, name)) {
        if (entry.header.size > MAX_FILE_BYTES) throw new Error(`${entry.header.name} is larger than 1 MiB`)
        return (await buffer(entry)).toString('utf8')
      }
      entry.resume()
    }
    return undefined
  } finally {
    file.destroy()
    unpacked.destroy()
  }
}

function isInTopFolder({ name, type }: Header, wanted: string): boolean {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  return type === 'file' && parts.length === 2 && parts[1] === wanted
}
