import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { extract, type Header } from 'tar-stream'

/** Most that is unpacked in search of the file, in bytes. Helm writes `Chart.yaml` first. */
const MAX_SEARCHED_BYTES = 20 * 1024 * 1024
/** Most that a whole chart unpacks to, in bytes, as Helm has it. */
const MAX_CHART_BYTES = 100 * 1024 * 1024
/** Most that the file itself may hold, in bytes. */
const MAX_FILE_BYTES = 1024 * 1024

/**
 * Text of the file `name` in the top folder of a `.tgz`, whatever that folder is called; undefined where it has none.
 * Stops reading once it is found. Throws where the file is no such archive.
 */
export async function readPacked(path: string, name: string): Promise<string | undefined> {
  const limits = { label: path, maxBytes: MAX_SEARCHED_BYTES }
  for await (const text of filesNamed(createReadStream(path), name, limits)) return text
  return undefined
}

/** The same of an archive that is in memory, which is read to its end: one that was cut off throws. */
export async function readPackedBytes(bytes: Uint8Array, name: string): Promise<string | undefined> {
  let first: string | undefined
  const limits = { label: 'the archive', maxBytes: MAX_CHART_BYTES }
  for await (const text of filesNamed(Readable.from([bytes]), name, limits)) first ??= text
  return first
}

interface Limits {
  readonly label: string
  readonly maxBytes: number
}

async function* filesNamed(packed: Readable, name: string, limits: Limits): AsyncGenerator<string> {
  const archive = extract()
  const unpacked = packed.pipe(createGunzip())
  let bytes = 0
  unpacked.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= limits.maxBytes) return
    unpacked.destroy(new Error(`${limits.label} unpacks to more than ${limits.maxBytes / 1024 / 1024} MiB`))
  })
  // `pipe` passes no errors on.
  for (const stream of [packed, unpacked] as readonly Readable[]) stream.on('error', (error) => archive.destroy(error))
  unpacked.pipe(archive)
  try {
    for await (const entry of archive) {
      if (isInTopFolder(entry.header, name)) {
        if (entry.header.size > MAX_FILE_BYTES) throw new Error(`${entry.header.name} is larger than 1 MiB`)
        yield (await buffer(entry)).toString('utf8')
      } else entry.resume()
    }
  } finally {
    packed.destroy()
    unpacked.destroy()
  }
}

function isInTopFolder({ name, type }: Header, wanted: string): boolean {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  return type === 'file' && parts.length === 2 && parts[1] === wanted
}
