import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { readPacked } from '../../src/archives/packed-file.ts'
import { unpackTar } from '../../src/host/unpack-tar.ts'
import type { Target } from './target.ts'

/** Bytes as characters below 256, so that texts can be changed as all others. */
async function archive(): Promise<string> {
  const tar = pack()
  tar.entry({ name: 'web/Chart.yaml' }, 'name: web\nversion: 1.0.0\n')
  tar.entry({ name: 'web/../../outside' }, 'x')
  tar.entry({ name: 'web/link', type: 'symlink', linkname: '/etc/passwd' })
  tar.entry({ name: 'web/hard', type: 'link', linkname: '../outside' })
  tar.finalize()
  return (await buffer(tar)).toString('latin1')
}

export const archiveTargets: readonly Target[] = [
  {
    name: 'archives',
    covers: ['host/unpack-tar.ts', 'archives/packed-file.ts'],
    seeds: [await archive()],
    read: async (text) => {
      const folder = await mkdtemp(join(tmpdir(), 'fuzzed-archive-'))
      const bytes = Buffer.from(text, 'latin1')
      try {
        // Whatever it is called, what cannot be read is an error of the archive.
        await unpackTar(Readable.from([bytes]), join(folder, 'a', 'b', 'inside')).catch(requireError)
        await writeFile(join(folder, 'chart.tgz'), gzipSync(bytes))
        await readPacked(join(folder, 'chart.tgz'), 'Chart.yaml').catch(requireError)
        const written = [...(await readdir(folder)), ...(await readdir(join(folder, 'a', 'b')))].toSorted()
        if (written.join() !== 'a,chart.tgz,inside') throw new Error(`outside of the folder lies ${written}`)
      } finally {
        await rm(folder, { recursive: true })
      }
    },
  },
]

function requireError(error: unknown): void {
  if (!(error instanceof Error)) throw new Error(`no error was thrown, but ${String(error)}`)
}
