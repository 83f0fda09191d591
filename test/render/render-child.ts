import { createInterface } from 'node:readline'
import { readPacked } from '../../src/archives/packed-file.ts'
import { noValues } from '../../src/model/release.ts'
import { startRenderer } from '../../src/render/renderer.ts'

/** What the process says of one chart. */
export interface RenderVerdict {
  /** Of the engine: why it was refused; `rendered`. */
  readonly rendered: string
  /** Of the reader of Chart.yaml. */
  readonly read: string
  /** What both have computed, in ms. */
  readonly cpuMs: number
  /** The most memory that this process has ever held, in MiB. */
  readonly peakMiB: number
}

const REQUEST = {
  release: 'demo',
  namespace: 'default',
  revision: 1,
  isUpgrade: false,
  values: noValues,
  apiVersions: [],
} as const

/** Reads the charts whose paths come on stdin, each by what reads archives before and while it is rendered. */
const renderer = startRenderer({ folder: process.argv[2] ?? '', timeZone: 'UTC' })
for await (const path of createInterface({ input: process.stdin })) {
  const before = process.cpuUsage()
  const read = path.endsWith('.tgz') ? await told(readPacked(path, 'Chart.yaml'), 'read') : 'read'
  const rendered = await told(renderer.render({ ...REQUEST, chartPath: path }), 'rendered')
  const { user, system } = process.cpuUsage(before)
  const verdict: RenderVerdict = {
    rendered,
    read,
    cpuMs: (user + system) / 1_000,
    peakMiB: process.resourceUsage().maxRSS / 1024,
  }
  process.stdout.write(`${JSON.stringify(verdict)}\n`)
}
await renderer.close()

function told(work: Promise<unknown>, done: string): Promise<string> {
  return work.then(
    () => done,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
}
