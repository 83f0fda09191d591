import { createWriteStream } from 'node:fs'
import { cp, mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'

const HERE = import.meta.dirname

/** A workspace with the release folder `release/`: documents of `test/e2e/release-folder` and the charts packed beside them. */
export async function releaseFolder(charts: readonly string[], without: readonly string[] = []): Promise<string> {
  const workspace = await mkdtemp(join(tmpdir(), 'staged-helm-deploy-release-'))
  const folder = join(workspace, 'release')
  const isWanted = (path: string) => !without.some((name) => path.endsWith(name))
  await cp(join(HERE, 'release-folder'), folder, { recursive: true, filter: isWanted })
  for (const chart of charts) await packChart(join(HERE, 'charts', chart), join(folder, `${chart}.tgz`))
  return workspace
}

/** As `helm package` does: everything below a folder with the name of the chart. */
export async function packChart(chart: string, archive: string): Promise<void> {
  const name = chart.slice(chart.lastIndexOf('/') + 1)
  const files = (await readdir(chart, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const tar = pack()
  for (const entry of files) {
    const path = join(entry.parentPath, entry.name)
    tar.entry({ name: `${name}/${path.slice(chart.length + 1)}` }, await readFile(path))
  }
  tar.finalize()
  await pipeline(tar, createGzip(), createWriteStream(archive))
}
