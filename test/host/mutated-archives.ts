import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { seededRandom } from '../seeded-random.ts'
import { tarEnd, tarEntry } from './tar-entries.ts'

const BLOCK = 512
/** Bytes that mean something in a tar: ends of texts, digits, separators, kinds of entries, the mark of binary numbers. */
const TELLING = Buffer.from('\0 01234567/\\.xgLKSV\u0080\u00ff', 'latin1')

/** Archives made of the charts in these folders, each changed in up to four places: `count`, the same for the same seed. */
export function* mutatedArchives(folders: readonly string[], count: number, seed: number): Generator<Buffer> {
  const random = seededRandom(seed)
  const below = (end: number) => Math.floor(random() * end)
  const tars = folders.map(tarOfFolder)
  for (let index = 0; index < count; index += 1) {
    const tar = Buffer.from(tars[index % tars.length] ?? Buffer.alloc(0))
    const others = tars[below(tars.length)] ?? tar
    yield WAYS[Math.floor(index / tars.length) % WAYS.length]?.(tar, others, below) ?? tar
  }
}

type Below = (end: number) => number

const WAYS: readonly ((tar: Buffer, others: Buffer, below: Below) => Buffer)[] = [
  // Headers: names, sizes, kinds, checksums that are wrong or right again.
  (tar, _others, below) => gzipSync(withHeaders(tar, below, (header) => void setByte(header, below))),
  (tar, _others, below) =>
    gzipSync(
      withHeaders(tar, below, (header) => {
        setByte(header, below)
        setChecksum(header)
      }),
    ),
  // Contents.
  (tar, _others, below) => {
    for (let times = 1 + below(4); times > 0; times -= 1) tar[below(tar.length)] = below(256)
    return gzipSync(tar)
  },
  // Blocks in another order, or of another chart.
  (tar, others, below) => {
    const blocks = (bytes: Buffer, at: number, many: number) => bytes.subarray(at * BLOCK, (at + many) * BLOCK)
    const cut = below(tar.length / BLOCK)
    const from = below(others.length / BLOCK)
    const moved = blocks(others, from, 1 + below(20))
    return gzipSync(Buffer.concat([tar.subarray(0, cut * BLOCK), moved, tar.subarray(cut * BLOCK)]))
  },
  // The packed bytes.
  (tar, _others, below) => {
    const packed = gzipSync(tar)
    for (let times = 1 + below(4); times > 0; times -= 1) packed[below(packed.length)] = below(256)
    return packed
  },
  // The end is missing, or comes twice.
  (tar, _others, below) => {
    const packed = gzipSync(tar)
    return below(2) === 0 ? packed.subarray(0, below(packed.length)) : Buffer.concat([packed, packed])
  },
]

function withHeaders(tar: Buffer, below: Below, change: (header: Buffer) => void): Buffer {
  const headers = headersOf(tar)
  for (let times = 1 + below(4); times > 0; times -= 1) {
    const at = headers[below(headers.length)] ?? 0
    change(tar.subarray(at, at + BLOCK))
  }
  return tar
}

/** Name, mode, size, kind, target, prefix: nothing else of a header is read. */
const FIELDS = [
  [0, 100],
  [100, 8],
  [124, 12],
  [156, 1],
  [157, 100],
  [345, 155],
] as const

function setByte(header: Buffer, below: Below): void {
  const [start, length] = FIELDS[below(FIELDS.length)] ?? FIELDS[0]
  const isTelling = below(2) === 0
  header[start + below(length)] = isTelling ? (TELLING[below(TELLING.length)] ?? 0) : below(256)
}

function setChecksum(header: Buffer): void {
  header.write('        ', 148)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
}

function headersOf(tar: Buffer): readonly number[] {
  const found: number[] = []
  for (let at = 0; at < tar.length && tar[at] !== 0; ) {
    found.push(at)
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8)
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  return found
}

function tarOfFolder(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const entries = files.map((file) => {
    const name = `demo/${relative(folder, file)}`
    return tarEntry(name, '0', readFileSync(file))
  })
  return Buffer.concat([...entries, tarEnd])
}
